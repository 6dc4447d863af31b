"""A message as a question to the archive, and what its thread keeps of the answer."""

import re
from dataclasses import dataclass, replace

from rapidfuzz import fuzz, process

from agents.archive.answer import Answer, Question
from agents.kinds import ThreadContext, Understood, UserMessage, chosen

MOLECULES_KEPT = 5
QUESTIONS_KEPT = 5
_CLOSE = 60
"""Likeness, of at most 100, from which words of the earlier question are taken for the name asked about."""


@dataclass(frozen=True, slots=True)
class Discussed:
    """What a thread keeps of the archive: the molecules being discussed, latest first, the questions as they
    were understood, latest first, and the document that the last answer stood in.
    """

    molecules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    document: str = ""


def understand(message: UserMessage, thread: ThreadContext[Question, Discussed]) -> Understood[Question]:
    """Any text is a question, with what its thread knows.

    A reply that picks one of the choices offered last asks the earlier question again, with the choice in it.
    """
    kept = thread.remembered or Discussed()
    if thread.subject and not kept.molecules:
        kept = replace(kept, molecules=(thread.subject,))
    previous = kept.asked or tuple(question.text for question in thread.earlier[:QUESTIONS_KEPT])
    choice = chosen(message.text, thread.last.options) if thread.last else ""
    if not choice:
        return Understood(Question(message.text, kept.molecules, previous, message.user, kept.document))
    return Understood(
        Question(with_choice(previous[0], choice), kept.molecules, previous[1:], message.user, kept.document)
    )


def with_choice(question: str, choice: str) -> str:
    """The question with the name most like the choice replaced by it, or with the choice added."""
    words = [found.span() for found in re.finditer(r"[\w-]+", question)]
    length = len(choice.split())
    spans = [
        (words[first][0], words[first + count - 1][1])
        for count in {1, length, length + 1}
        for first in range(len(words) - count + 1)
    ]

    written = {span: question[slice(*span)].casefold() for span in spans}
    near = process.extractOne(choice.casefold(), written, scorer=fuzz.ratio, score_cutoff=_CLOSE)
    if near is None:
        return f"{question.rstrip('?. ')} ({choice})?"
    start, end = near[2]
    return question[:start] + choice + question[end:]


def remember(answer: Answer, before: Discussed | None) -> Discussed:
    """The molecules under discussion once this answer was given, and what it answered."""
    kept = before or Discussed()
    molecules = dict.fromkeys((*(answer.molecules or answer.subjects), *kept.molecules))
    asked = dict.fromkeys((answer.understood or answer.question, *kept.asked))
    document = answer.citations[0].doc_id if answer.citations else ""
    return Discussed(tuple(molecules)[:MOLECULES_KEPT], tuple(asked)[:QUESTIONS_KEPT], document)
