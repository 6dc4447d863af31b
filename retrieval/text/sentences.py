"""Where sentences end in pharmaceutical prose, whose abbreviations, decimals and codes are full of stops."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from retrieval.text.dates import ROMAN_MONTH
from retrieval.text.listed import words

STOP = re.compile(r"(?:[.!?…]+|(?<=[.!?])\[\d[\d,–-]*\])[\"'”’»)\]*_]*(?=\s)|[。！？]")
WORD = re.compile(r"[^\s(\[\"'“‘«*_]*\Z")
NEXT = re.compile(r"[\s\"'“‘«(\[*_¿¡]*([^\s]*)")
ENUMERATOR = re.compile(r"[\s(\[*_]*(?:[IVXLivxl]{1,5}|\d{1,3}(?:\.\d{1,3})*|[A-Za-z])\.")
NUMBERED = re.compile(
    r"[\s(\[*_]*(?:[a-z-]+[- ])?(?:table|tab\.|figure|fig\.|tabelle|tableau|appendix|annex|listing)\s+"
    r"(?:[A-Z]{1,2}[-.]?)?[\dIVX][\w.-]*\.",
    re.IGNORECASE,
)
"""The name and number with which a caption begins."""
RUN_IN = re.compile(r"(\*\*|__)[^*_]{1,80}(?:\.\1|\1\.)")
"""A heading in the line that it heads: "**Efficacy.** The drug did not differ from placebo."."""
LABEL = re.compile(r"[A-Z][\w /()&-]{1,40}:(?:\s|$)")
ROMAN_DATE = re.compile(rf"\b\d{{1,2}}{ROMAN_MONTH}\d{{4}}\b")
LONGEST_DATE = len("14. VIII. 2023")
_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NEVER_LAST = words(_FILE["never_last"])
"""Abbreviations that something always follows."""
BEFORE_NUMBER = words(_FILE["before_number"])
"""Abbreviations when a number or a single letter follows, words at the end of a sentence otherwise."""
BEFORE_NAME = words(_FILE["before_name"])
"""Abbreviations before a name or number; before a word that begins sentences they end one."""
STARTERS = words(_FILE["starters"])
"""Words that commonly begin a sentence."""


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Offsets of the sentences of `text[start:end]`, in order; together they hold all that is not blank."""
    begin = _skip_blank(text, start, end)
    for stop in STOP.finditer(text, start, end):
        if begin < stop.end() < end and _ends(text, begin, stop, end):
            yield begin, stop.end()
            begin = _skip_blank(text, stop.end(), end)
    last = start + len(text[start:end].rstrip())
    if begin < last:
        yield begin, last


def split_sentences(text: str) -> list[str]:
    """The sentences of a text whose lines end where their writer ended them: prose, rows and items."""
    return [line[start:end] for line in text.split("\n") for start, end in sentences(line, 0, len(line))]


def line_groups(text: str, spans: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """Parts of a paragraph that hard line breaks separate: address blocks, `Label: value` lines, `  ` ends.

    A line without words, as between the paragraphs of a quoted mail, parts too. Other line breaks are those
    of wrapped prose and mean nothing.
    """
    width = max(end - start for start, end in spans)
    group: list[tuple[int, int]] = []
    for span in spans:
        blank = not text[slice(*span)].strip()
        if group and (blank or _hard_break(text, group[-1], span, width)):
            yield group[0][0], group[-1][1]
            group = []
        group += [] if blank else [span]
    if group:
        yield group[0][0], group[-1][1]


def _hard_break(text: str, above: tuple[int, int], below: tuple[int, int], width: int) -> bool:
    """Whether a line ends because its writer ended it, not because it was full."""
    if text.startswith(("  ", "\\"), above[1]) or LABEL.match(text, *below):
        return True
    tail, head = text[above[1] - 1], text[below[0]]
    if head.islower() or tail in ",;-–(/":
        return False
    if width < 60:
        return len(text[above[0] : above[1]].split()) <= 8
    word = text[below[0] : below[1]].split(maxsplit=1)[0]
    return above[1] - above[0] + 1 + len(word) < 0.7 * width


def _skip_blank(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _ends(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """Whether the stop at `stop` ends the sentence that began at `begin`."""
    if stop[0][0] in "。！？":
        return True
    following = NEXT.match(text, stop.end(), end)
    after = following[1] if following else ""
    if after[:1].islower() or after[:1] == "|":
        return False
    if not stop[0].startswith("."):
        return True
    if RUN_IN.fullmatch(text, begin, stop.end()) or any(
        opening.fullmatch(text, begin, stop.start() + 1) for opening in (ENUMERATOR, NUMBERED)
    ):
        return False
    near = ROMAN_DATE.search(text, max(begin, stop.start() - LONGEST_DATE), stop.end() + LONGEST_DATE)
    if near and near.start() < stop.start() < near.end():
        return False
    return not _is_abbreviation(text, begin, stop.start(), after)


def _is_abbreviation(text: str, begin: int, stop: int, after: str) -> bool:
    """Whether the stop belongs to the word before it, given the word after it."""
    window = max(begin, stop - 24)
    match = WORD.search(text, window, stop)
    word = match[0] if match else ""
    lower = word.lower()
    starts_sentence = after.lower().rstrip(",.:;") in STARTERS
    if lower in NEVER_LAST:
        return True
    if lower in BEFORE_NUMBER:
        return after[:1].isdigit() or bool(re.fullmatch(r"[A-Z]?\d.*|[A-Z][.,;:)]*|[IVX]+[.,;:)]*", after))
    if lower in BEFORE_NAME:
        return not starts_sentence
    if len(word) == 1 and word.isupper():
        before = text[window : stop - 1].rstrip()
        return before.endswith(":") or not starts_sentence
    return False
