"""What a question leaves open, asked of whoever is responsible for the archive: which molecule is meant."""

from dataclasses import replace

from agents.archive.answer import Question
from agents.archive.names import ResolvedNames
from agents.runs.open_points import OpenPoint, settled
from agents.runs.run import Run


async def with_molecule(run: Run, question: Question, names: ResolvedNames) -> tuple[Question, ResolvedNames]:
    """The question and its names, with the molecule in the place of an unclear name that the responsible
    person says it stands for.

    Without anybody to ask, names stay as they are, and who asked is asked back. Raises `Suspended` until
    somebody decides or the time is over.
    """
    if question.asks is None or names.molecules or not names.unclear:
        return question, names
    first = names.unclear[0]
    point = OpenPoint(
        "molecule",
        f'Which molecule is meant by "{first.written}" in “{question.text}”?',
        tuple(molecule.name for molecule in first.candidates),
        lambda name: f'"{first.written}" was read as {name}',
    )
    found = await settled(run, point, question.asks)
    meant = replace(question, text=question.text.replace(first.written, found.choice))
    notes = (*names.notes, found.note)
    return meant, replace(names, molecules=(found.choice,), unclear=names.unclear[1:], notes=notes)
