"""What a thread knows: its questions and the molecules discussed, so that follow-ups can be short."""

import difflib
import re
from collections.abc import Sequence

from pydantic import TypeAdapter

from agents.archive.answer import Answer, Question
from agents.runs.records import RunRecord

MOLECULES_KEPT = 5
QUESTIONS_KEPT = 5
_CLOSE = 0.6
"""Similarity over which words of the earlier question are taken for the imperfect name asked about."""

_QUESTION = TypeAdapter(Question)
_ANSWER = TypeAdapter(Answer)


def question_of(record: RunRecord) -> Question:
    """The question a run was started with."""
    return _QUESTION.validate_json(record.inputs)


def answer_of(record: RunRecord) -> Answer | None:
    """The answer a run ended with; None while there is none."""
    return _ANSWER.validate_json(record.result) if record.result else None


def question_in_thread(
    text: str, user: str, molecules: Sequence[str], earlier: Sequence[RunRecord]
) -> Question:
    """A question with what its thread knows. `earlier` are the thread's runs, newest first.

    A reply that picks one of the choices offered last asks the earlier question again, with the choice in it.
    """
    previous = tuple(question_of(record).text for record in earlier[:QUESTIONS_KEPT])
    last = answer_of(earlier[0]) if earlier else None
    choice = _choice(text, last.options) if last else ""
    if not choice:
        return Question(text, tuple(molecules), previous, user)
    return Question(_with_choice(previous[0], choice), tuple(molecules), previous[1:], user)


def molecules_after(answer: Answer, discussed: Sequence[str]) -> tuple[str, ...]:
    """The molecules under discussion once this answer was given, latest first."""
    return tuple(dict.fromkeys((*answer.molecules, *discussed)))[:MOLECULES_KEPT]


def _choice(text: str, options: Sequence[str]) -> str:
    """The option that a reply names, by its number or by its name."""
    reply = text.strip().strip(".!").casefold()
    if reply.isdecimal() and 1 <= int(reply) <= len(options):
        return options[int(reply) - 1]
    return next((option for option in options if option.casefold() == reply), "")


def _with_choice(question: str, choice: str) -> str:
    """The question with the name most like the choice replaced by it, or with the choice added."""
    words = [found.span() for found in re.finditer(r"[\w-]+", question)]
    length = len(choice.split())
    spans = [
        (words[first][0], words[first + count - 1][1])
        for count in {1, length, length + 1}
        for first in range(len(words) - count + 1)
    ]

    def likeness(span: tuple[int, int]) -> float:
        written = question[slice(*span)]
        return difflib.SequenceMatcher(None, written.casefold(), choice.casefold()).ratio()

    best = max(spans, key=likeness, default=(0, 0))
    if likeness(best) < _CLOSE:
        return f"{question.rstrip('?. ')} ({choice})?"
    return question[: best[0]] + choice + question[best[1] :]
