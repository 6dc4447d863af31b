"""In whom a study was done, patients or healthy volunteers, and whether it was done at all."""

import re
from collections.abc import AsyncIterator, Sequence

from agents.archive.overview.page import Desk
from agents.archive.overview.studies import Study
from retrieval.values import StudyStatus

PATIENTS, VOLUNTEERS = "patients", "volunteers"
POPULATIONS = {
    PATIENTS: re.compile(r"\bpatients?\b", re.IGNORECASE),
    VOLUNTEERS: re.compile(
        r"\bvolunteers?\b|\bhealthy (?:[\w-]+ ){0,2}(?:subjects|participants|men|women|adults|males)\b",
        re.IGNORECASE,
    ),
}
ASKED = re.compile(r"\bin (?:healthy )?(?P<who>patients|volunteers)\b", re.IGNORECASE)
DONE = re.compile(r"\b(?:done|performed|conducted|carried out|(?:were|was) run)\b", re.IGNORECASE)
NOT_DONE = (StudyStatus.PLANNED, StudyStatus.WITHDRAWN)


def population_asked(text: str) -> str:
    """Whether studies "in patients" or "in volunteers" are asked for; "" where neither."""
    found = ASKED.search(text)
    return found["who"].lower() if found else ""


def says_done(text: str) -> bool:
    """Whether a question asks for studies that were done."""
    return DONE.search(text) is not None


def those_done(text: str, studies: Sequence[Study]) -> list[Study]:
    """The studies without those that are only planned or were withdrawn, where a question says "done"."""
    kept = [study for study in studies if not {record.status for record in study.told} & set(NOT_DONE)]
    return kept if says_done(text) else list(studies)


async def of_population(desk: Desk, studies: Sequence[Study], who: str) -> tuple[list[Study], list[Study]]:
    """The studies done in some people, and those of which it is not told in whom."""
    known = [(study, await population_of(desk, study)) for study in studies]
    return [study for study, own in known if own == who], [study for study, own in known if not own]


async def population_of(desk: Desk, study: Study) -> str:
    """In whom a study was done: by its titles and rows, else by its text; "" where that is not clear."""
    async for text in texts_of(desk, study):
        named = [who for who, words in POPULATIONS.items() if words.search(text)]
        if named:
            return named[0] if len(named) == 1 else ""
    return ""


async def texts_of(desk: Desk, study: Study) -> AsyncIterator[str]:
    """What tells of a study, the surest first."""
    yield " ".join(record.title for record in study.records)
    yield " ".join(row.passage.text for row in study.rows)
    read = await desk.tools.documents.open_all(desk.tools.index, [record.doc_id for record in study.records])
    yield " ".join(one.document.text for one in read)
