"""What the archive holds, in a table: its documents, studies or molecules, by what is known of them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from agents.counts import number_of
from bot.values import Card, CardKind, Table
from retrieval.records import RecordFilter, RecordRow, Records, Thing, find_records

if TYPE_CHECKING:
    from retrieval.ports import Index

Listing = Callable[[str], Awaitable[Card | None]]
"""From the words of the command to a card with the records; None where its subject is on none."""

COLUMNS = ("Title", "Type", "Date", "Molecules", "Species", "Status", "Phase", "Documents")
"""What is told of a row, what matters most first: where there is little room the first of them are shown."""
SHOWN, MOST_COLUMNS = 50, 4
STUDIES, MOLECULES = re.compile(r"stud|trial"), re.compile(r"mol|comp|drug")
SUBJECT = re.compile(r"(?:records|.*? (?:about|on|of|for|with)(?! (?:the|your|this) archive\b)) (.+)")


def counted(records: Records, thing: Thing) -> str:
    """So many things, and what is not among them: "6 documents (and 1 older version or copy)"."""
    total = f"{records.total} {re.sub('ies$', 'ys', thing.value)[:-1] if records.total == 1 else thing.value}"
    older = number_of(records.older, "older version or copy", "older versions or copies")
    return f"{total} (and {older})" if records.older else total


async def listed(index: Index, asked: str) -> Card | None:
    """The records that a command asks for ("studies do you have about TAK-875"); None if it names a subject
    that none is on.
    """
    thing = Thing.STUDIES if STUDIES.match(asked) else Thing.DOCUMENTS
    thing = Thing.MOLECULES if MOLECULES.match(asked) else thing
    subject = found[1] if (found := SUBJECT.fullmatch(asked)) else ""
    records = await find_records(index, RecordFilter(thing, words=subject), limit=SHOWN)
    if subject and not records.rows:
        return None
    columns, rows, _ = in_columns(records.rows, MOST_COLUMNS)
    left = f" The first {SHOWN} are shown; `pestle records` lists all." if records.total > SHOWN else ""
    text = f"The archive holds {counted(records, thing)}{f' on {subject}' if subject else ''}.{left}"
    return Card(CardKind.NOTICE, text=text, parts=(Table("", columns, rows),) if rows else ())


def in_columns(
    rows: Sequence[RecordRow], most: int
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], list[str]]:
    """Heads and cells of the name and the first columns that any row fills, and the heads of the others."""
    told = [_cells(row) for row in rows]
    filled = [number for number in range(len(COLUMNS)) if any(cells[number] for cells in told)]
    shown = filled[:most]
    cells = tuple((row.name, *(own[n] for n in shown)) for row, own in zip(rows, told, strict=True))
    return ("Name", *(COLUMNS[n] for n in shown)), cells, [COLUMNS[n] for n in filled[most:]]


def _cells(row: RecordRow) -> tuple[str, ...]:
    documents = ", ".join(one for one in row.documents if one != row.name)
    molecules = ", ".join(row.names if row.molecules == (row.name,) else row.molecules)
    species = ", ".join(row.species)
    return (row.title, row.type, row.date, molecules, species, row.status, row.phase, documents)
