"""How many entries registers have: their rows are counted, and never a number in a text."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.asked import Asked
from agents.archive.overview.narrowed import has_words
from agents.archive.overview.page import MOST_ROWS, Desk, counted, line_of
from agents.archive.overview.registers import MOST_DOCUMENTS
from agents.archive.overview.studies import standing
from agents.archive.tools import LoadedDocument
from agents.reports.values import Table
from retrieval.molecules.lexicon import words
from retrieval.molecules.lookup import mentions, without_names
from retrieval.values import DocumentRecord, Molecule, Passage

REGISTER = re.compile(r"\b(?:register|registry|tracker|inventory|ledger)\b|^study list$|^list of ", re.I)
OF_ONE_STUDY = re.compile(r"registry record", re.I)
PLAIN = words("""
    register registers registry tracker inventory ledger study studies trial trials clinical
    a all are about any do does for have has in is of on our that the there we with
""")
"""Words that tell no register from another."""


async def entries(
    desk: Desk, question: Question, asked: Asked, molecules: Sequence[str], registry: Sequence[Molecule]
) -> Answer | None:
    """The number of rows of each register that the question can mean, of the molecules that it names; None
    where there is none.
    """
    known = [record for record in standing(desk.records) if is_register(record)][:MOST_DOCUMENTS]
    rest = without_names(asked.rest, registry).casefold()
    wanted = [word for word in re.findall(r"[\w-]+", rest) if word not in PLAIN]
    named = [record for record in known if has_words(f"{record.title} {record.document_type}", wanted)]
    opened = await desk.tools.documents.open_all(desk.tools.index, [record.doc_id for record in named])
    found = [(one.document.record, rows) for one in opened if (rows := rows_of(one))]
    if asked.state:
        found = [(record, kept) for record, rows in found if (kept := marked(rows, asked.state))]
    if molecules:
        found = [
            (record, kept) for record, rows in found if (kept := of_molecules(rows, molecules, registry))
        ]
    if not found:
        return None
    marks = f" marked “{asked.state}”" if asked.state else ""
    of = f" of {' or '.join(molecules)}" if molecules else ""
    line = "; ".join(f"{told(rows)}{of} in {record.doc_id}{marks}" for record, rows in found) + "."
    keys = [[desk.key(row) for row in rows[:MOST_ROWS]] for _, rows in found]
    composer = desk.number()
    tables = [
        Table(
            record.title or record.doc_id,
            rows[0].row.header,
            tuple(
                tuple(composer.cell(cell, (key,)) for cell in row.row.cells)
                for row, key in zip(rows, own, strict=False)
                if row.row
            ),
        )
        for (record, rows), own in zip(found, keys, strict=True)
        if rows[0].row
    ]
    return desk.answer(
        question,
        line,
        [line_of(composer, line, [own[0] for own in keys]), *tables],
        notes=["Counted from the rows of the register."],
        subjects=[record.doc_id for record, _ in found],
        derived=[counted([_first(row) for row in rows]) for _, rows in found],
    )


def is_register(record: DocumentRecord) -> bool:
    """Whether a document is a register by its kind or title."""
    kind = record.document_type
    return not OF_ONE_STUDY.search(kind) and any(map(REGISTER.search, (kind, record.title)))


def rows_of(one: LoadedDocument) -> list[Passage]:
    """The rows of the longest table of a document, without its head."""
    tables: dict[tuple[str, ...], list[Passage]] = {}
    for passage in one.passages:
        if passage.row and passage.row.cells != passage.row.header:
            tables.setdefault(passage.row.header, []).append(passage)
    return max(tables.values(), key=len, default=[])


def marked(rows: Sequence[Passage], state: str) -> list[Passage]:
    """The rows with a state in a cell of its own; none where another cell has the word among others."""
    cells = [[cell.strip().casefold() for cell in one.row.cells] for one in rows if one.row]
    word = re.compile(rf"(?<!\w){re.escape(state.casefold())}(?!\w)")
    if any(word.search(cell) and cell != state.casefold() for row in cells for cell in row):
        return []
    return [one for one, row in zip(rows, cells, strict=True) if state.casefold() in row]


def of_molecules(
    rows: Sequence[Passage], molecules: Sequence[str], registry: Sequence[Molecule]
) -> list[Passage]:
    """The rows that name one of some molecules."""
    return [
        row
        for row in rows
        if any(name in molecules for _, _, name in mentions(" | ".join(_cells(row)), registry))
    ]


def told(rows: Sequence[Passage]) -> str:
    """How many entries there are."""
    return f"{len(rows)} {'entry' if len(rows) == 1 else 'entries'}"


def _first(row: Passage) -> str:
    return _cells(row)[0].strip() if row.row else ""


def _cells(row: Passage) -> Sequence[str]:
    return row.row.cells if row.row else ()
