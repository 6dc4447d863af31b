"""Compares each new record with the evidence so far: other numbers for the same thing, or the opposite said.

The check is one of words and units, the same each time. It misses what is put in other words, and its remark
says that both pieces should be read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.evidence.values import Evidence
from agents.minds.hooks.hook import Hook
from agents.minds.work import Work
from agents.text.numbers import parse_numbers
from agents.text.polarity import OPPOSITE_STEMS, opposed
from agents.text.quantities import parse_quantities
from agents.text.words import content_words
from retrieval.text.sentences import split_sentences

ALIKE = 0.8
"""Share of the words of two sentences that must be common to compare them."""
FEWEST_WORDS = 3
MOST_REMARKS = 5
LONGEST_QUOTE = 160

_PLACE = re.compile(
    r"\b(?i:(?:stud(?:y|ies)|trials?|protocols?|groups?|cohorts?|arms?|parts?|phases?|cycles?|days?|weeks?|months?"
    r"|visits?|lots?|tables?|sections?|pages?|versions?|years?|at)\s+(?:n(?:umber|o\.?)\s*)?[\w-]*\d[\w.,-]*)"
    r"|\b(?:in|since|until)\s+(?:19|20)\d\d\b"
    r"|\b[A-Z]{1,6}[ -]?\d{2,7}[A-Z]?\b"
)
"""Numbers that say which study, time or dose a sentence is about."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence of a piece of evidence, with what is compared of it.

    `about` are numbers that name a study, a time or a dose; `values` are the others, in order, each with its
    dimension.
    """

    key: str
    text: str
    words: frozenset[str]
    about: frozenset[str]
    values: tuple[tuple[str, str], ...]


class Contradictions(Hook):
    """Remarks on records that say something else than those before, or than each other."""

    def during(self, new: Sequence[Evidence], work: Work) -> tuple[str, ...]:
        """At most a few remarks, in the order of the records."""
        fresh = {item.key for item in new}
        before = [s for item in work.memory.current() if item.key not in fresh for s in stated(item)]
        remarks: list[str] = []
        for item in new:
            own = list(stated(item))
            remarks += [remark for one in own for other in before if (remark := contradiction(other, one))]
            before += own
        return tuple(dict.fromkeys(remarks))[:MOST_REMARKS]


def stated(evidence: Evidence) -> Iterator[Stated]:
    """The sentences of a piece of evidence that say enough to be compared."""
    for text in split_sentences(evidence.text):
        words = content_words(text)
        if len(words) >= FEWEST_WORDS:
            about = frozenset(match[0].lower() for match in _PLACE.finditer(text))
            rest = _PLACE.sub(lambda match: " " * len(match[0]), text)
            yield Stated(evidence.key, " ".join(text.split()), words, about, _values(rest))


def contradiction(one: Stated, other: Stated) -> str:
    """What is wrong between two sentences about the same thing; "" if nothing is."""
    if one.about != other.about:
        return ""
    here, there = one.words - OPPOSITE_STEMS, other.words - OPPOSITE_STEMS
    if len(here & there) < ALIKE * max(len(here), len(there)):
        return ""
    if _differ_in_one(one.values, other.values):
        why = "another number for the same"
    elif one.values == other.values and opposed(one.text, other.text):
        why = "the opposite"
    else:
        return ""
    return f"{other.key} states {why} as {one.key}: “{_short(other.text)}” against “{_short(one.text)}”."


def _differ_in_one(one: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...]) -> bool:
    """Whether two sentences state the same kinds of values, and all but one of them are equal."""
    if [dimension for dimension, _ in one] != [dimension for dimension, _ in other]:
        return False
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _values(text: str) -> tuple[tuple[str, str], ...]:
    """Amounts in standard form ("0.5 g" as "500 mg") and bare numbers, in order."""
    quantities = parse_quantities(text)
    found = [(q.start, q.dimension, q.normalised) for q in quantities]
    found += [
        (number.start, "", f"{number.value:g}")
        for number in parse_numbers(text)
        if not any(q.start <= number.start < q.end for q in quantities)
    ]
    return tuple((dimension, value) for _, dimension, value in sorted(found))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE].rsplit(' ', 1)[0]}…"
