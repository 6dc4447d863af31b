"""Two molecules or more side by side, where a question compares them and names nothing to compare them in."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import Answer, Question
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.overview.compared import OF_TABLES, cell_of
from agents.archive.overview.dossier import ORDER, shortened
from agents.archive.overview.page import Desk, line_of
from agents.archive.overview.typed import typed
from agents.reports.values import Cell, Table
from retrieval.molecules.lookup import without_names
from retrieval.values import Molecule

OF_COMPARISONS = OF_TABLES | frozenset(
    stems("versus vs contrast differ difference different common against put set place")
)
"""Stems of words that ask for a comparison and for nothing in it."""


def compares_all(text: str, registry: Sequence[Molecule]) -> bool:
    """Whether a question compares what it names in no named respect."""
    return not set(stems(without_names(text, registry))) - LIGHT_STEMS - OF_COMPARISONS


async def side_by_side(desk: Desk, question: Question, molecules: Sequence[str]) -> Answer | None:
    """A row a question type that tells something of any of the molecules, a column a molecule."""
    merged = await typed(desk.tools, question.text, ORDER, molecules)
    parts = {
        (part.molecule, part.question_type): replace(part, short=shortened(part.short))
        for part in merged.parts
        if part.present
    }
    told = [key for key in ORDER if any((name, key) in parts for name in molecules)]
    if not told:
        return None
    desk.take(merged.evidence)
    composer = desk.number()
    body = tuple(
        (
            Cell(desk.tools.library[key].name),
            *(cell_of(composer, parts.get((name, key))) for name in molecules),
        )
        for key in told
    )
    line = f"{', '.join(molecules[:-1])} and {molecules[-1]} side by side."
    left = [desk.tools.library[key].name.lower() for key in ORDER if key not in told]
    return desk.answer(
        question,
        line,
        [line_of(composer, line, ()), Table("", ("", *molecules), body)],
        molecules=molecules,
        not_found=[f"Not stated for any of them: {', '.join(left)}."] if left else (),
        subjects=molecules,
    )
