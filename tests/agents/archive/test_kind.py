"""How the archive understands messages, and what a thread keeps of its answers."""

from dataclasses import replace

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.kind import KIND
from agents.archive.names import read_names
from agents.archive.understand import Discussed, remember
from agents.kinds import ThreadContext, UserMessage
from agents.runs.records import RunRecord
from retrieval.values import Molecule
from tests.support.archive import KINDS, record_of


def understood(text: str, molecules: tuple[str, ...], earlier: list[RunRecord]) -> Question:
    context = KINDS.context(KIND, "", earlier)
    known = replace(context, remembered=Discussed(molecules) if molecules else None)
    found = KIND.understand(UserMessage(text, "ada"), known)
    assert found is not None
    return found.inputs


def test_a_follow_up_knows_molecules_and_earlier_questions() -> None:
    earlier = [record_of("And in dogs?"), record_of("What is the NOAEL of AB-123 in rats?")]
    question = understood("And in monkeys?", ("AB-123",), earlier)
    assert question == Question(
        "And in monkeys?", ("AB-123",), ("And in dogs?", "What is the NOAEL of AB-123 in rats?"), "ada"
    )


def test_the_molecules_spoken_of_last_come_first() -> None:
    answer = Answer("q", "", (), AnswerOutcome.ANSWERED, molecules=("B", "C"))
    assert remember(answer, Discussed(("A", "B"))).molecules == ("B", "C", "A")
    assert remember(answer, None).molecules == ("B", "C")


def test_the_molecule_of_a_thread_is_that_of_the_last_answer_though_its_question_named_none() -> None:
    answer = Answer("Who signed it?", "", (), AnswerOutcome.ANSWERED, subjects=("C",))
    assert remember(answer, Discussed(("A", "B"))).molecules == ("C", "A", "B")


def test_a_thread_keeps_questions_as_they_were_understood() -> None:
    first = remember(Answer("What was the NOAEL of C in rats?", "", (), AnswerOutcome.ANSWERED), None)
    answer = Answer(
        "and in dogs?", "", (), AnswerOutcome.ANSWERED, understood="What was the NOAEL of C in dogs?"
    )
    kept = remember(answer, first)
    assert kept.asked == ("What was the NOAEL of C in dogs?", "What was the NOAEL of C in rats?")
    assert remember(answer, kept) == kept


@pytest.mark.parametrize("reply", ["AB-123", "ab-123.", "1"])
@pytest.mark.parametrize(
    ("question", "completed"),
    [
        ("What is the NOAEL of AB-132x in rats?", "What is the NOAEL of AB-123 in rats?"),
        ("What is the NOAEL of AB 132 in rats?", "What is the NOAEL of AB-123 in rats?"),
        ("What is the highest dose?", "What is the highest dose (AB-123)?"),
    ],
)
def test_a_choice_completes_the_question_it_was_offered_for(
    reply: str, question: str, completed: str
) -> None:
    back = Answer(
        question, "", (), AnswerOutcome.NOTHING, ask_back="Which molecule?", options=("AB-123", "AB-999")
    )
    asked_again = understood(reply, (), [record_of(question, back)])
    assert asked_again.text == completed


def test_any_other_reply_to_a_question_back_is_a_question_of_its_own() -> None:
    back = Answer("q", "", (), AnswerOutcome.NOTHING, ask_back="Which molecule?", options=("AB-123",))
    assert understood("Leave it. What of CD-7?", (), [record_of("q", back)]).text == (
        "Leave it. What of CD-7?"
    )


def test_words_of_a_digest_name_the_molecule_that_a_reply_is_about() -> None:
    registry = (Molecule("AB-123", ("alphabetin",), 3), Molecule("AB-999", (), 1))
    context: ThreadContext[Question, Discussed] = ThreadContext(subject="alphabetin in the liver")
    found = KIND.understand(UserMessage("And in dogs?", "ada"), context)
    assert found is not None
    names = read_names(found.inputs, registry)
    assert (names.molecules, names.from_thread) == (("AB-123",), True)
