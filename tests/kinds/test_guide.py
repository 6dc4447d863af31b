"""The kind of the guide is the toy, and it works as it stands there."""

import re
from pathlib import Path
from typing import Any, cast

from agents.house import House
from agents.kinds import Kinds
from bot.values import CardKind
from tests.bot.world import World
from tests.kinds import toy
from tests.support.services import ROOT
from workers.executor import Executor

GUIDE = ROOT / "docs" / "guide" / "new-kind.md"


def code() -> str:
    text = GUIDE.read_text(encoding="utf-8")
    (found,) = re.findall(
        r"```python\n(.*?)```", text.split("## Add a kind")[1].split("## Add a tool")[0], re.DOTALL
    )
    return str(found)


def test_the_guide_shows_the_toy_as_it_is() -> None:
    source = Path(toy.__file__).read_text(encoding="utf-8")
    assert source.split('"""\n\n', 1)[1] == code()


async def test_the_kind_of_the_guide_runs() -> None:
    names: dict[str, Any] = {"__name__": "guide"}
    exec(code(), names)
    kinds = Kinds([names["KIND"]])
    world = World(kinds=kinds)
    ports = (world.ledger, world.conversations, world.outbox, kinds.pipelines(cast(House, None)), world.views)
    receipt = await world.say("count one two two")
    await Executor(*ports, owner="w1").execute(receipt.run_id)
    assert [card.text for card in await world.shown() if card.kind is CardKind.ANSWER] == ["**3 words**"]
