"""What follow-ups know of their thread."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from agents.archive.answer import Answer, Question
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord
from bot.threads import molecules_after, question_in_thread


def asked(text: str, answer: Answer | None = None) -> RunRecord:
    result = TypeAdapter(Answer).dump_json(answer).decode() if answer else ""
    return replace(new_run("archive", Question(text)), result=result)


def test_a_follow_up_knows_molecules_and_earlier_questions() -> None:
    earlier = [asked("And in dogs?"), asked("What is the NOAEL of AB-123 in rats?")]
    question = question_in_thread("And in monkeys?", "ada", ("AB-123",), earlier)
    assert question == Question(
        "And in monkeys?", ("AB-123",), ("And in dogs?", "What is the NOAEL of AB-123 in rats?"), "ada"
    )


def test_the_molecules_spoken_of_last_come_first() -> None:
    answer = Answer("q", "", "", True, molecules=("B", "C"))
    assert molecules_after(answer, ("A", "B")) == ("B", "C", "A")


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
    back = Answer(question, "", "", False, ask_back="Which molecule?", options=("AB-123", "AB-999"))
    asked_again = question_in_thread(reply, "ada", (), [asked(question, back)])
    assert asked_again.text == completed


def test_any_other_reply_to_a_question_back_is_a_question_of_its_own() -> None:
    back = Answer("q", "", "", False, ask_back="Which molecule?", options=("AB-123",))
    assert question_in_thread("Leave it. What of CD-7?", "ada", (), [asked("q", back)]).text == (
        "Leave it. What of CD-7?"
    )
