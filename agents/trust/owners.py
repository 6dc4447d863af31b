"""What a value is of: the identifiers of its clause, or the line that says which trial its document is of.

Such a line counts for what stands behind it in the same document, up to the next of its kind. Molecules,
studies and animals own values of a clause; a molecule's target, a quarter of a year and a measure do not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.text.identifiers import Word, folded, parse_identifiers, written
from agents.trust.measures import measure_named

_DOCUMENT_OF = re.compile(
    r"\A[\s#*|]*(?:(?:clinical|non-?clinical|toxicity|toxicology|final|full|interim|internal|study)\s)*"
    r"(?:trial|study|report|protocol)(?:\s(?:no|nr|number|id|code|title))?\b\.?\**\s?[:#|]?\**\s*",
    re.IGNORECASE,
)
"""The beginning of a line that says which trial, study or report its document is of."""
_NAME_ENDS = re.compile(r"\W*\Z|\**\s?(?:[(:|]|[–—-]\s)")
"""What stands behind the name in such a line. In a sentence a verb follows."""
_LABEL_ENDS = re.compile(r"\**\s?[:|]")
"""What stands behind the label of a row."""
_ROLE = re.compile(
    r"(?:\s(?:receptor|selective|inverse|partial|full|channel|kinase))*[\s-](?:(?:ant)?agonis[tm]s?|inhibitors?|inhibition"
    r"|blockers?|modulators?|activators?|degraders?|receptors?(?!\soccupancy)|channels?|genes?|enzymes?|mRNA"
    r"|mutations?)\b",
    re.IGNORECASE,
)
"""Behind the name of a target."""
_ROLE_OF = re.compile(
    r"\b(?:antagonist|agonist|inhibitor|blocker|modulator|activator|degrader|inhibition|blockade)s?\s(?:of|at)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
"""Before the name of a target."""
_NO_OWNER = re.compile(r"Q[1-4]|[EIGCTL][CDI]\d0")
"""A quarter, and measures such as TC50 and LD50."""


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A line of a cited passage: its document, where it begins there, and its words."""

    doc_id: str
    start: int
    text: str


def lines_of(doc_id: str, start: int, text: str) -> tuple[CitedLine, ...]:
    """The lines of a passage that begins at `start`; none that is empty."""
    found, at = [], start
    for text_line in text.split("\n"):
        if text_line.strip():
            found.append(CitedLine(doc_id, at, text_line.strip()))
        at += len(text_line) + 1
    return tuple(found)


def ordered(lines: Iterable[CitedLine]) -> list[CitedLine]:
    """Lines as they stand in their documents, each once."""
    return sorted(set(lines), key=lambda one: (one.doc_id, one.start))


def identity(line: CitedLine) -> str:
    """The name of the trial, study or report that a line gives its document; "" for other lines."""
    opening = _DOCUMENT_OF.match(line.text)
    if opening is None:
        return ""
    rest = line.text[opening.end() :]
    named = next(iter(parse_identifiers(rest)), None)
    if named is None or named.start or not _NAME_ENDS.match(rest, named.end) or rest.endswith("."):
        return ""
    return named.text


def is_of(place: CitedLine, subjects: Sequence[str], lines: Iterable[CitedLine]) -> bool:
    """Whether the nearest cited line before a place that says what its document is of names a subject.

    A place that names another study or compound tells of that one. What opens it as the label of a row
    ("AB-1: 43") is its drug, unless it is of a subject's own series ("AB-2" for AB-1).
    """
    if any(_is_other(one, place.text, subjects) for one in parse_identifiers(place.text)):
        return False
    over = [
        name
        for line in ordered(lines)
        if line.doc_id == place.doc_id and line.start <= place.start and (name := identity(line))
    ]
    return bool(over) and any(written(one).fullmatch(folded(over[-1])) for one in subjects)


def _is_other(named: Word, text: str, subjects: Sequence[str]) -> bool:
    """Whether an identifier of a text is that of another study or compound than the subjects."""
    if any(written(one).fullmatch(folded(named.text)) for one in subjects):
        return False
    if series(named.text) in map(series, subjects):
        return True
    labels = not text[: named.start].strip("|*# ") and _LABEL_ENDS.match(text, named.end)
    return not labels and not measure_named(named.text, whole=True)


def series(name: str) -> str:
    """A name without its numbers."""
    return re.sub(r"\d", "", folded(name))


def may_own(text: str, word: Word, known: Iterable[str]) -> bool:
    """Whether an identifier of a text may be what a value is of. `known` are names of molecules, whose series
    name molecules too.
    """
    if series(word.text) in map(series, known):
        return True
    target = _ROLE.match(text, word.end) or _ROLE_OF.search(text[: word.start])
    return not target and not _NO_OWNER.fullmatch(word.text)
