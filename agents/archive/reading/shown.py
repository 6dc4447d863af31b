"""Passages, documents and molecules as a language model reads them.

A passage keeps its lines: a table its bars, a list its items. Passages stand below their document, which is
told once, with title, type, date and molecules; and each molecule is told with its other names: passages call
it "the drug", or by a former code.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from agents.archive.answer import Question
from agents.archive.corrections import corrected_by
from agents.counts import number_of
from agents.data_block import data_block
from agents.evidence.memory import EvidenceMemory
from agents.minds.readable import readable
from agents.text.rows import render_heads
from retrieval.values import DocumentRecord, Molecule, Passage

HEADINGS_SHOWN = 3
MOLECULES_TOLD = 6
_PHASE = re.compile(r"(?i)\s*phase\b")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage of a document to be shown.

    `text` is shown in place of the passage's own, where that was cut or put below the heads of its table.
    """

    passage: Passage
    record: DocumentRecord
    text: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of the passage is shown."""
        return not self.text or readable(self.passage.text) in self.text


def asked(question: Question) -> str:
    """The question as it was understood, as written where its words differ, and the language to answer in."""
    blocks = [data_block(question.text, kind="question")]
    if question.written and _words(question.written) != _words(question.text):
        blocks.append(f"It was written so:\n{data_block(question.written, kind='question as written')}")
    if question.language:
        blocks.append(f"Write short, headline and statements in {question.language}.")
    return "\n".join(blocks)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def lead(excerpts: Sequence[Excerpt], doc_ids: Collection[str], about: str = "") -> str:
    """The line above excerpts: from how many of these documents they are, and from how many others."""
    shown = {one.passage.doc_id for one in excerpts}
    others = len(shown.difference(doc_ids))
    beside = f" and {number_of(others, 'other')}" if others else ""
    whose = f" about {about}" if about else ""
    return f"Passages from {len(shown) - others} of {len(doc_ids)} documents{whose}{beside}, best first:"


def by_document(
    excerpts: Sequence[Excerpt], memory: EvidenceMemory, reader: str, molecules: Sequence[Molecule]
) -> str:
    """Excerpts under the keys that the memory gives them, below their documents; then the molecules' names.
    `reader` is the agent that reads them.

    The document of the best excerpt comes first; within it they stand in the order of the text. One that is
    cut is not shown whole, so that a tool which finds it again does so.
    """
    documents: dict[str, list[Excerpt]] = {}
    for one in excerpts:
        documents.setdefault(one.passage.doc_id, []).append(one)
    blocks = []
    records = [own[0].record for own in documents.values()]
    for own in documents.values():
        line = "; corrects ".join((document_line(own[0].record), *corrected_by(own[0].record, records)))
        blocks.append(data_block(line, kind="document"))
        for one in sorted(own, key=lambda one: one.passage.start):
            key = memory.add(one.passage, one.record, reader if one.whole else "").key
            blocks.append(excerpt(key, one.passage, one.record.title, one.text))
    names = other_names(records, molecules)
    return "\n".join((*blocks, *([data_block(names, kind="names")] if names else [])))


def excerpt(key: str, passage: Passage, without: str = "", text: str = "") -> str:
    """A passage under its key, with its headings.

    `without` is what goes without saying: the title of the document. `text` is shown in place of the
    passage's own.
    """
    shown = text or readable(f"{table_head(passage)}\n{passage.text}")
    begins = shown.lstrip("# \n")
    said = [h for h in dict.fromkeys(passage.section) if h not in without and not begins.startswith(h)]
    section = " / ".join(said[-HEADINGS_SHOWN:])
    page = "" if passage.page is None else str(passage.page)
    return data_block(shown, key=key, **{k: v for k, v in (("section", section), ("page", page)) if v})


def table_head(passage: Passage) -> str:
    """Caption and heads of the table that a row is of, in the form of the table; "" for other passages."""
    if passage.row is None:
        return ""
    return "\n".join(filter(None, (passage.row.caption, render_heads(passage.row.header))))


def heads_of(passage: Passage) -> tuple[str, ...]:
    """Caption, heads and sub-heads of the table in which a passage begins."""
    if passage.row is None:
        return ()
    return tuple(filter(None, (*table_head(passage).splitlines(), *passage.row.group)))


def other_names(records: Iterable[DocumentRecord], molecules: Sequence[Molecule]) -> str:
    """The molecules that documents are about with all their names, a line each that has several."""
    known = {molecule.name: molecule for molecule in molecules}
    about = dict.fromkeys(name for record in records for name in _molecules_of(record))
    return "\n".join(line for name in about if name in known and (line := names_line(known[name])))


def document_line(record: DocumentRecord) -> str:
    """What is known of a document, in one line; what one part says another does not repeat."""
    names = ", ".join(_molecules_of(record))
    told = [
        record.document_type,
        "" if _PHASE.match(record.study_type) and record.phase else record.study_type,
        record.phase,
        record.date,
        record.status.value if record.status else "",
        f"about {names}" if names else "",
        f"older version of {record.newest_version}" if record.newest_version else "",
    ]
    news = [part for i, part in enumerate(told) if part.casefold() not in " ".join(told[:i]).casefold()]
    return f"{record.doc_id}: {record.title or 'no title'} ({'; '.join(filter(None, news))})"


def names_line(molecule: Molecule) -> str:
    """A molecule and its other names."""
    return f"{molecule.name} is also called {', '.join(molecule.aliases)}." if molecule.aliases else ""


def _molecules_of(record: DocumentRecord) -> tuple[str, ...]:
    return record.main_molecules[:MOLECULES_TOLD]
