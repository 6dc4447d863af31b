"""The status of all projects: the newest table of the archive that tells it, or what is on record of each
molecule.
"""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.compared import studied
from agents.archive.overview.dossier import standing_of
from agents.archive.overview.page import Desk, line_of
from agents.archive.overview.registers import MOLECULE_HEAD, MOST_DOCUMENTS
from agents.archive.overview.studies import standing
from agents.reports.values import Table
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage, TableRow

ALL_PROJECTS = re.compile(
    r"(?:(?:each|every|all|our|the|of) )*(?:projects?|programmes?|programs?|molecules?|compounds?|"
    r"(?:drug )?candidates?|drugs?|portfolio|pipeline)",
    re.I,
)
PROJECT_HEAD = re.compile(rf"{MOLECULE_HEAD.pattern}|projects?|programmes?|programs?|assets?", re.I)
STATUS_HEAD = re.compile(r"(?:current |project |development )?(?:status|stage|state|phase)", re.I)
FEWEST_ROWS = 2


async def status_of_projects(desk: Desk, question: Question, registry: Sequence[Molecule]) -> Answer | None:
    """The table, each row cited; else a line for each molecule that has a study; None without any."""
    rows = await status_rows(desk, registry)
    if not rows:
        names, _ = studied(desk, registry)
        return await standing_of(desk, question, names) if names else None
    record = desk.checker.records[rows[0].doc_id]
    head = next(one.row.header for one in rows if one.row)
    keys = [desk.key(row) for row in rows]
    composer = desk.number()
    states = ((one.row, key) for one, key in zip(rows, keys, strict=True) if one.row)
    body = tuple(
        (composer.cell(row.cells[0], (key,)), *(composer.cell(cell, (key,)) for cell in row.cells[1:]))
        for row, key in states
    )
    line = "; ".join(f"{one.row.cells[0]}: {state_of(one.row)}" for one in rows if one.row) + "."
    table = Table(record.title or record.doc_id, head, body)
    names = [name for row in rows for _, _, name in mentions(row.text, registry)]
    dated = f", dated {record.date}" if record.date else ""
    note = f"As {record.doc_id}{dated} tells it: of such tables the newest."
    blocks = [line_of(composer, line, keys), table]
    return desk.answer(question, line, blocks, molecules=list(dict.fromkeys(names)), notes=(note,))


async def status_rows(desk: Desk, registry: Sequence[Molecule]) -> list[Passage]:
    """The rows about molecules of the newest table with a column of their status; none without such."""
    records = sorted(standing(desk.records), key=lambda record: -len(record.molecules))[:MOST_DOCUMENTS]
    records.sort(key=lambda record: (record.date, record.doc_id), reverse=True)
    for one in await desk.tools.documents.open_all(desk.tools.index, [record.doc_id for record in records]):
        tables: dict[tuple[str, ...], list[Passage]] = {}
        for passage in one.passages:
            if passage.row and is_of_status(passage.row) and mentions(passage.row.cells[0], registry):
                tables.setdefault(passage.row.header, []).append(passage)
        fullest = max(tables.values(), key=len, default=[])
        if len(fullest) >= FEWEST_ROWS:
            return fullest
    return []


def is_of_status(row: TableRow) -> bool:
    """Whether a row has a project first, and says under a head where it stands."""
    return bool(PROJECT_HEAD.fullmatch(row.header[0].strip())) and bool(state_of(row))


def state_of(row: TableRow) -> str:
    """The cell that says where a project stands; "" where no column does."""
    cells = zip(row.header[1:], row.cells[1:], strict=True)
    return next((cell.strip() for head, cell in cells if STATUS_HEAD.fullmatch(head.strip())), "")
