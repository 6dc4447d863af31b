"""The answer to a question over the whole archive, or None where it is another question."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.names import ResolvedNames, refers_back
from agents.archive.overview.asked import EXISTS, Asked, Shape, Thing, asked_over_archive
from agents.archive.overview.compared import compared
from agents.archive.overview.dossier import dossier
from agents.archive.overview.entries import entries
from agents.archive.overview.limits import limit_in
from agents.archive.overview.listed import listed
from agents.archive.overview.narrowed import Narrowed, narrow
from agents.archive.overview.page import Desk
from agents.archive.overview.people import people_of_study, studies_by_number
from agents.archive.overview.projects import ALL_PROJECTS, status_of_projects
from agents.archive.overview.side_by_side import compares_all, side_by_side
from agents.archive.overview.subjects import named_study
from agents.archive.tools import ArchiveTools
from retrieval.molecules.lookup import mentions, resolve
from retrieval.values import Molecule

ATTRIBUTE = re.compile(r"\W*(?:are|is|were|was)\W+(?:\w+ly\W+)?[\w-]+\W*", re.IGNORECASE)
"""What molecules are ("which are dead"): a word in some text about one does not say it of the molecule."""


async def answer_from_records(tools: ArchiveTools, question: Question, names: ResolvedNames) -> Answer | None:
    """The answer, if the question asks for a count, list, rank, table, status, timeline or dossier.

    A molecule of the thread counts only where the question refers back to it.
    """
    asked = asked_over_archive(question.text)
    if asked is None:
        return None
    desk = await Desk.open(tools, question.text)
    registry = await tools.index.molecules()
    molecules = written_molecules(question, names, registry)
    spelled = [question.text[a:b] for a, b, _ in mentions(question.text, registry)]
    if asked.shape is Shape.STATUS and not molecules and ALL_PROJECTS.fullmatch(asked.rest):
        return await status_of_projects(desk, question, registry)
    if asked.shape is Shape.SIDE_BY_SIDE:
        whole = len(molecules) > 1 and compares_all(question.text, registry)
        return await side_by_side(desk, question, molecules) if whole else None
    if asked.thing is Thing.ENTRIES:
        return await entries(desk, question, asked, molecules, registry)
    if asked.thing is Thing.PEOPLE:
        return await people_of_study(desk, question, registry)
    if asked.shape in (Shape.DOSSIER, Shape.STATUS):
        return await dossier(desk, question, asked, molecules, registry)
    if named_study(desk, question.text):
        return None  # what a single study says is read from it
    limit = limit_in(asked.rest) if asked.thing is Thing.STUDIES else None
    rest = f"{asked.rest[: limit.start]} {asked.rest[limit.end :]}" if limit else asked.rest
    narrowed = narrow(rest, molecules, spelled)
    if limit:
        return await studies_by_number(desk, question, limit, narrowed, molecules)
    return await by_records(desk, question, asked, narrowed, molecules, registry)


async def by_records(
    desk: Desk,
    question: Question,
    asked: Asked,
    narrowed: Narrowed,
    molecules: Sequence[str],
    registry: Sequence[Molecule],
) -> Answer | None:
    """A count, list, rank, table or timeline of what meets the conditions."""
    if EXISTS.match(question.text) and (narrowed.words or asked.thing is not Thing.STUDIES):
        return None  # whether something was seen is read, and not listed
    if asked.shape is Shape.TIMELINE:
        of_all = Asked(asked.shape, Thing.DOCUMENTS, asked.rest)
        return await listed(desk, question, of_all, narrowed, molecules)
    if asked.thing is Thing.MOLECULES:
        if molecules or (ATTRIBUTE.fullmatch(asked.rest) and narrowed.words):
            return None
        return await compared(desk, question, asked, narrowed, registry)
    return await listed(desk, question, asked, narrowed, molecules)


def written_molecules(
    question: Question, names: ResolvedNames, registry: Sequence[Molecule]
) -> tuple[str, ...]:
    """The molecules that the question itself names, or those of its thread that it points at."""
    found = [r.candidates[0].name for r in resolve(question.text, registry) if len(r.candidates) == 1]
    if found:
        return tuple(dict.fromkeys(name for name in found if name in names.molecules))
    return names.molecules if names.from_thread and refers_back(question.text) else ()
