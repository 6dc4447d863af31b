"""A question whose label only openFDA has, on openFDA's bad days: the answer says what is missing."""

import json
from collections.abc import AsyncIterator, Iterator

import pytest

from adapters.sources.web import HttpWeb, WebLimits
from agents.databases import label_store
from agents.reports.values import Paragraph
from agents.vigilance.kind import KIND
from tests.adapters.sources.database_server import Reply, Served, serving
from tests.agents.vigilance.kit import LABELLED, assessed, desk, world

LABEL = {
    "set_id": "set-1",
    "effective_time": "20260102",
    "warnings": ["Ramipril can cause cough."],
    "openfda": {"generic_name": ["RAMIPRIL"], "substance_name": ["RAMIPRIL"]},
}


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    with serving() as database:
        monkeypatch.setattr(label_store, "API", database.url)
        yield database


@pytest.fixture
async def web() -> AsyncIterator[HttpWeb]:
    made = HttpWeb({}, limits=WebLimits(seconds=2, attempts=1))
    yield made
    await made.close()


def as_json(value: object) -> Reply:
    return 200, {}, json.dumps(value).encode()


async def told(web: HttpWeb, question: str = "ramipril: cough") -> tuple[str, list[str]]:
    """The answer in a line, and what it says is missing."""
    shown = KIND.report(await assessed(question, desk(world(LABELLED), web=web)))
    section = shown.section("missing")
    return shown.short, [one.text for one in section.blocks if isinstance(one, Paragraph)] if section else []


async def test_a_label_that_is_not_loaded_is_asked_for_once_and_read(served: Served, web: HttpWeb) -> None:
    served.reply("/label.json", as_json({"results": [LABEL]}))
    short, missing = await told(web)
    assert short.startswith("ramipril raises the risk of cough")
    assert missing == []
    assert len(served.asked) == 1


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ((429, {"Retry-After": "600"}, b""), "it replied 429"),
        ((500, {}, b"<html>"), "it replied 500"),
        ((200, {}, b"<html>we moved</html>"), "openFDA"),
        (as_json({"labels": [LABEL]}), "no list `results`"),
        (as_json({"results": [{"id": "1", "texts": {}}]}), "its form has changed"),
        (
            as_json({"error": {"code": "SERVER_ERROR", "message": "Check your request."}}),
            "refused the question",
        ),
        (
            as_json({"error": {"code": "NOT_FOUND", "message": "No matches."}}),
            "No label of ramipril is loaded.",
        ),
    ],
)
async def test_busy_broken_or_changed_is_told_and_no_verdict_is_made_up(
    served: Served, web: HttpWeb, reply: Reply, says: str
) -> None:
    served.reply("/label.json", reply)
    short, missing = await told(web)
    assert short.startswith("No label was read, so that nothing can be said. `pestle sources`")
    why, next_step = missing
    assert says in why
    assert "ramipril" in why
    assert "pestle sources load" in next_step


async def test_slow_and_away_are_told(served: Served, web: HttpWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    served.slow = 4
    served.reply("/slow/label.json", as_json({"results": [LABEL]}))
    monkeypatch.setattr(label_store, "API", f"{served.url}/slow")
    _, missing = await told(web)
    assert "no reply within 2 s" in missing[0]
    monkeypatch.setattr(label_store, "API", "http://127.0.0.1:9")
    _, missing = await told(web)
    assert "cannot be reached" in missing[0]


async def test_the_drugs_that_are_loaded_are_judged_without_the_one_that_is_not(
    served: Served, web: HttpWeb
) -> None:
    served.reply("/label.json", (500, {}, b""))
    short, missing = await told(web, "lisinopril, ramipril x angioedema")
    assert short == "lisinopril: increase of angioedema."
    assert any("ramipril" in one and "500" in one for one in missing)
