"""Where a molecule stands: its end, what a table of projects says of it, or how far its studies came."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.columns import of_status
from agents.archive.overview.narrowed import Narrowed, phases_of
from agents.archive.overview.page import Desk, line_of, study_status, study_table
from agents.archive.overview.registers import studies_on_record
from agents.archive.overview.status_table import status_rows
from agents.archive.overview.studies import Study, is_about, standing
from agents.archive.overview.typed import of_programme, typed
from agents.archive.research.patterns.phases import PHASE
from agents.archive.values import AnswerPart
from retrieval.molecules.codes import code_key
from retrieval.values import StudyStatus

STILL = re.compile(r"^\W*(?:is|are)\b.*\bstill (?:in|under|being) develop\w*\W*$", re.IGNORECASE)
ENDING = re.compile(
    r"\b(?:terminat|discontinu|abandon|halt|stop|ceas|suspend|shelv|dropp|park(?:ed|ing)|cancel|withdraw|withdrew"
    r"|on (?:hold|ice)|no longer|no further|no-go|(?:give|gave|given|giving) up"
    r"|not (?:to )?(?:be )?(?:continu|pursu|proceed|develop)|clos(?:e|ed|ing|ure)\b|end(?:ed|ing)?\b"
    r"|deprioriti[sz])\w*",
    re.IGNORECASE,
)
OF_ALL = Narrowed((), ())
NO_STATUS = "status not on record"


async def standing_of(desk: Desk, question: Question, molecules: Sequence[str]) -> Answer:
    """Where molecules stand, with the studies that tell it."""
    merged = await typed(desk.tools, question.text, ("discontinuation_reason",), molecules)
    desk.take(merged.evidence)
    own = [
        study
        for study in await studies_on_record(desk.tools, desk.records, molecules)
        if is_about(study, OF_ALL, molecules)
    ]
    registry = await desk.tools.index.molecules()
    table = of_status(desk, await status_rows(desk, registry), registry)
    states = [table.cells.get(part.molecule, ("", ())) for part in merged.parts]
    told_of = zip(merged.parts, states, strict=True)
    line = " ".join([await status_line(desk, part, own, state) for part, (state, _) in told_of])
    keys = [key for part in merged.parts if part.present for key in part.claims[0].keys]
    keys += [key for _, rows in states for key in rows]
    own.sort(key=lambda study: (study.record.date, study.name), reverse=True)
    told, blocks = await study_table(desk, own, "Studies, the latest first")
    if STILL.search(question.text) and is_ended(merged.parts, own):
        line = f"No: {line}"
    composer = desk.number()
    return desk.answer(
        question, line, [line_of(composer, line, [*keys, *told]), *blocks], molecules=molecules
    )


def is_ended(parts: Sequence[AnswerPart], own: Sequence[Study]) -> bool:
    """Whether the one development asked about was ended as a whole, and no study of it is ongoing."""
    ongoing = any(record.status is StudyStatus.ONGOING for study in own for record in study.records)
    return len(parts) == 1 and parts[0].present and of_programme(parts[0]) and not ongoing


async def status_line(desk: Desk, end: AnswerPart, studies: Sequence[Study], state: str) -> str:
    """Where a molecule stands: the reason for which it was stopped, what a table of projects says, or how far
    it came by its records.
    """
    name = end.molecule
    if end.present and of_programme(end):
        return f"{name} was stopped: {end.short}."
    if state:
        return f"{name}: {state}."
    own = [study for study in studies if is_about(study, OF_ALL, [name])]
    done = [study for study in own if not is_planned(study)]
    latest = max(done, key=lambda study: study.record.date, default=None)
    highest = max(done, key=highest_phase, default=None)
    written = (await desk.phase_of(highest))[0] if highest else ""
    reached = written or ("" if await says_of(desk, name, PHASE) else "no clinical phase on record")
    planned = "".join(f"; {study.name} is planned" for study in own if is_planned(study))
    last = f"; latest study {latest.name}, {study_status(latest) or NO_STATUS}" if latest else ""
    no_end = "" if await says_of(desk, name, ENDING) else "; no decision to stop it is on record"
    told = f"{reached}{last}{planned}{no_end}".removeprefix("; ")
    return f"{name}: {told or NO_STATUS}."


async def says_of(desk: Desk, name: str, words: re.Pattern[str]) -> bool:
    """Whether a passage about a molecule has a word for an end or a phase, which no rule read as its own."""
    records = [record.doc_id for record in standing(desk.records) if name in record.molecules]
    for one in await desk.tools.documents.open_all(desk.tools.index, records):
        alone = one.document.record.main_molecules == (name,)
        for passage in one.passages:
            about = " | ".join((*passage.section, passage.text))
            if words.search(passage.text) and (alone or names_molecule(about, name)):
                return True
    return False


def names_molecule(text: str, name: str) -> bool:
    """Whether a text names a molecule, however it writes the code."""
    return code_key(name) in code_key(text)


def highest_phase(study: Study) -> str:
    """The highest phase of a study; "" for none."""
    return max((phase for record in study.told for phase in phases_of(record)), default="")


def is_planned(study: Study) -> bool:
    """Whether all that tells a study's status tells of a plan, or of one that was never begun."""
    states = {record.status for record in study.told if record.status}
    return bool(states) and states <= {StudyStatus.PLANNED, StudyStatus.WITHDRAWN}


def with_plan(study: Study) -> str:
    """A study by name, one that is not done with its status."""
    return f"{study.name} ({study_status(study).lower()})" if is_planned(study) else study.name
