"""Natural questions are asked in their threads, judged, counted and explained."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from agents.archive.answer import AnswerOutcome
from agents.archive.evaluate.natural import evaluate_questions
from agents.archive.evaluate.questions import AskedQuestion, QuestionKind, Reply, judge
from agents.archive.tools import ArchiveTools
from agents.errors import TimeLimitReached
from retrieval.errors import ArchiveNotFound
from retrieval.ports import Retriever
from retrieval.values import Hit, SearchRequest
from tests.agents.archive.world import DOCUMENTS, archive, write

QUOTE = "single oral doses of 2, 6, 20 and 60 mg"
DOSE = {
    "id": "a",
    "question": "What was the first-in-human dose of ZK-701?",
    "kind": "fact",
    "accept": [r"\b2 mg\b"],
    "reject": ["999 mg"],
    "quotes": [QUOTE],
}
QUESTIONS = (
    DOSE,
    {
        "id": "b",
        "question": "And why was it discontinued?",
        "kind": "follow_up",
        "after": "a",
        "accept": ["asteroid"],
        "quotes": ["hit by an asteroid"],
    },
    {"id": "c", "question": "Who is the supplier of ZK-701's placebo capsules?", "kind": "absent"},
)


@asynccontextmanager
async def factory(folder: Path) -> AsyncIterator[ArchiveTools]:
    yield await archive(folder, {})


@pytest.fixture
def question_set(tmp_path: Path) -> Path:
    write(tmp_path / "docs", DOCUMENTS)
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    return tmp_path


async def test_questions_are_asked_in_their_thread_and_scored_by_kind(question_set: Path) -> None:
    evaluation = await evaluate_questions(question_set, factory)

    of = {result.id: result for result in evaluation.results}
    assert of["a"].judged.right
    assert "liver" in of["b"].said, "the follow-up is about the thread's molecule"
    assert of["b"].judged.stated_wrong
    assert "hit by an asteroid" in of["b"].explanation
    found = evaluation.figures["pestle"]
    assert (found["fact"].right, found["follow_up"].stated_wrong, found["all"].right) == (1.0, 1.0, 0.5)
    assert (found["all"].questions, found["all"].calls, found["absent"].right) == (3, 0.0, None)


class OutOfTime:
    """A retriever that takes all the time of a question on capsules."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    async def search(self, request: SearchRequest) -> list[Hit]:
        if "capsules" in request.text:
            raise TimeLimitReached("its time is used up")
        return await self._retriever.search(request)


async def test_a_question_that_runs_out_of_time_is_a_miss_and_the_rest_goes_on(question_set: Path) -> None:
    @asynccontextmanager
    async def slow(folder: Path) -> AsyncIterator[ArchiveTools]:
        async with factory(folder) as tools:
            yield replace(tools, retriever=OutOfTime(tools.retriever))

    asked = dict(DOSE, id="0", question="Which lot of capsules was used?")
    rest = (question_set / "questions.jsonl").read_text()
    (question_set / "questions.jsonl").write_text(f"{json.dumps(asked)}\n{rest}")
    evaluation = await evaluate_questions(question_set, slow)

    first, second, *_ = evaluation.results
    assert "its time is used up" in first.said
    assert not first.judged.helped
    assert second.judged.right


def judged(outcome: AnswerOutcome, text: str, *passages: str) -> tuple[str, ...]:
    """The names of what is true of a reply."""
    found = judge(AskedQuestion.model_validate(DOSE), Reply(outcome, text, passages))
    return tuple(name for name, holds in asdict(found).items() if holds)


def test_a_passage_that_shows_the_answer_counts_among_the_first_three() -> None:
    cell = "| Doses | **Single oral** doses of 2, 6,\n20 and 60 mg |"
    assert judged(AnswerOutcome.CLOSEST, "These come closest.", "a", "b", cell) == ("shown",)
    assert judged(AnswerOutcome.CLOSEST, "These come closest.", "a", "b", "c", cell) == ()


def test_only_what_is_stated_can_be_wrong_or_right() -> None:
    assert judged(AnswerOutcome.ANSWERED, "It was 2 mg [1].") == ("right",)
    assert judged(AnswerOutcome.ANSWERED, "It was 2 mg, or 999 mg.") == ("stated_wrong",)
    assert judged(AnswerOutcome.CLOSEST, "Perhaps 2 mg.") == ()
    assert judged(AnswerOutcome.NOTHING, "Not stated.") == ("nothing",)


def of_first_line(kind: str, first: str, below: str, shown: str = QUOTE) -> tuple[bool, bool]:
    """Whether an answer of that first line is right, and whether it states something wrong."""
    expected = {"yes_no": [r"\byes\b", "recovered"], "fact": [r"\b2 mg\b"], "count": [r"\b(?:12|twelve)\b"]}
    asked = AskedQuestion(
        id="f",
        question="How was it in ZK-701 at 6 mg?",
        kind=QuestionKind(kind),
        accept=expected[kind],
        quotes=[QUOTE],
    )
    found = judge(asked, Reply(AnswerOutcome.ANSWERED, f"{first}\n{below}", (shown,), first))
    return found.right, found.stated_wrong


@pytest.mark.parametrize(
    ("kind", "first", "below"),
    [
        ("fact", "60 mg [1]", "Doses of 2 mg, 6 mg and 60 mg were given."),
        ("count", "90", "Of 90 women 12 were dosed."),
        ("count", "Five women", "Of 90 women twelve were dosed, five of them twice."),
        ("yes_no", "No: the study was stopped.", "All recovered."),
    ],
)
def test_a_wrong_first_line_is_wrong_whatever_stands_below_it(kind: str, first: str, below: str) -> None:
    assert of_first_line(kind, first, below) == (False, True)


@pytest.mark.parametrize(
    ("kind", "first", "below"),
    [
        ("fact", "2 mg (first dose)", "Doses of 2 mg, 6 mg and 60 mg were given."),
        ("fact", "ZK-CL-01: first doses of ZK-701", "2 mg was given first."),
        ("fact", "The doses before 6 mg", "2 mg was given first."),
        ("count", "Found in ZK-CL-01", "Of 90 women twelve were dosed."),
        ("yes_no", "Yes", "All recovered."),
    ],
)
def test_a_first_line_without_a_value_leaves_the_answer_to_what_stands_below(
    kind: str, first: str, below: str
) -> None:
    assert of_first_line(kind, first, below) == (True, False)


def test_a_summary_that_lacks_something_is_not_right_and_wrong_only_in_what_is_refused() -> None:
    asked = AskedQuestion(
        id="s", question="?", kind=QuestionKind.SUMMARY, all=["2 mg", "oral"], reject=["999"]
    )
    lacking, refused = Reply(AnswerOutcome.ANSWERED, "2 mg."), Reply(AnswerOutcome.ANSWERED, "999 mg.")
    assert (judge(asked, lacking).right, judge(asked, lacking).stated_wrong) == (False, False)
    assert judge(asked, refused).stated_wrong


def test_absent_is_right_unless_a_value_is_given() -> None:
    asked = AskedQuestion(id="x", question="?", kind=QuestionKind.ABSENT)
    assert judge(asked, Reply(AnswerOutcome.CLOSEST, "These come closest.")).right
    assert judge(asked, Reply(AnswerOutcome.ANSWERED, "Never given to humans.")).right
    assert judge(asked, Reply(AnswerOutcome.ANSWERED, "5 mg")).made_up


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a", "question": "?", "kind": "riddle"}', "line 1: kind"),
        ('{"id": "a", "question": "?", "kind": "fact", "accept": ["("]}', "line 1: accept"),
        ('{"id": "a", "question": "?", "kind": "fact", "after": "z"}', "after"),
        ("", "holds no question"),
    ],
)
async def test_a_set_that_cannot_be_used_says_where(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "questions.jsonl").write_text(line)
    with pytest.raises(ArchiveNotFound, match=told):
        await evaluate_questions(tmp_path, factory)
