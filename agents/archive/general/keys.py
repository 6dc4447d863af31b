"""Keys of a row of a table: the sex, batch, day, dose or time that it is about."""

import re
from collections import defaultdict

from agents.text.quantities import parse_quantities
from agents.text.rows import label_places, spelled
from retrieval.values import Passage

NUMBERED = re.compile(
    r"\b(batch|lot|cohort|group|animal|subject|day|week|month|visit)s?\b[\s:]*(?:no\.?\s*)?"
    r"((?:(?:,|,? and|,? or)?\s?(?:\w+\s)?(?=[\w-]*\d)[\w-]+)+)",
    re.IGNORECASE,
)
"""A thing with its numbers: "batch 0423-02", "Days 1 and 28"."""
NUMBER = re.compile(r"[\w-]*\d[\w-]*")
MALE = re.compile(r"\b(?:males?|men|männ\w+)\b|♂|^m$", re.IGNORECASE | re.MULTILINE)
FEMALE = re.compile(r"\b(?:females?|women|weib\w+)\b|♀|^[fw]$", re.IGNORECASE | re.MULTILINE)
UNIT = re.compile(r"\(([^()]+)\)")
TIME_POINT = re.compile(r"\b(?:after|at)\s$", re.IGNORECASE)
"""Before a span of time, that it is not the length of a study."""

Keys = defaultdict[str, set[str | float]]


def keys_asked(question: str) -> Keys:
    """The sexes, numbered things, doses and times that a question names."""
    asked = named(question)
    for one in parse_quantities(question):
        if "g" in one.standard_unit or TIME_POINT.search(question[: one.start]):
            asked[one.standard_unit.removesuffix("/day")].add(one.standard_high)
    return asked


def contradicts(asked: Keys, passage: Passage) -> bool:
    """Whether a row is about another sex, batch, day, dose or time than asked for.

    Its labels tell that, and where they do not, the caption, sub-heads and heading above it.
    """
    row = passage.row
    if row is None or not asked:
        return False
    own = Keys(set)
    for place in label_places(row):
        head, cell = spelled(row.header[place]), row.cells[place]
        own |= named(f"{UNIT.sub('', head)}\n{cell}")
        for one in parse_quantities(" ".join((cell, *UNIT.findall(head)))):
            own[one.standard_unit.removesuffix("/day")].add(one.standard_high)
    own = named("; ".join((*passage.section[-1:], row.caption, *row.group))) | own
    return any(own[kind].isdisjoint(values) for kind, values in asked.items() if own[kind])


def named(text: str) -> Keys:
    """The sexes and numbered things that a text names; a cell may write a sex as one letter."""
    found = Keys(set)
    for kind, numbers in NUMBERED.findall(text):
        found[kind.casefold()].update(NUMBER.findall(numbers.casefold()))
    for sex, words in (("male", MALE), ("female", FEMALE)):
        if words.search(text):
            found["sex"].add(sex)
    return found
