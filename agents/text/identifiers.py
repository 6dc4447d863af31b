"""Identifiers and names in a text: study numbers, codes of molecules, animal ids, people and places.

An identifier mixes letters and digits, or joins groups of digits. It is the same identifier in another case
and with other separators: "PX 1001" is "px-1001".
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

_TOKEN = re.compile(r"[^\W_]+(?:[-‐‑–/._()][^\W_]+)*")
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_LONG = re.compile(r"\d{2,}(?:-\d+){2,}|\d{4,}-\d{2,}|\d+-\d{4,}|0\d{2,}/\d{2,4}")
_PLAIN = re.compile(
    r"\d+(?:[.,]\d+)?-[^\W\d_]+(?:-[^\W\d_]+)*|\d+(?:st|nd|rd|th)|(?:[^\W\d_]+-)+\d|\d+[.,]?\d*(?:fold|x)"
    r"|\d+/[^\W\d_]+(?:/[^\W\d_]+)*|\d+/\d+(?:st|nd|rd|th)"
    r"|log(?:2|10)(?:\(.*)?",
    re.IGNORECASE,
)
"""A number joined to a word ("4-arm", "2nd", "co-2", "10/sex/group"), a part ("1/50th"), or a logarithm in a
unit: no identifier.
"""
_ADJECTIVE = re.compile(
    r"-(?:inhibitors?|treated|dosed|mutant|positive|negative|induced|dependent|related|like)\Z"
)
"""What an identifier is joined to as an adjective: "CYP3A4-inhibitor"."""
_SPACED = re.compile(r"(?<![\w-])[A-Z]{2,5}\s\d{1,3}-\d{2,4}(?![\w-]|[.,]\d)")
"""A code with a blank, as in "ABC 12-345"."""
_CURIE = re.compile(r"(?<![\w:])[A-Z][A-Za-z]{1,10}:[A-Z]{0,3}\d{2,}(?!\w)")
"""An id of a database with its prefix, as in "MP:0005377"."""
_HYPHENED = re.compile(
    r"(?<![\w.,-])\d{2,}-\d{2,}(?![\w,-]|\.\d|\s?(?:[mµnkμ]?[gLlM]\b|%|h\b|days?\b|weeks?\b))"
)
_TITLED = re.compile(r"(?<![^\W_])[A-ZÀ-Þ][a-zß-ÿ]{2,}(?:[-'’][A-ZÀ-Þ]?[a-zß-ÿ]+)*")
_NUMBERED = re.compile(r"[A-Z][a-z]+s?\.?\s(?:[IVX]+|\d+|[A-H])[a-z]?(?![\w])")
"""A thing with a number ("Phase II", "Group 3", "Part B") is no name."""
_TITLE = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms|St)\.\s\Z")
_INITIAL = re.compile(r"(?:\A|[:,;(]\s|\b(?:by|and|with|to|from)\s)(?:[A-Z]\.\s?){1,2}\Z")
"""The initial of a name, which ends no sentence: "by P. Roussel"."""
_SENTENCE_ENDS = re.compile(r"(?:^|[.!?:;|•(\[“\"]\s*|\n\s*|[-–—]\s)\Z")


@dataclass(frozen=True, slots=True)
class Word:
    """A name or identifier in a text, with its offsets."""

    start: int
    end: int
    text: str


def parse_identifiers(text: str) -> tuple[Word, ...]:
    """Identifiers of a text in order. Quantities and dates may be among them: the caller knows those."""
    whole = (match for form in (_SPACED, _CURIE) for match in form.finditer(text))
    spaced = [Word(match.start(), match.end(), match[0]) for match in whole]
    inside = {place for word in spaced for place in range(word.start, word.end)}
    bare = ((match.start(), _ADJECTIVE.sub("", match[0])) for match in _TOKEN.finditer(text))
    tokens = (
        Word(start, start + len(token), token)
        for start, token in bare
        if _is_identifier(token) and start not in inside
    )
    return tuple(sorted((*spaced, *tokens), key=lambda word: word.start))


def parse_names(text: str) -> tuple[Word, ...]:
    """Words with a capital inside a sentence. The first word of a sentence has one in any case."""
    return tuple(
        Word(match.start(), match.end(), match[0])
        for match in _TITLED.finditer(text)
        if not _begins(text, match.start())
        and not text[match.end() : match.end() + 1].isalnum()
        and not _NUMBERED.match(text, match.start())
    )


@lru_cache(maxsize=8192)
def pattern(identifier: str) -> re.Pattern[str]:
    """Finds an identifier in a `folded` text, whatever separates its parts."""
    parts = re.findall(r"\d+|[^\W\d_]+", folded(identifier))
    joined = r"[\W_]{0,2}".join(map(re.escape, parts))
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])")


@lru_cache(maxsize=8192)
def written(identifier: str) -> re.Pattern[str]:
    """Finds an identifier in a text as written, not where it begins a longer one ("AB-1" in "AB-1-02")."""
    return re.compile(rf"{pattern(identifier).pattern}(?!-\d)", re.IGNORECASE)


@lru_cache(maxsize=256)
def codes(text: str) -> tuple[str, ...]:
    """Identifiers of a text, and groups of digits with a hyphen that are no range of an amount ("14-226")."""
    found = [word.text for word in parse_identifiers(text)]
    return (*found, *(match[0] for match in _HYPHENED.finditer(text)))


def folded(text: str) -> str:
    """The text in one case and one form of its characters."""
    return normalize("NFKC", text).casefold()


def _is_identifier(token: str) -> bool:
    if _LONG.fullmatch(token):
        return True
    return bool(_MIXED.match(token)) and not _PLAIN.fullmatch(token)


def _begins(text: str, at: int) -> bool:
    before = text[max(0, at - 6) : at]
    if _INITIAL.search(text[max(0, at - 12) : at]):
        return False
    return bool(_SENTENCE_ENDS.search(before)) and not _TITLE.search(before)
