"""Where a passage mentions an outcome: by its terms in any spelling and order, sentence by sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.databases.spelling import american
from agents.vigilance.extraction.words import LIGHT, WORD, Words, key_of, word_stem, words_of
from agents.vigilance.outcomes import known_outcomes
from agents.vigilance.reading.wording import same_words
from agents.vigilance.values import Outcome
from retrieval.text.sentences import sentences

OWN, NARROWER = 1.0, 0.5
"""How much a mention of the outcome itself counts, and one of a form or sign of it."""
BETWEEN = 3
"""So many foreign words may stand among the words of a term ("hepatic and renal failure")."""
DIFFERENT = 2
"""So many letters at its end a word's form may differ."""
_APART = re.compile(r"\n\s*\n|\n\s*[*•-]\s|<[^>]+>|(?<=;)\s")
"""What parts a text beside the ends of its sentences: paragraphs, items, markup, semicolons."""
LONGEST = 420
"""A longer sentence is cut to what stands around the mention."""
_EDGE = re.compile(r"[,:]\s|\s{2,}|\n")
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an outcome: offsets in the passage, of the mention and of its sentence."""

    start: int
    end: int
    first: int
    last: int
    rank: float


@lru_cache(maxsize=1)
def _same() -> dict[str, str]:
    return {word_stem(word): word_stem(group[0]) for group in same_words() for word in group}


def canonical(stem: str) -> str:
    """One stem for words that stand for one another ("kidney" -> "renal")."""
    return _same().get(stem, stem)


@lru_cache(maxsize=512)
def _terms(outcome: Outcome) -> tuple[tuple[tuple[str, ...], float], ...]:
    """The outcome's terms as canonical stems, with their rank; the longest first."""
    ranked = [(term, OWN) for term in (outcome.name, *outcome.terms)]
    ranked += [(term, NARROWER) for term in outcome.narrower]
    found: dict[tuple[str, ...], float] = {}
    for term, rank in ranked:
        if key := tuple(canonical(stem) for stem in key_of(term) if stem not in LIGHT):
            found.setdefault(key, rank)
    return tuple(sorted(found.items(), key=lambda one: (-len(one[0]), -one[1], one[0])))


@lru_cache(maxsize=512)
def _other_outcomes(outcome: Outcome) -> tuple[tuple[str, ...], ...]:
    """Terms of other outcomes that hold one of this outcome's: "respiratory depression" is no depression.

    A list ("death, recurrent myocardial infarction") names each of its outcomes.
    """
    own = {key for key, _ in _terms(outcome)}
    found = set()
    for other in known_outcomes().values():
        for key, _ in _terms(Outcome(other.name, tuple(one for one in other.terms if "," not in one))):
            if key not in own and any(len(key) > len(mine) and set(mine) <= set(key) for mine in own):
                found.add(key)
    return tuple(sorted(found))


def mentions(text: str, outcome: Outcome) -> Iterator[Mention]:
    """Every mention, sentence by sentence; where two overlap, the one that counts more."""
    for first, last in stretches_of(text):
        words, stems = _stemmed(text[first:last])
        taken: set[int] = set()
        there = set(stems)
        for key in _other_outcomes(outcome):
            if there.issuperset(key):
                taken |= {at for start, end in _places(stems, key) for at in range(start, end)}
        for key, rank in _terms(outcome):
            if not there.issuperset(key):
                continue
            for start, end in _places(stems, key):
                alike = end - start > 1 or _alike(words.words[start], outcome)
                if alike and not taken & set(range(start, end)):
                    taken |= set(range(start, end))
                    at, to = words.starts[start], words.starts[end - 1] + len(words.words[end - 1])
                    yield Mention(first + at, first + to, first, last, rank)


@lru_cache(maxsize=16_384)
def _stemmed(sentence: str) -> tuple[Words, tuple[str, ...]]:
    """The words of a sentence and their stems: a table of outcomes reads each sentence again and again."""
    words = words_of(sentence)
    return words, tuple(canonical(stem) for stem in words.stems)


@lru_cache(maxsize=4096)
def _alike(word: str, outcome: Outcome) -> bool:
    """Whether a word is a form of a term of one word.

    The same stem is not enough: "depending" is no form of "dependence", nor is "liver" of "hepatitis".
    """
    single = [term for term in (outcome.name, *outcome.terms, *outcome.narrower) if " " not in term]
    parts = [part for term in single for part in WORD.findall(american(term))]
    return any(american(word)[: len(part) - DIFFERENT] == part[: len(part) - DIFFERENT] for part in parts)


def _places(stems: Sequence[str], key: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where the words of a term stand: as they are, or all within a few words in any order."""
    size = len(key)
    for at, stem in enumerate(stems):
        if stem == key[0] and tuple(stems[at : at + size]) == key:
            yield at, at + size
        elif size > 1 and stem in key:
            window = stems[at : at + size + BETWEEN]
            if all(part in window for part in key):
                places = [window.index(part) for part in key]
                if min(places) == 0:
                    yield at, at + max(places) + 1


@lru_cache(maxsize=4096)
def stretches_of(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences, rows and items of a text as offsets; markup parts them."""
    edges = [0, *(edge for mark in _APART.finditer(text) for edge in mark.span()), len(text)]
    parts = zip(edges[::2], edges[1::2], strict=True)
    return tuple(span for start, end in parts for span in sentences(text, start, end))


def quote_of(text: str, mention: Mention) -> str:
    """The sentence of a mention, verbatim; of a long one what stands around the mention, in whole words."""
    if mention.last - mention.first <= LONGEST:
        return text[mention.first : mention.last]
    first = max(mention.first, mention.start - LONGEST // 2)
    last = min(mention.last, mention.end + LONGEST // 2)
    if first > mention.first:
        edge = _EDGE.search(text, first, mention.start) or _BLANK.search(text, first - 1, mention.start)
        first = edge.end() if edge else mention.start
    if last < mention.last:
        edges = list(_EDGE.finditer(text, mention.end, last)) or list(
            _BLANK.finditer(text, mention.end, last + 1)
        )
        last = edges[-1].start() if edges else mention.end
    return text[first:last].strip()
