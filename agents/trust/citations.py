"""Citations from a closed set: a claim keeps only keys that the run gave out, and only quotes that are
verbatim.

In a text a key is marked in square brackets, "[E3]" or "[E1, E4]".
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Citation, Evidence
from agents.trust.values import Claim, Derivation

_MARK = re.compile(r"\s?[\[【](?P<keys>[^\[\]【】]*\bE\d+\b[^\[\]【】]*)[\]】]")
_KEY = re.compile(r"\bE\d+\b")
_QUOTATION = "\"'“”‘’«»„"


def marked_keys(text: str) -> tuple[str, ...]:
    """Keys marked in a text, in order, none twice; known or not."""
    marks = (match["keys"] for match in _MARK.finditer(text))
    return tuple(dict.fromkeys(key for mark in marks for key in _KEY.findall(mark)))


def without_marks(text: str) -> str:
    """The text without its marks."""
    return _MARK.sub("", text).strip()


def close_citations(claim: Claim, memory: EvidenceMemory) -> Claim:
    """The claim with known keys and verbatim quotes only. Marks in its text become keys and leave it."""
    keys = _known([*claim.keys, *marked_keys(claim.text)], memory)
    evidence = [memory.get(key) for key in keys]
    found = (exact_quote(quote, evidence) for quote in claim.quotes)
    return replace(
        claim,
        text=without_marks(claim.text),
        keys=keys,
        quotes=tuple(dict.fromkeys(quote for quote in found if quote)),
        derived=tuple(_closed(derivation, memory) for derivation in claim.derived),
    )


def find_quote(quote: str, evidence: Evidence) -> tuple[int, int] | None:
    """Offsets of a quote in the evidence's document; None if its passage does not hold it.

    White space may differ from the passage, and marks of emphasis be missing, nothing else. Quotation marks
    around the quote are taken off.
    """
    words = quote.strip().strip(_QUOTATION).split()
    if not words:
        return None
    marks = "[*_]{0,3}"
    said = rf"{marks}\s+{marks}".join(map(re.escape, words))
    match = re.search(f"{marks}{said}{marks}", evidence.text)
    return (evidence.start + match.start(), evidence.start + match.end()) if match else None


def exact_quote(quote: str, evidence: Iterable[Evidence]) -> str:
    """The quote as the first passage that holds it writes it; an empty string if none does."""
    for item in evidence:
        if place := find_quote(quote, item):
            return item.text[place[0] - item.start : place[1] - item.start]
    return ""


def cited(number: int, evidence: Evidence, start: int, end: int) -> Citation:
    """A part of a piece of evidence as the citation of this number; offsets are those in the document."""
    return Citation.of(number, evidence, start, end)


def _closed(derivation: Derivation, memory: EvidenceMemory) -> Derivation:
    return replace(derivation, keys=_known(derivation.keys, memory))


def _known(keys: Iterable[str], memory: EvidenceMemory) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in keys if key in memory))
