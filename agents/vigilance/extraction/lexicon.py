"""Which preferred term a phrase stands for, learnt from annotated labels."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from agents.vigilance.extraction.values import LabelSection
from agents.vigilance.extraction.words import LIGHT, key_of

Key = tuple[str, ...]
AS_WRITTEN, AS_NAMED = 3, 1
"""How much a mention speaks for a phrase's term, against the term's own name or synonym."""


@dataclass(frozen=True)
class Lexicon:
    """Phrases as stems, each with its preferred term, and the labels that taught it."""

    terms: Mapping[Key, str]
    taught: Mapping[Key, frozenset[str]]

    @cached_property
    def by_first(self) -> Mapping[str, tuple[Key, ...]]:
        """The phrases by their first stem, longest first."""
        found: dict[str, list[Key]] = defaultdict(list)
        for key in sorted(self.terms, key=lambda key: (-len(key), key)):
            found[key[0]].append(key)
        return {stem: tuple(keys) for stem, keys in found.items()}

    @cached_property
    def by_word(self) -> Mapping[str, Mapping[frozenset[str], tuple[str, frozenset[str]]]]:
        """Phrases of two to five telling words, as sets, by the alphabetically first of these.

        Each has its term and the labels that taught it.
        """
        found: dict[str, dict[frozenset[str], tuple[str, frozenset[str]]]] = defaultdict(dict)
        for key, term in self.terms.items():
            told = frozenset(key) - LIGHT
            if 2 <= len(told) <= 5:
                labels = self.taught[key] | found[min(told)].get(told, ("", frozenset()))[1]
                found[min(told)][told] = (term, labels)
        return found

    def has(self, key: Key, apart: str) -> bool:
        """Whether some label other than `apart` taught a phrase; "" counts all."""
        return key in self.terms and bool(self.taught[key] - {apart})


def learn_lexicon(sections: Iterable[LabelSection]) -> Lexicon:
    """The phrases of annotated sections; of a phrase with several terms the most frequent one."""
    votes: dict[Key, Counter[str]] = defaultdict(Counter)
    taught: dict[Key, set[str]] = defaultdict(set)
    for section in sections:
        for one in section.annotated:
            for phrase, weight in (
                (one.mention, AS_WRITTEN),
                (one.term, AS_NAMED),
                (one.synonym, AS_NAMED),
            ):
                if key := key_of(phrase):
                    votes[key][one.term] += weight
                    taught[key].add(section.label)
    terms = {key: _most(counts) for key, counts in votes.items()}
    return Lexicon(terms, {key: frozenset(labels) for key, labels in taught.items()})


def _most(counts: Counter[str]) -> str:
    """The most frequent; of equals the first in the alphabet."""
    return min(counts, key=lambda name: (-counts[name], name))
