"""Phases of clinical development named in texts, and the phase of a document's study."""

import re
from collections.abc import Sequence

from agents.archive.research.reading import Line
from agents.archive.research.vocabulary import wording
from retrieval.values import DocumentRecord

PHASE = re.compile(
    r"\bphases?[\s-]*(?P<first>[1-4]|IV|I{1,3})[abc]?(?:\s*(?:/|-|and|to|"
    r"or)\s*(?:phase\s*)?(?P<second>[1-4]|IV|I{1,3})[abc]?)?(?!\w)"
    r"(?!\s+(?:dose|metaboli|enzym|reaction))",
    re.IGNORECASE,
)


PHASE_FIELD = re.compile(r"\bPhase: (Phase [^.]*)")


ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}


def phases_in(text: str) -> frozenset[int]:
    """Phases named in a text: "Phase I/II" is {1, 2}."""
    found = set()
    for match in PHASE.finditer(text):
        for written in (match["first"], match["second"]):
            if written:
                found.add(int(written) if written.isdigit() else ROMAN[written.upper()])
    return frozenset(found)


def phases_of(record: DocumentRecord, lines: Sequence[Line]) -> frozenset[int]:
    """Phases of a study: of its title, type or status, of the first sentence that says so of itself, of the
    record. A document on several studies has none.
    """
    stated = next((found[1] for line in lines if (found := PHASE_FIELD.search(line.text))), "")
    for text in (record.title, record.document_type, stated):
        if told := phases_in(text):
            return told
    for line in lines:
        match = PHASE.search(line.text)
        if match and not wording("exclude_phase").search(
            line.text[max(0, match.start() - 60) : match.start()]
        ):
            return phases_in(line.text)
    return phases_in(record.phase if "phase" in record.phase.lower() else f"phase {record.phase}")
