"""Checks citations letter by letter, against the stored text and against the file itself."""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

from agents.archive.answer import Answer
from agents.evidence.values import Citation
from retrieval.ports import Index
from retrieval.values import Document

PLAIN = frozenset({".md", ".markdown", ".txt"})


@dataclass(frozen=True, slots=True)
class VerbatimReport:
    """How many citations were checked; `wrong` tells of each that is not verbatim."""

    citations: int = 0
    answers: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: "VerbatimReport") -> "VerbatimReport":
        return VerbatimReport(
            self.citations + other.citations, self.answers + other.answers, self.wrong + other.wrong
        )


async def check_citations(answer: Answer, index: Index, folder: Path) -> VerbatimReport:
    """Check all citations of an answer. `folder` is where the documents were ingested from."""
    checked = [await fault(citation, index, folder) for citation in answer.citations]
    bare = ["an answer without a citation"] if answer.present and not answer.citations else []
    wrong = tuple(f"{answer.question}: {text}" for text in (*checked, *bare) if text)
    return VerbatimReport(len(answer.citations), 1, wrong)


async def fault(citation: Citation, index: Index, folder: Path) -> str:
    """What is wrong with a citation; empty if nothing is."""
    document = await index.document(citation.doc_id)
    if document is None:
        return f"[{citation.number}] the index holds no document {citation.doc_id}"
    if document.text[citation.start : citation.end] != citation.quote:
        return f"[{citation.number}] {citation.doc_id} says something else at {citation.start}"
    source = await asyncio.to_thread(source_text, document, folder)
    if flat(citation.quote) not in flat(source):
        return f"[{citation.number}] the file {document.record.path} does not say {citation.quote!r}"
    return ""


def source_text(document: Document, folder: Path) -> str:
    """The text of the file itself, if it is one of text; else that which was parsed."""
    path = folder / document.record.path
    is_plain = path.suffix.lower() in PLAIN
    return path.read_text(encoding="utf-8", errors="replace") if is_plain else document.text


def flat(text: str) -> str:
    """Text with single spaces."""
    return re.sub(r"\s+", " ", text).strip()
