"""Who may not read a document gets, byte for byte, what they would get if it did not exist: every kind of run
in every skin, with every command, press and page.

Run ids, times and the order of what goes on at once are left out of the comparison.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from adapters.kinds import KINDS
from tests.adapters.rights.everything import REQUESTS, SKINS, UNSEEN, conversation, house, written
from tests.support.drills import grid

SEED = 1
NAMES = ("page", "slack", "terminal", "teams")
WAYS = [
    (kind.name, NAMES[(number + turn) % len(NAMES)])
    for turn, kind in enumerate(KINDS)
    for number in range(len(NAMES))
    if (kind.name, NAMES[(number + turn) % len(NAMES)]) != ("design", "terminal")
]
"""One is for each run of the suite, each kind in one skin for the short drills, and all for the long ones.

Not a debate in the terminal, where each command is a process: what it ends with depends on how fast it is.
"""


class Named:
    """Events and threads by numbers, the same in both houses."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers

    def token_hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"


def test_each_kind_is_asked() -> None:
    assert REQUESTS.keys() == {kind.name for kind in KINDS}
    assert SKINS.keys() == {*NAMES}


@pytest.mark.parametrize("way", grid(WAYS, len(WAYS)), ids="-".join)
@pytest.mark.timeout(600)
async def test_all_that_is_shown_is_as_if_the_hidden_documents_did_not_exist(
    way: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, skin = way
    monkeypatch.setattr("bot.rights.TERMINAL", "of nobody")  # who has the files at hand reads all
    monkeypatch.setattr("bot.intake.TWICE_S", 0.0)
    monkeypatch.setattr("bot.delivery.IDLE_S", 0.01)
    monkeypatch.setattr("adapters.web.login.Attempts.wait", lambda self, who: 0.0)  # faster than any person
    said = [REQUESTS[kind], *written(SEED)]
    told = []
    for name, hidden in (("with", UNSEEN), ("without", {})):
        monkeypatch.setattr("tests.kinds.skins.secrets", Named(count(1)))
        bea = await house(tmp_path / name, hidden, kind)
        told.append(await conversation(skin, tmp_path / name, bea, said, SEED))
    had, never = told
    assert len(had) == len(never)
    for one, other in zip(had, never, strict=True):
        assert one == other
