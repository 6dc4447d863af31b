"""Adverse events found in label sections, against those that experts marked.

The unit is a label with a preferred term, of events in people. Nothing is learnt from a label that is scored:
labels are dealt into folds, and each fold is read with what the others taught.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agents.vigilance.extraction.candidates import How, candidates
from agents.vigilance.extraction.model import LearntExtraction, learn
from agents.vigilance.extraction.rule import by_rule
from agents.vigilance.extraction.values import LabelSection
from agents.vigilance.extraction.words import words_of

FOLDS = 5
SEED = 0
ALL = "all sections"
Found = Callable[[LabelSection], frozenset[str]]
Pair = tuple[str, str, str]
"""A label, a section's name and a preferred term in small letters."""


@dataclass(frozen=True, slots=True)
class Micro:
    """Counts of pairs: found and marked, found, marked."""

    right: int
    found: int
    marked: int

    @property
    def precision(self) -> float | None:
        """The share of what was found that is marked; None if nothing was found."""
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """The share of what is marked that was found; None if nothing is marked."""
        return self.right / self.marked if self.marked else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        return 2 * self.right / (self.found + self.marked) if self.found + self.marked else None

    def as_fields(self) -> dict[str, float | int | None]:
        """Counts and shares by name."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        rounded = {name: None if one is None else round(one, 4) for name, one in shares.items()}
        return {**rounded, **asdict(self)}


@dataclass(frozen=True, slots=True)
class ExtractionScores:
    """The figures of each way to extract, over all sections and by section; `learnt` is the product's."""

    labels: int
    folds: int
    by_way: dict[str, dict[str, Micro]]

    def as_fields(self) -> dict[str, Any]:
        """Everything by name; the product's figures at the top."""
        ways = {
            way: {part: micro.as_fields() for part, micro in parts.items()}
            for way, parts in self.by_way.items()
        }
        return {
            "level": "preferred term",
            "unit": "label and term, type human",
            "labels": self.labels,
            "folds": self.folds,
            **ways["learnt"][ALL],
            "by_section": {part: one for part, one in ways["learnt"].items() if part != ALL},
            "baselines": {way: parts for way, parts in ways.items() if way != "learnt"},
        }


def evaluate_extraction(
    sections: Sequence[LabelSection], taught: Sequence[LabelSection] = ()
) -> ExtractionScores:
    """Score extraction on annotated sections.

    `taught` are sections to learn from instead of folds; labels that are also in them are not scored.

    Raises:
        WrongFile: if there are too few annotated labels to learn from.
    """
    found: dict[str, set[Pair]] = {"learnt": set(), "lexicon alone": set(), "generic rule": set()}
    scored: list[LabelSection] = []
    for teaching, asked in _splits(sections, taught):
        learnt = learn(teaching, "")
        ways: dict[str, Found] = {
            "learnt": _by(learnt),
            "lexicon alone": _by_lexicon(learnt),
            "generic rule": _by_rule,
        }
        for way, find in ways.items():
            found[way] |= {pair for one in asked for pair in _pairs(one, find(one))}
        scored.extend(asked)
    marked = {pair for one in scored for pair in _pairs(one, one.gold)}
    by_way = {way: _figures(pairs, marked) for way, pairs in found.items()}
    return ExtractionScores(len({one.label for one in scored}), 0 if taught else FOLDS, by_way)


def _splits(
    sections: Sequence[LabelSection], taught: Sequence[LabelSection]
) -> Iterable[tuple[Sequence[LabelSection], Sequence[LabelSection]]]:
    if taught:
        known = {one.label for one in taught}
        yield taught, [one for one in sections if one.label not in known]
        return
    labels = sorted({one.label for one in sections})
    random.Random(SEED).shuffle(labels)
    for fold in range(FOLDS):
        out = set(labels[fold::FOLDS])
        yield (
            [one for one in sections if one.label not in out],
            [one for one in sections if one.label in out],
        )


def _by(learnt: LearntExtraction) -> Found:
    return lambda one: frozenset(event.term for event in learnt.events(one.text, one.name))


def _by_rule(one: LabelSection) -> frozenset[str]:
    return frozenset(event.term for event in by_rule(one.text, one.name))


def _by_lexicon(learnt: LearntExtraction) -> Found:
    return lambda one: frozenset(
        found.term for found in candidates(words_of(one.text), learnt.lexicon) if found.how is How.RUN
    )


def _pairs(section: LabelSection, terms: Iterable[str]) -> set[Pair]:
    return {(section.label, section.name, term.lower()) for term in terms}


def _figures(found: set[Pair], marked: set[Pair]) -> dict[str, Micro]:
    parts = {ALL: _micro({(one[0], one[2]) for one in found}, {(one[0], one[2]) for one in marked})}
    for name in sorted({one[1] for one in marked | found}):
        mine, theirs = ({one for one in pairs if one[1] == name} for pairs in (found, marked))
        parts[name] = _micro(mine, theirs)
    return parts


def _micro(found: set[Any], marked: set[Any]) -> Micro:
    return Micro(len(found & marked), len(found), len(marked))
