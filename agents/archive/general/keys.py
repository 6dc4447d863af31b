"""Keys of a row of a table: the sex, batch, day, dose or time that it is about."""

import re
from collections import defaultdict

from agents.text.quantities import parse_quantities
from agents.text.rows import labels_of
from retrieval.values import Passage

NUMBERED = re.compile(
    r"\b(batch|lot|cohort|group|animal|subject|day|week|month|visit)s?\b[\s:]*(?:no\.?\s*)?"
    r"((?:\w+\s)?(?=[\w-]*\d)[\w-]+(?:(?:,|,? and|,? or)\s?(?=[\w-]*\d)[\w-]+)*)",
    re.IGNORECASE,
)
"""A thing with its numbers: "batch 0423-02", "Days 1 and 28"."""
NUMBER = re.compile(r"[\w-]*\d[\w-]*")
MALE = re.compile(r"\b(?:males?|men|männ\w+)\b|♂|^m$", re.IGNORECASE | re.MULTILINE)
FEMALE = re.compile(r"\b(?:females?|women|weib\w+)\b|♀|^[fw]$", re.IGNORECASE | re.MULTILINE)
UNIT = re.compile(r"\(([^()]+)\)")
TIME_POINT = re.compile(r"\b(?:after|at)\s$|^\s(?:after|post)\b", re.IGNORECASE)
"""Before or behind a span of time, that it is not the length of a study."""

Keys = defaultdict[str, set[str | float]]


def keys_asked(question: str) -> Keys:
    """The sexes, numbered things, doses and times that a question names."""
    asked = named(question)
    for one in parse_quantities(question):
        beside = question[: one.start], question[one.end :]
        if "g" in one.standard_unit or any(map(TIME_POINT.search, beside)):
            asked[one.standard_unit.removesuffix("/day")].add(one.standard_high)
    return asked


def contradicts(asked: Keys, passage: Passage, column: int | None = None, certain: bool = False) -> bool:
    """Whether a passage is about another sex, batch, day, dose or time than asked for; where it must be
    `certain`, or of a row, one that names none is not.
    """
    own = keys_told(passage, column) if asked and (certain or passage.row) else asked
    return any(own[kind].isdisjoint(values) for kind, values in asked.items() if certain or own[kind])


def keys_told(passage: Passage, column: int | None = None) -> Keys:
    """What a passage is about.

    The labels of a row and the head of a cell tell that, or a sentence itself; where they do not, the
    caption, sub-heads and heading above it.
    """
    row, own = passage.row, Keys(set)
    told, over = [("", passage.text)], passage.section[-1:]
    if row:
        told = [*labels_of(row), *([("", row.header[column])] if column is not None else [])]
        over += (row.caption, *row.group)
    for head, cell in told:
        own |= named(f"{UNIT.sub('', head)}\n{cell}")
        for one in parse_quantities(" ".join((cell, *UNIT.findall(head)))):
            own[one.standard_unit.removesuffix("/day")].add(one.standard_high)
    return named("; ".join(over)) | own


def named(text: str) -> Keys:
    """The sexes and numbered things that a text names; a cell may write a sex as one letter."""
    found = Keys(set)
    for kind, numbers in NUMBERED.findall(text):
        found[kind.casefold()].update(NUMBER.findall(numbers.casefold()))
    for sex, words in (("male", MALE), ("female", FEMALE)):
        if words.search(text):
            found["sex"].add(sex)
    return found
