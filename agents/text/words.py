"""The words of a text as stems: those that carry meaning, and all of them."""

import re
import tomllib
from importlib.resources import files

LISTS = tomllib.loads(files("agents.text").joinpath("words.toml").read_text(encoding="utf-8"))
"""Lists of words that a person can edit: function words, words of reporting, negations, opposites."""
NEGATIONS = frozenset(LISTS["negation"].split())
EMPTY_WORDS = NEGATIONS.union(LISTS["function"].split(), LISTS["reporting"].split())
WORD = re.compile(r"[A-Za-zÀ-ÿΑ-ω][A-Za-zÀ-ÿΑ-ω0-9]*(?:'t)?")
_ENDINGS = ["ations", "ation", "ingly", "edly", "ies", "ing", "ions", "ion", "es", "ed", "ly", "s", "e", "y"]


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: no function or reporting words, negations, or numbers."""
    words = {word.lower() for word in WORD.findall(text)}
    return frozenset(map(stem, words - EMPTY_WORDS))


def stems(text: str) -> frozenset[str]:
    """Stems of all words."""
    return frozenset(stem(word.lower()) for word in WORD.findall(text))


def stem(word: str) -> str:
    """A word without its inflection: "doses", "dosed", "dosing" -> "dos".

    Not `retrieval.text.stems`: with Porter's, which join more words, macro-F1 on SciFact falls from 0.390
    to 0.383, since more claims seem to be stated (`python -m tests.bench.entailment`).
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
