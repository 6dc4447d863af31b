"""Words as questions and reports share them: stems, words that say nothing, and words that say the same."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from agents.text.words import stem
from retrieval.molecules.codes import is_measure

WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
LONE_LETTER = re.compile(r"[a-z]")
NUMBER_SIGN = re.compile(r"\bNos?\.(?=\W|\d)|\bNo(?=\s*[:#])")
CASE_CHANGE = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
SPANS = (
    (re.compile(r"(?<=\d)[ -]?(?:wks?|w)\b|\b[Ww]ks?\b\.?"), " week"),
    (re.compile(r"(?<=\d)[ -]?d\b"), " day"),
    (re.compile(r"(?<=\d)[ -]?(?:hrs?|h)\b"), " hour"),
    (re.compile(r"(?<=\d)[ -]?(?:mths?|mo)\b"), " month"),
    (re.compile(r"(?<=\d)[ -]?yrs?\b"), " year"),
)
"""Short forms of times, as in "26w" and "4 wk"."""
VOCABULARY = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
STOPWORDS = frozenset(VOCABULARY["stopwords"].split())

MEASURES = tuple(tuple(line.split()) for line in VOCABULARY["measures"].splitlines() if line)
"""The names of each measure, such as half-life and t1/2."""


MEASURE_NAMES = {name.casefold(): names[0] for names in MEASURES for name in names}
MEASURE = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, MEASURE_NAMES))})(?![^\W\d_])", re.IGNORECASE)


def names_any(text: str, names: Iterable[str]) -> bool:
    """Whether a text has one of the names, in any case and not within a longer word: "AUC0-24" has AUC."""
    return any(re.search(rf"(?<!\w){re.escape(one)}(?![^\W\d_])", text, re.IGNORECASE) for one in names)


def spelled_times(text: str) -> str:
    """The text with weeks, days, hours, months and years in full."""
    for short, full in SPANS:
        text = short.sub(full, text)
    return text


def measures_named(text: str) -> str:
    """The text with each measure under the first of its names."""
    return MEASURE.sub(lambda found: MEASURE_NAMES[found[0].casefold()], text)


def stems(text: str) -> list[str]:
    """Stems of all words in order, without those that say nothing. "PointCross" is also two, "AUC0" AUC.

    A measure is read under the first of its names: "t1/2" as half-life.
    """
    found = []
    for written in WORD.findall(NUMBER_SIGN.sub("number", spelled_times(measures_named(text)))):
        parts = CASE_CHANGE.split(written)
        words = [written, *parts] if len(parts) > 1 else [written]
        words += [written.rstrip("0123456789")] if is_measure(written) else ()
        found += [
            stem(word.lower())
            for word in words
            if word.lower() not in STOPWORDS and not LONE_LETTER.fullmatch(word)
        ]
    return found


LIGHT_STEMS = frozenset(stem(word) for word in VOCABULARY["light"].split())
"""Stems of words of questions that say little."""


def interchangeable(lines: str) -> dict[str, frozenset[str]]:
    """For each stem of some groups of words, a group a line, all that may stand for it, itself among them."""
    groups = [frozenset(map(stem, line.split())) for line in lines.splitlines()]
    return {
        word: frozenset[str]().union(*(group for group in groups if word in group))
        for word in frozenset[str]().union(*groups)
    }


ALIKE = interchangeable(VOCABULARY["same"])
"""Stems that mean the same."""
SYNONYMS = interchangeable(VOCABULARY["same"] + VOCABULARY["near"])
"""Stems that may stand for a stem where passages are ranked."""

IN_ENGLISH = {
    word.casefold(): english
    for english, _, foreign in (line.partition(": ") for line in VOCABULARY["foreign"].splitlines())
    for word in foreign.split()
}
"""What words of other languages are in English."""
