"""How sure an answer is, asked after it."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer
from agents.archive.how_sure import HOW_SURE, how_sure
from agents.archive.kind import KIND
from agents.archive.understand import Discussed, remember
from agents.archive.work import as_shown
from agents.kinds import ThreadContext, UserMessage
from agents.reports.values import Report
from tests.agents.archive.world import DOCUMENTS, archive, ask

ASKED = "What was the mean weight of the rats at 15 mg/kg in ZK-TX-01?"


async def after(tmp_path: Path, first: Report, text: str) -> tuple[Answer, str]:
    """The answer to a question after a report, as it is shown, and how it stood."""
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    known = ThreadContext(Discussed(("ZK-701",), (ASKED,), "ZK-TX-01"), (), first)
    found = KIND.understand(UserMessage(text, "ada"), known)
    assert found is not None
    question = found.inputs
    answer = await ask(tools, text, previous=question.previous, how_sure=question.how_sure)
    return as_shown(answer), question.how_sure


async def test_how_sure_is_answered_from_what_the_last_answer_rests_on(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "first", DOCUMENTS)
    first = KIND.report(await ask(tools, "Who was the study director of ZK-CL-01?"))
    assert first.found
    assert first.citations

    answer, standing = await after(tmp_path, first, "how sure are you?")

    assert answer.short == standing == how_sure(first)
    assert "passage" in standing
    before = Discussed(("ZK-701",), (ASKED,), "ZK-TX-01")
    assert remember(answer, before).asked == (ASKED,)
    assert remember(answer, before).molecules == ("ZK-701",)


async def test_how_sure_is_told_of_several_passages_too(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "first", DOCUMENTS)
    first = KIND.report(await ask(tools, "Summarise what we know about ZK-701."))
    assert len({one.doc_id for one in first.citations}) > 1

    answer, told = await after(tmp_path, first, "how sure are you?")

    assert answer.short == told
    assert "several passages of several documents" in told


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Are you certain about that?", True),
        ("And how confident are you in this?", True),
        ("Are you sure?", True),
        ("Really?", True),
        ("Are you sure that 10 mg was given?", False),
        ("How sure is the diagnosis of ZK-701?", False),
        ("Is it safe?", False),
    ],
)
def test_only_a_question_about_the_answer_itself_is_one(text: str, is_one: bool) -> None:
    assert (HOW_SURE.fullmatch(text) is not None) is is_one
