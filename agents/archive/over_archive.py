"""Questions over the whole archive: counts, lists, tables and dossiers come from records.

Without a model the records' answer stands. A model gets it as material, beside the passages that a search
finds, and answers in its place; where it fails, the records' answer stands again.
"""

from dataclasses import replace
from functools import partial

from agents.archive.answer import Answer, Question
from agents.archive.compose import compose
from agents.archive.general.agent import answer_by_model
from agents.archive.general.answer import GeneralDraft
from agents.archive.general.search import search_generally
from agents.archive.library import GENERAL
from agents.archive.overview.asked import Asked, Shape
from agents.archive.so_far import SoFar
from agents.archive.supervise import REFUSED, supervise
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, Draft
from agents.minds.minded import fallback_note
from agents.reports.values import Cell, Table
from agents.runs.run import Run
from retrieval.values import Stage

SUMMARIES = (Shape.DOSSIER, Shape.STATUS, Shape.TIMELINE)
TABLES = (Shape.TABLE, Shape.SIDE_BY_SIDE)


async def over_archive(
    run: Run,
    tools: ArchiveTools,
    so_far: SoFar,
    question: Question,
    overview: Answer | None,
    molecules: tuple[str, ...],
    asked: Asked,
) -> Answer | None:
    """The answer to a question over the whole archive: what the records say, or what a model makes of them
    and of the passages that a search finds besides. None where neither says anything.

    A summary of what the records do not know is the model's alone.
    """
    if tools.model is None or (overview is None and asked.shape not in SUMMARIES):
        return overview
    so_far.overview = overview
    molecules = overview.molecules if overview else molecules
    classification = so_far.classification = Classification((), (GENERAL,), molecules)
    widely = asked.shape in SUMMARIES
    search = partial(search_generally, tools, summary=widely)
    found = await run.step("search/general", search, question.text, molecules)
    ruled = GeneralDraft(Draft(False, "", ""), Stage.STRATEGIC, found.searched)
    model = tools.model
    read = await answer_by_model(run, tools, model, question, found, ruled, overview, widely=widely)
    if read.why_fallen_back:
        return with_note(overview, fallback_note("research", read.why_fallen_back))
    so_far.add_general(read)
    check = partial(supervise, tools)
    merged = await run.step("supervise", check, question.text, (), read, then=so_far.merge)
    if read.draft.present and not any(part.present for part in merged.parts):
        return with_note(overview, fallback_note("research", REFUSED))
    made = compose(tools.library, question, classification, merged, (), ())
    return with_tables(made, overview) if overview and asked.shape in TABLES else made


def with_tables(answer: Answer, overview: Answer) -> Answer:
    """The model's answer with the tables that were asked for, as the rules fill them, and their citations."""
    offset = max((one.number for one in answer.citations), default=0)

    def cell(one: Cell) -> Cell:
        return replace(one, citations=tuple(number + offset for number in one.citations))

    tables = [
        replace(table, title=f"{table.title}, by rules", rows=tuple(tuple(map(cell, r)) for r in table.rows))
        for table in overview.blocks
        if isinstance(table, Table)
    ]
    cited = {number for table in tables for row in table.rows for one in row for number in one.citations}
    added = [
        replace(one, number=one.number + offset, key=f"R-{one.key}")
        for one in overview.citations
        if one.number + offset in cited
    ]
    keys = {one.key for one in added}
    evidence = [replace(one, key=f"R-{one.key}") for one in overview.evidence if f"R-{one.key}" in keys]
    return replace(
        answer,
        blocks=(*answer.blocks, *tables),
        citations=(*answer.citations, *added),
        evidence=(*answer.evidence, *evidence),
        derived=(*answer.derived, *overview.derived),
    )


def with_note(overview: Answer | None, note: str) -> Answer | None:
    """What the records say, with why a model does not say it."""
    return replace(overview, notes=(*overview.notes, note)) if overview else None
