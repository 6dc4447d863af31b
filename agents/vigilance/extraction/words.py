"""A label's text as words with their stems, so that spellings, plurals and line breaks do not matter."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from agents.databases.spelling import american
from retrieval.text.stems import stem

WORD = re.compile(r"[a-z0-9]+")
LISTS = {
    name: frozenset(words.split())
    for name, words in tomllib.loads((files(__package__) / "words.toml").read_text("utf-8")).items()
}
LIGHT = LISTS["light"]
"""Words that do not tell one event from another."""
_STOPS = ".;:()[]*•"
_FULL_STOP = re.compile(r"[.;]|\n\s*\n|[*•]")


@lru_cache(maxsize=100_000)
def word_stem(word: str) -> str:
    """The stem of a word in small letters; British and American spellings have the same."""
    return stem(american(word))


@lru_cache(maxsize=100_000)
def key_of(phrase: str) -> tuple[str, ...]:
    """The stems of a phrase in their order."""
    return tuple(word_stem(word) for word in WORD.findall(phrase.lower()))


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in small letters, with the places of each.

    `breaks` has what stands before each word (punctuation, line breaks, " " of more than one space), ""
    for a single space or a hyphen. `sentences` are the indices at which a sentence, an item of a list or a
    paragraph begins.
    """

    text: str
    words: Sequence[str]
    stems: Sequence[str]
    starts: Sequence[int]
    breaks: Sequence[str]
    sentences: Sequence[int]

    def sentence_of(self, index: int) -> tuple[int, int]:
        """The first word of the sentence around a word, and the first word after it."""
        at = bisect_right(self.sentences, index)
        end = self.sentences[at] if at < len(self.sentences) else len(self.words)
        return self.sentences[at - 1], end

    def span(self, start: int, end: int) -> str:
        """The text of the words from `start` to before `end`, verbatim."""
        return self.text[self.starts[start] : self.starts[end - 1] + len(self.words[end - 1])]

    def runs_on(self, index: int) -> bool:
        """Whether a word can go on with what is before it: no full stop or bracket parts them."""
        return not any(mark in self.breaks[index] for mark in _STOPS)


def words_of(text: str) -> Words:
    """The words of a text."""
    words: list[str] = []
    starts: list[int] = []
    breaks: list[str] = []
    sentences = [0]
    before = 0
    for found in WORD.finditer(text.lower()):
        between = text[before : found.start()]
        if words and _FULL_STOP.search(between):
            sentences.append(len(words))
        breaks.append(_break(between))
        words.append(found.group())
        starts.append(found.start())
        before = found.end()
    return Words(text, words, [word_stem(word) for word in words], starts, breaks, sentences)


def _break(between: str) -> str:
    marks = "".join(char for char in between if char not in " \t-'’\n")
    if "\n" in between:
        return f"{marks}\n"
    return marks or (" " if len(between) > 1 and between.isspace() else "")
