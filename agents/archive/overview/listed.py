"""Counts, lists and timelines of studies and documents."""

from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.overview.asked import Asked, Shape, Thing
from agents.archive.overview.narrowed import Condition, Narrowed
from agents.archive.overview.page import MOST_ROWS, Desk, counted, line_of, study_table
from agents.archive.overview.registers import only_listed, registers_of
from agents.archive.overview.studies import Study, documents_of, is_about, standing, studies_of, with_words

NAMED = 12
"""Studies that the first line names."""


async def listed(
    desk: Desk, question: Question, asked: Asked, narrowed: Narrowed, molecules: Sequence[str]
) -> Answer | None:
    """The studies or documents that meet the conditions.

    None where words of the question fit none, and where registers list more studies of its molecules than
    documents describe: then those are read.
    """
    records = standing(desk.records)
    main = molecules if asked.thing is Thing.STUDIES else ()
    registers = await registers_of(desk.tools, records, main) if main else {}
    described = [record for record in records if record.doc_id not in registers]
    wanted = studies_of(described) if asked.thing is Thing.STUDIES else documents_of(records)
    more = only_listed(registers, wanted)
    if more and not any(map(is_of_records, narrowed.conditions)):
        return None
    looked = [study for study in wanted if is_about(study, Narrowed((), ()), main)]
    fitting = [study for study in looked if is_about(study, narrowed, main)]
    found = await with_words(desk.tools, fitting, narrowed.words)
    if narrowed.words and not found:
        return None
    if asked.shape is Shape.TIMELINE:
        found.sort(key=lambda study: (not study.record.date, study.record.date, study.name))
    else:
        found.sort(key=lambda study: study.name)
    line = told(asked, found)
    keys, blocks = await study_table(
        desk, found, "What was counted" if asked.shape is Shape.COUNT else "From the records"
    )
    composer = desk.number()
    notes = [
        how_counted(asked, looked, found, narrowed),
        *unknown(looked, found, narrowed),
        *([f"Registers list more, which no document here describes: {', '.join(more)}."] if more else []),
    ]
    names = [study.name for study in found]
    first = line_of(composer, line, keys[:NAMED])
    derived = [counted(names[:MOST_ROWS])] if len(names) <= MOST_ROWS else []
    return desk.answer(question, line, [first, *blocks], molecules=molecules, notes=notes, derived=derived)


def is_of_records(condition: Condition) -> bool:
    """Whether only a record tells if a condition is met; whether humans were treated a register tells too."""
    return not condition.told.startswith(("of ", "clinical", "nonclinical"))


def told(asked: Asked, found: Sequence[Study]) -> str:
    """The first line: the number, and the names."""
    one = {"studies": "study"}.get(asked.thing.value, asked.thing.value[:-1])
    noun = asked.thing.value if len(found) != 1 else one
    names = ", ".join(study.name for study in found[:NAMED])
    more = " and others" if len(found) > NAMED else ""
    return f"{len(found)} {noun}{': ' if names else ''}{names}{more}."


def how_counted(asked: Asked, looked: Sequence[Study], found: Sequence[Study], narrowed: Narrowed) -> str:
    """How the number came about."""
    what = asked.thing.value
    several = sum(len(study.records) for study in found)
    together = f", from {several} documents" if asked.thing is Thing.STUDIES and several > len(found) else ""
    return (
        f"Counted from the archive's records: {len(found)} of {len(looked)} {what}{together}"
        + (f" ({narrowed.told})" if narrowed.told else "")
        + "; copies and older versions are left out."
    )


def unknown(looked: Sequence[Study], found: Sequence[Study], narrowed: Narrowed) -> list[str]:
    """For each condition, of how many records it cannot be told; and studies that combine two phases."""
    lines = []
    for condition in narrowed.conditions:
        silent = [study.name for study in looked if not any(map(condition.known, study.records))]
        if silent:
            lines.append(f"Of {len(silent)} of them it is not on record whether they are {condition.told}.")
    both = [study.name for study in found if "/" in study.record.phase]
    if both and any(condition.told.startswith("in Phase") for condition in narrowed.conditions):
        lines.append(f"{len(both)} of them combine two phases.")
    return lines
