"""A set of natural questions over a folder of documents, and how an answer to one of them is judged.

The folder holds `docs/` and `questions.jsonl`, an `AskedQuestion` a line. Regular expressions decide on the
text of an answer; a quote decides whether its first passages show what was asked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from re import Pattern

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.archive.answer import Answer, AnswerOutcome
from agents.archive.evaluate.scoring import SAYS_NO, normal
from agents.text.numbers import COUNTING_WORDS
from retrieval.errors import ArchiveNotFound

QUESTIONS = "questions.jsonl"
SHOWN_FIRST = 3
"""Passages in which a reader is expected to look."""
MARKS = re.compile(r"(?:\[\d+\])+")
MARKUP = re.compile(r"[\W_]+")
TAG = re.compile(r"</?[a-z][^<>]*>")
NAME = re.compile(r"(?<![\w.-])(?=[a-z])[\w./-]*\d[\w./-]*")
"""A code, or the name of a document or trial, of which a digit is a part."""
VALUE = re.compile(rf"\d+(?:[.,]\d+)*|\b(?:{COUNTING_WORDS}|none|zero)\b", re.IGNORECASE)
YES_OR_NO = re.compile(r"\W*(?:yes|no)\b(?P<more>.*)", re.DOTALL)


class QuestionKind(StrEnum):
    """What a natural question asks for, or how it is put."""

    FACT = "fact"
    YES_NO = "yes_no"
    COUNT = "count"
    LIST = "list"
    SEVERAL = "several"
    SUMMARY = "summary"
    FOLLOW_UP = "follow_up"
    TYPO = "typo"
    WRONG_PREMISE = "wrong_premise"
    ABSENT = "absent"


BY_FIRST_LINE = (QuestionKind.FACT, QuestionKind.COUNT, QuestionKind.YES_NO)
"""Kinds of which the first line is the answer, and is judged by itself."""


class AskedQuestion(BaseModel):
    """A line of `questions.jsonl`.

    `after` is the id of the question before it in the same thread. An answer is right if any of `accept` and
    each of `all` is found in it, and none of `reject`. `quotes` are passages of the documents that answer.
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    kind: QuestionKind
    after: str = ""
    accept: tuple[Pattern[str], ...] = ()
    all: tuple[Pattern[str], ...] = ()
    reject: tuple[Pattern[str], ...] = ()
    quotes: tuple[str, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it is judged: its text, its cited passages in order, and its first line by itself."""

    outcome: AnswerOutcome
    text: str
    passages: tuple[str, ...] = ()
    first: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """How a reply compares with what was expected.

    `shown`: one of the first passages holds an answering quote. `stated_wrong`: the first line of an answer
    to a fact, count or yes or no states a value that is not right, whatever stands below it; or a value is
    given that is not right, and no passage shows the right one. A summary gives many values, so only what its
    question refuses is wrong in it, and one that lacks something is not right. `nothing`: said to be absent
    although it is there. `made_up`: a value is given to a question that the documents do not answer.
    """

    right: bool
    shown: bool = False
    stated_wrong: bool = False
    nothing: bool = False
    made_up: bool = False

    @property
    def helped(self) -> bool:
        """Whether the reader has the answer before the eyes."""
        return self.right or self.shown


def read_questions(folder: Path) -> tuple[AskedQuestion, ...]:
    """The questions of a folder, in order. Raises `ArchiveNotFound` for a folder that is no such set."""
    path = folder / QUESTIONS
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ArchiveNotFound(f"{folder} is no set of questions: {path} cannot be read. {error}") from error
    asked = [read_line(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    known: set[str] = set()
    for question in asked:
        if question.id in known or (question.after and question.after not in known):
            raise ArchiveNotFound(
                f"{path}: {question.id}: give each question an id of its own, and put it below `after`."
            )
        known.add(question.id)
    if not asked:
        raise ArchiveNotFound(f"{path} holds no question: write at least one line.")
    return tuple(asked)


def read_line(path: Path, number: int, line: str) -> AskedQuestion:
    """One question. Raises `ArchiveNotFound`, with the line and what is wrong in it."""
    try:
        return AskedQuestion.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ArchiveNotFound(f"{path}, line {number}: {where}: {fault['msg']}. Correct the line.") from error


def reply_of(answer: Answer) -> Reply:
    """An answer of the pipeline as it is judged: first line, text, tables, and the passages it cites."""
    tables = " ".join(
        " ".join((table.title, *table.columns, *(cell.text for row in table.rows for cell in row)))
        for table in answer.tables
    )
    text = MARKS.sub(" ", f"{answer.short}\n{answer.text}\n{tables}")
    quotes = tuple(citation.quote for citation in answer.citations)
    return Reply(answer.outcome, text, quotes, MARKS.sub(" ", answer.short))


def judge(question: AskedQuestion, reply: Reply) -> Judged:
    """Compare a reply with what its question expects."""
    text = normal(reply.text)
    stated = reply.outcome is AnswerOutcome.ANSWERED
    if question.kind is QuestionKind.ABSENT:
        made_up = stated and not (SAYS_NO.search(text) or (question.accept and matches(question, text)))
        return Judged(not made_up, made_up=made_up)
    misled = stated and misleads(question, normal(reply.first))
    right = stated and matches(question, text) and not misled
    lists = question.kind is QuestionKind.SUMMARY
    shown = shows(reply.passages[:SHOWN_FIRST], question.quotes)
    return Judged(
        right,
        shown,
        stated_wrong=misled
        or (stated and not right and not shown and (not lists or refused(question, text))),
        nothing=reply.outcome is AnswerOutcome.NOTHING,
    )


def misleads(question: AskedQuestion, first: str) -> bool:
    """Whether a normalised first line states a value by itself, and not one that is expected.

    A title or a line that only leads to the passages states none.
    """
    if question.kind not in BY_FIRST_LINE or not states_value(question, first):
        return False
    expected = (*question.accept, *question.all)
    return refused(question, first) or (bool(expected) and not any(says(first, one) for one in expected))


def states_value(question: AskedQuestion, first: str) -> bool:
    """Whether a normalised first line states a number that its question does not name, or says yes or no.

    A bare "Yes" is explained by the sentence below it, which is judged with the whole text.
    """
    decided = YES_OR_NO.match(first)
    if question.kind is QuestionKind.YES_NO and decided:
        return bool(decided["more"].strip(" .,:;"))
    asked = set(VALUE.findall(NAME.sub(" ", normal(question.question))))
    return not asked.issuperset(VALUE.findall(NAME.sub(" ", first)))


def matches(question: AskedQuestion, text: str) -> bool:
    """Whether a normalised text says what is expected, and nothing that is refused."""
    accepted = not question.accept or any(says(text, one) for one in question.accept)
    return accepted and all(says(text, one) for one in question.all) and not refused(question, text)


def refused(question: AskedQuestion, text: str) -> bool:
    """Whether a normalised text says what the question refuses."""
    return any(says(text, one) for one in question.reject)


def says(text: str, pattern: Pattern[str]) -> bool:
    """Whether a pattern occurs in a text, in either case."""
    return re.search(pattern.pattern, text, re.IGNORECASE) is not None


def shows(passages: Iterable[str], quotes: Iterable[str]) -> bool:
    """Whether a quote lies within the passages; white space, case and markup do not count."""
    shown = [bare(passage) for passage in passages]
    return any(
        bare(quote) in passage for quote in quotes if bare(quote) for passage in (*shown, "".join(shown))
    )


def bare(text: str) -> str:
    """Letters and digits only, in lower case, without tags of HTML."""
    return MARKUP.sub("", TAG.sub(" ", normal(text)))
