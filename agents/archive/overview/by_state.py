"""Molecules of a state, as the newest table of projects tells it: "how many are in preclinical stage?"."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.page import Desk, counted, line_of
from agents.archive.overview.status_table import state_of, status_rows
from agents.archive.research.patterns.phases import PHASE
from agents.counts import number_of
from agents.reports.values import Cell, Table
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule

STATE = re.compile(
    r"\W*(?:(?:are|is|that|which|do we have|have|currently|now|still|the|a|an|at|in|of|status|stage) )*"
    r"(?P<state>[a-z]+(?:[ -][a-z]+)??)"
    r"(?: (?:stage|status|state|phase|development|now|currently|at present))*\W*",
    re.IGNORECASE,
)
"""What molecules are asked for by: nothing but a state."""


async def in_state(desk: Desk, question: Question, rest: str, registry: Sequence[Molecule]) -> Answer | None:
    """The molecules whose row tells the state asked for; None where no row does, or more is asked."""
    asked = STATE.fullmatch(rest)
    if asked is None or PHASE.search(rest):
        return None
    said = re.compile(rf"\W*{re.escape(asked['state'])}\b", re.IGNORECASE)
    rows = [one for one in await status_rows(desk, registry) if one.row and said.match(state_of(one.row))]
    found = {
        name: (state_of(one.row), desk.key(one))
        for one in rows
        if one.row
        for _, _, name in mentions(one.row.cells[0], registry)
    }
    if not found:
        return None
    record = desk.checker.records[rows[0].doc_id]
    dated = f", dated {record.date}" if record.date else ""
    composer = desk.number()
    line = f"{number_of(len(found), 'molecule')}: {', '.join(found)}."
    body = tuple((Cell(name), composer.cell(state, (key,))) for name, (state, key) in found.items())
    return desk.answer(
        question,
        line,
        [
            line_of(composer, line, [key for _, key in found.values()]),
            Table("Molecules", ("Molecule", "Status"), body),
        ],
        notes=(f"As {record.doc_id}{dated} tells it: of such tables the newest.",),
        subjects=list(found),
        derived=[counted(list(found))],
    )
