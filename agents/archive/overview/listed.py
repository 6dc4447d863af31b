"""Counts, lists and timelines of studies and documents."""

from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.names import STUDY
from agents.archive.overview.asked import Asked, Shape, Thing
from agents.archive.overview.narrowed import Condition, Narrowed
from agents.archive.overview.page import MOST_ROWS, Desk, counted, line_of, study_table
from agents.archive.overview.populations import of_population, population_asked, says_done, those_done
from agents.archive.overview.registers import only_listed, studies_on_record
from agents.archive.overview.studies import (
    TITLED_STUDY,
    Study,
    documents_of,
    is_about,
    standing,
    with_status,
    with_words,
)
from retrieval.molecules.lookup import mentions

NAMED = 12
"""Studies that the first line names."""


async def listed(
    desk: Desk, question: Question, asked: Asked, narrowed: Narrowed, molecules: Sequence[str]
) -> Answer | None:
    """The studies or documents that meet the conditions, by their documents and by registers.

    None where words of the question fit none, where it is not known of any document whether it is of a study,
    and where registers list more studies of its molecules than documents describe: then those are read.
    """
    records = standing(desk.records)
    of_studies = asked.thing is Thing.STUDIES
    main = molecules if of_studies else ()
    wanted = await studies_on_record(desk.tools, records, main) if of_studies else documents_of(records)
    looked = [study for study in wanted if is_about(study, Narrowed((), ()), main)]
    who = population_asked(question.text) if of_studies else ""
    of_all = not who and not says_done(question.text)
    if main and of_all and only_listed(looked) and not any(map(is_of_records, narrowed.conditions)):
        return None
    if main and not looked and await names_a_study(desk, main):
        return None
    if not wanted:
        return await none_of_a_study(desk, question)
    fitting = [study for study in looked if is_about(study, narrowed, main)]
    found = await with_words(desk.tools, fitting, narrowed.words)
    if narrowed.words and not found:
        return None
    found = those_done(question.text, found) if of_studies else found
    untold: list[Study] = []
    if who:
        found, untold = await of_population(desk, found, who)
    if asked.shape is Shape.TIMELINE:
        found.sort(key=lambda study: (not study.record.date, study.record.date, study.name))
    else:
        found.sort(key=lambda study: study.name)
    line = told(asked, found) if found else none_told(asked, looked, narrowed)
    _, blocks = await study_table(
        desk, found, "What was counted" if asked.shape is Shape.COUNT else "From the records"
    )
    keys = [key for study in found[:NAMED] for key in await desk.key_of(study)]
    composer = desk.number()
    notes = [
        how_counted(asked, looked, found, narrowed),
        *unknown(looked, found, narrowed),
        f"Not told in whom they were done: {', '.join(map(with_status, untold))}." if untold else "",
    ]
    names = [study.name for study in found]
    first = line_of(composer, line, keys)
    derived = [counted(names[:MOST_ROWS])] if len(names) <= MOST_ROWS else []
    unsure = [not_known(looked, one) for one in narrowed.conditions]
    derived += [counted([study.name for study in some]) for some in (looked, *unsure) if some]
    return desk.answer(
        question,
        line,
        [first, *blocks],
        molecules=molecules,
        notes=notes,
        subjects=[
            *molecules,
            *(study.name for some in (*unsure, untold) for study in some),
            *registers_of(looked),
        ],
        derived=derived,
    )


async def names_a_study(desk: Desk, molecules: Sequence[str]) -> bool:
    """Whether any sentence that names one of the molecules speaks of a study: then not none was done."""
    registry = await desk.tools.index.molecules()
    own = [one.doc_id for one in desk.records if not set(molecules).isdisjoint(one.molecules)]
    return any(
        TITLED_STUDY.search(passage.text) or STUDY.search(passage.text)
        for one in await desk.tools.documents.open_all(desk.tools.index, own)
        for passage in one.passages
        if any(name in molecules for _, _, name in mentions(passage.text, registry))
    )


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


def none_told(asked: Asked, looked: Sequence[Study], narrowed: Narrowed) -> str:
    """The first line where none is found: zero is said only where it is known of all; a note has the rest."""
    if not silent_of(looked, narrowed):
        return f"0 {asked.thing.value}."
    return f"On record for none of the {asked.thing.value}; for some it is not known."


async def none_of_a_study(desk: Desk, question: Question) -> Answer | None:
    """What is said where no document is known to be of one study: which documents there are."""
    documents = documents_of(standing(desk.records))
    of = f"the {len(documents)} documents" if len(documents) != 1 else "the only document"
    line = f"None of {of} is on record as the report of a study."
    keys, blocks = await study_table(desk, documents, "Documents of the archive", head="Document")
    names = [one.name for one in documents]
    derived = [counted(names)] if len(names) <= MOST_ROWS else []
    first = line_of(desk.number(), line, keys[:NAMED])
    return desk.answer(question, line, [first, *blocks], derived=derived)


def how_counted(asked: Asked, looked: Sequence[Study], found: Sequence[Study], narrowed: Narrowed) -> str:
    """How the number came about."""
    what = asked.thing.value
    several = sum(len(study.records) for study in found)
    together = f", from {several} documents" if asked.thing is Thing.STUDIES and several > len(found) else ""
    only = only_listed(found)
    registers = ", ".join(registers_of(looked))
    beside = f" and from {registers}" if registers else ""
    return (
        f"Counted from the archive's records{beside}: "
        f"{len(found)} of {len(looked)} {what}{together}"
        + (f" ({narrowed.told})" if narrowed.told else "")
        + (f", {len(only)} of them only listed in a register" if only else "")
        + "; copies and older versions are left out."
    )


def registers_of(looked: Sequence[Study]) -> list[str]:
    """The registers that list the studies."""
    return sorted({row.record.doc_id for study in looked for row in study.rows})


def unknown(looked: Sequence[Study], found: Sequence[Study], narrowed: Narrowed) -> list[str]:
    """For each condition, of how many records it cannot be told; and studies that combine two phases."""
    lines = []
    for condition in narrowed.conditions:
        if silent := not_known(looked, condition):
            shown = ", ".join(map(with_status, silent[:NAMED])) if len(silent) <= NAMED else ""
            are = "it is" if len(silent) == 1 else "they are"
            lines.append(
                f"Of {len(silent)} of them it is not on record whether {are} {condition.told}"
                f"{': ' if shown else ''}{shown}."
            )
    both = [study.name for study in found if "/" in study.record.phase]
    if both and any(condition.told.startswith("in Phase") for condition in narrowed.conditions):
        lines.append(f"{len(both)} of them combine two phases.")
    return lines


def not_known(looked: Sequence[Study], condition: Condition) -> list[Study]:
    """The studies of which it is not on record whether they meet a condition."""
    return [study for study in looked if not any(map(condition.known, study.told))]


def silent_of(looked: Sequence[Study], narrowed: Narrowed) -> list[Study]:
    """The studies of which one of the conditions or more is not on record."""
    return [study for study in looked if any(not_known([study], one) for one in narrowed.conditions)]
