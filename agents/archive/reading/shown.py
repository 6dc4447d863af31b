"""Passages, documents and molecules as a language model reads them.

A passage keeps its lines: a table its bars, a list its items. Which document a passage is from is told once,
in a list of documents with title, type, date and molecules, each molecule with its other names: passages call
it "the drug", or by a former code.
"""

import re
from collections.abc import Iterable, Sequence

from agents.archive.answer import Question
from agents.data_block import data_block
from retrieval.values import DocumentRecord, Molecule, Passage

HEADINGS_SHOWN = 3
MOLECULES_TOLD = 6
_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$\n?", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n+")
_DOTS = re.compile(r"(?:\.[ ]?){4,}|_{4,}|-{4,}")


def asked(question: Question) -> str:
    """The question as it was understood, as it was written if that differs, and the language to answer in."""
    blocks = [f"Answer this question:\n{data_block(question.text, kind='question')}"]
    if question.written and question.written != question.text:
        blocks.append(f"It was written so:\n{data_block(question.written, kind='question as written')}")
    if question.language:
        blocks.append(f"Write short, headline and statements in {question.language}.")
    return "\n".join(blocks)


def readable(text: str) -> str:
    """A text without what only takes room: rows of dashes, dotted lines, runs of blanks, empty lines."""
    text = _DOTS.sub(" … ", _RULE.sub("", text))
    return _EMPTY_LINES.sub("\n", _BLANKS.sub(" ", text)).strip()


def excerpt(key: str, passage: Passage, without: str = "", text: str = "") -> str:
    """A passage under its key, with its headings.

    `without` is what goes without saying: the title of the document. `text` is shown in place of the
    passage's own, where that was cut or put below the heads of its table.
    """
    begins = passage.text.lstrip("# \n")
    said = [h for h in passage.section if h not in without and not begins.startswith(h)]
    section = " / ".join(said[-HEADINGS_SHOWN:])
    page = "" if passage.page is None else str(passage.page)
    labels = {"document": passage.doc_id, "section": section, "page": page}
    shown = text or readable(f"{table_head(passage)}\n{passage.text}")
    return data_block(shown, key=key, **{name: value for name, value in labels.items() if value})


def table_head(passage: Passage) -> str:
    """Caption and heads of the table that a row is of, in the form of the table; "" for other passages."""
    if passage.row is None:
        return ""
    heads = f"| {' | '.join(passage.row.header)} |" if any(passage.row.header) else ""
    return "\n".join(filter(None, (passage.row.caption, heads)))


def document_list(records: Iterable[DocumentRecord], molecules: Sequence[Molecule]) -> str:
    """Documents, a line each, and the molecules that they are about with all their names."""
    known = {molecule.name: molecule for molecule in molecules}
    records = list({record.doc_id: record for record in records}.values())
    about = dict.fromkeys(name for record in records for name in _molecules_of(record))
    lines = [document_line(record) for record in records]
    named = [line for name in about if name in known and (line := names_line(known[name]))]
    return data_block("\n".join((*lines, *named)), kind="documents")


def document_line(record: DocumentRecord) -> str:
    """What is known of a document, in one line."""
    names = ", ".join(_molecules_of(record))
    told = (
        record.document_type,
        record.study_type,
        record.phase,
        record.date,
        record.status.value if record.status else "",
        f"about {names}" if names else "",
        f"older version of {record.newest_version}" if record.newest_version else "",
    )
    return f"{record.doc_id}: {record.title or 'no title'} ({'; '.join(filter(None, dict.fromkeys(told)))})"


def names_line(molecule: Molecule) -> str:
    """A molecule and its other names."""
    return f"{molecule.name} is also called {', '.join(molecule.aliases)}." if molecule.aliases else ""


def _molecules_of(record: DocumentRecord) -> tuple[str, ...]:
    return (record.main_molecules or record.molecules)[:MOLECULES_TOLD]
