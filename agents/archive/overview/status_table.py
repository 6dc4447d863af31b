"""The newest table of the archive that tells where its projects stand."""

import re
from collections.abc import Sequence

from agents.archive.overview.page import Desk
from agents.archive.overview.registers import MOST_DOCUMENTS
from agents.archive.overview.studies import standing
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage, TableRow

PROJECT_HEAD = re.compile(
    r"(?:molecule|compound|drug|substance|candidate|project|programme|program|asset)s?(?: (?:code|name))?|"
    r"codes?",
    re.I,
)
STATUS_HEAD = re.compile(r"(?:current |project |development )?(?:status|stage|state|phase)", re.I)
BARE_HEAD = re.compile(r"stage|state|phase", re.I)
"""Heads that may be of something else: a "state" of matter, a "stage" of a batch, a "phase" of a cycle."""
DEVELOPMENT = re.compile(
    r"\b(?:phases?[ -]?(?:iv|i{1,3}|[1-4])[ab]?|(?:pre-?|non-?)?clinical|discovery|lead|research|IND|NDA|BLA|"
    r"toxicology|candidate|nominat\w+|stopped|discontinued|terminated|abandoned|on hold|paused|withdrawn|"
    r"completed|ongoing|active|planned|filed|submitted|registration|registered|approved|marketed|launched|"
    r"development)\b|^\W*(?:iv|i{1,3}|[1-4])[ab]?(?:/(?:iv|i{1,3}|[1-4])[ab]?)?\W*$",
    re.I,
)
"""A cell that says where a development stands."""
FEWEST_ROWS = 2


async def status_rows(desk: Desk, registry: Sequence[Molecule]) -> list[Passage]:
    """The rows about molecules of the newest table with a column of their status; none without such."""
    records = sorted(standing(desk.records), key=lambda record: -len(record.molecules))[:MOST_DOCUMENTS]
    records.sort(key=lambda record: (record.date, record.doc_id), reverse=True)
    for one in await desk.tools.documents.open_all(desk.tools.index, [record.doc_id for record in records]):
        tables: dict[tuple[str, ...], list[Passage]] = {}
        for passage in one.passages:
            if passage.row and is_of_status(passage.row) and mentions(passage.row.cells[0], registry):
                tables.setdefault(passage.row.header, []).append(passage)
        fullest = max(filter(tells_development, tables.values()), key=len, default=[])
        if len(fullest) >= FEWEST_ROWS:
            return fullest
    return []


def is_of_status(row: TableRow) -> bool:
    """Whether a row has a project first, and says under a head where it stands."""
    return bool(PROJECT_HEAD.fullmatch(row.header[0].strip())) and bool(state_of(row))


def tells_development(rows: Sequence[Passage]) -> bool:
    """Whether rows of a table tell where projects stand: under a bare "phase" or "state", most of them do."""
    told = [one.row for one in rows if one.row]
    if not any(BARE_HEAD.fullmatch(head.strip()) for row in told for head in status_heads(row)):
        return True
    return 2 * sum(DEVELOPMENT.search(state_of(row)) is not None for row in told) > len(told)


def status_heads(row: TableRow) -> list[str]:
    """The head of the column that says where a project stands; none where no column does."""
    return [head for head in row.header[1:] if STATUS_HEAD.fullmatch(head.strip())][:1]


def state_of(row: TableRow) -> str:
    """The cell that says where a project stands; "" where no column does."""
    cells = zip(row.header[1:], row.cells[1:], strict=True)
    return next((cell.strip() for head, cell in cells if STATUS_HEAD.fullmatch(head.strip())), "")
