"""Phrases of a text that may be adverse events.

Two ways: a taught phrase as it stands; and the words of one nearby in a sentence, in any order ("hepatic and
renal failure", "elevations of ALT"). A phrase that nobody taught is none: with those F1 was 0.004 higher.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from agents.vigilance.extraction.lexicon import Key, Lexicon
from agents.vigilance.extraction.words import Words

WIDEST = 8
"""So many words may stand between the words of a phrase."""


class How(StrEnum):
    """How a candidate was found."""

    RUN = "run"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible event: words `start` to before `end`; `between` counts foreign words among them."""

    term: str
    key: Key
    start: int
    end: int
    how: How
    between: int = 0


def candidates(words: Words, lexicon: Lexicon, apart: str = "") -> list[Candidate]:
    """All candidates of a text.

    `apart` is a label whose own teaching is left out: learning must see its texts as it sees new ones.
    """
    return [*_runs(words, lexicon, apart), *_gaps(words, lexicon, apart)]


def _runs(words: Words, lexicon: Lexicon, apart: str) -> Iterator[Candidate]:
    """Taught phrases from left to right, the longest first."""
    at = 0
    while at < len(words.stems):
        key = next(
            (
                key
                for key in lexicon.by_first.get(words.stems[at], ())
                if _fits(words, at, key) and lexicon.has(key, apart)
            ),
            None,
        )
        if key:
            yield Candidate(lexicon.terms[key], key, at, at + len(key), How.RUN)
        at += len(key or "x")


def _fits(words: Words, at: int, key: Key) -> bool:
    if at + len(key) > len(words.stems):
        return False
    return all(
        words.stems[at + i] == stem and (i == 0 or words.runs_on(at + i)) for i, stem in enumerate(key)
    )


def _gaps(words: Words, lexicon: Lexicon, apart: str) -> Iterator[Candidate]:
    """Taught phrases whose words stand near one another in a sentence."""
    ends = [*words.sentences[1:], len(words.words)]
    for first, end in zip(words.sentences, ends, strict=True):
        places: dict[str, list[int]] = defaultdict(list)
        for index in range(first, end):
            places[words.stems[index]].append(index)
        for stem in places:
            for told, (term, labels) in lexicon.by_word.get(stem, {}).items():
                if told <= places.keys() and labels - {apart}:
                    start, stop = _nearest(told, places)
                    if stop - start - len(told) <= WIDEST:
                        key = tuple(sorted(told))
                        yield Candidate(term, key, start, stop, How.GAP, stop - start - len(told))


def _nearest(told: frozenset[str], places: dict[str, list[int]]) -> tuple[int, int]:
    """The narrowest stretch around an occurrence of the rarest word that has all of them."""
    rarest = min(sorted(told), key=lambda stem: len(places[stem]))
    found = []
    for anchor in places[rarest]:
        near = [min(places[stem], key=lambda index: abs(index - anchor)) for stem in told]
        found.append((min(near), max(near) + 1))
    return min(found, key=lambda one: (one[1] - one[0], one[0]))
