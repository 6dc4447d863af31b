"""The status of all projects: the newest table of the archive that tells it, or what is on record of each
molecule.
"""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.compared import studied
from agents.archive.overview.page import Desk, line_of
from agents.archive.overview.standing import standing_of
from agents.archive.overview.status_table import state_of, status_rows
from agents.reports.values import Table
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule

ALL_PROJECTS = re.compile(
    r"(?:(?:each|every|all|our|the|of) )*(?:projects?|programmes?|programs?|molecules?|compounds?|"
    r"(?:drug )?candidates?|drugs?|portfolio|pipeline)",
    re.I,
)


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
