"""How many people a study had: those screened, randomised, treated or what a question names, and no others.

Counts of documents stand for all people of a study; the column of a register says how many it enrolled.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Answer, Question
from agents.archive.overview.asked import HOW_MANY
from agents.archive.overview.limits import NONE, Limit
from agents.archive.overview.narrowed import PHASE, SAID, Narrowed
from agents.archive.overview.page import Desk, counted, line_of, study_status
from agents.archive.overview.registers import studies_on_record
from agents.archive.overview.studies import Study, is_about
from agents.archive.research.drafting import listed
from agents.archive.research.patterns.deeds import ASKED, PEOPLE, Deed, deeds_in, number_of, people_in
from agents.counts import number_of as number_of_studies
from retrieval.molecules.lookup import without_names
from retrieval.values import Molecule, Passage, PassageKind, StudyStatus

FILLING = SAID | {"total", "altogether", "overall", "there", "took", "planned"}
PEOPLE_HEAD = re.compile(rf"(?:number of |no\. of |n of )?{PEOPLE}(?: enrol+ed)?|enrol+(?:ed|ment)|n", re.I)
"""The column of a register that says how many people a study has."""
ALL_IN = (Deed.ENROLLED, Deed.RANDOMISED)
"""What tells how many people a study had at all."""
OF_STUDIES = re.compile(
    r"\bcompleted (?:[\w-]+ )?(?:studies|trials)\b|\b(?:are|were) completed\b", re.IGNORECASE
)
"""What says of studies, and not of their people, that they were completed."""
OWN_NUMBER = re.compile(
    r"\b(?:study|trial|protocol)(?: (?:no\.?|number|code|id))?:? (?P<number>(?=\S*\d)[\w/.-]{3,})",
    re.IGNORECASE,
)
HEAD = 4
"""Passages at the beginning of a document in which it gives its own number."""
MOST_DOCUMENTS = 60
SENTENCE_END = re.compile(r"(?<=[a-z)])\.\s+")
"""Where a sentence ends, also before one that begins with a number."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count of people in a study, where it stands, and in which document."""

    number: int
    deed: Deed
    planned: bool
    passage: Passage

    @property
    def text(self) -> str:
        """ "212 randomised"."""
        return f"{self.number} {self.deed.value}"


@dataclass(frozen=True, slots=True)
class Named:
    """A study under the number by which a question names it, with the passage that gives it another one."""

    study: Study
    number: str
    heads: tuple[Passage, ...] = ()


async def people_of_study(desk: Desk, question: Question, registry: Sequence[Molecule]) -> Answer | None:
    """How many people the study that a question names had; None where it names more than that, and where no
    document states it in one number.
    """
    if not re.search(r"\d", PHASE.sub(" ", without_names(question.text, registry))):
        return None  # it writes no number of a study
    studies = await studies_on_record(desk.tools, desk.records)
    named = [Named(one, one.name) for one in studies if names(question.text, one.name)]
    named = named or await by_their_number(desk, studies, question.text)
    if len(named) != 1 or narrows(question.text, named[0].number, registry):
        return None
    [one] = named
    # The gate reads "219" in "219/P02" as a number that no passage states.
    study, number = one.study, one.study.name if one.number[0].isdigit() else one.number
    wanted = deeds_in(question.text) or ALL_IN
    counts = await counts_of(desk, study, one.number, studies)
    told = of_own_documents(study, each_once([o for o in counts if not o.planned and o.deed in wanted]))
    if is_planned(study):
        return planned(desk, question, number, each_once([one for one in counts if one.deed in ALL_IN]))
    if not told or (len(told) > 1 and wanted != ALL_IN):
        return None
    several = len({one.number for one in told}) > 1
    line = f"{number}: {listed([with_source(o) if several else o.text for o in told])}."
    return answered(desk, question, number, line, [*(o.passage for o in told), *one.heads])


async def by_their_number(desk: Desk, studies: Sequence[Study], text: str) -> list[Named]:
    """The studies whose documents give themselves, at their beginning, a number that a question writes."""
    by_id = {record.doc_id: study for study in studies for record in study.records}
    found: dict[str, Named] = {}
    for one in await desk.tools.documents.open_all(desk.tools.index, list(by_id)[:MOST_DOCUMENTS]):
        study = by_id[one.document.record.doc_id]
        for passage in one.passages[:HEAD]:
            own = OWN_NUMBER.search(passage.text)
            number = own["number"].rstrip(".,;:") if own else ""
            if names(text, number):
                found.setdefault(study.name, Named(study, number, (passage,)))
    return list(found.values())


def planned(desk: Desk, question: Question, study: str, counts: Sequence[Count]) -> Answer | None:
    """What is said of a study that has not begun: how many it is to have."""
    if len({one.number for one in counts}) != 1:
        return None
    line = f"{study} is on record as planned, with {counts[0].number} people to be enrolled."
    return answered(desk, question, study, line, [one.passage for one in counts])


def answered(desk: Desk, question: Question, study: str, line: str, passages: Sequence[Passage]) -> Answer:
    """The line with the passages behind its counts."""
    keys = list(map(desk.key, passages))
    return desk.answer(question, line, [line_of(desk.number(), line, keys)], subjects=[study])


def with_source(count: Count) -> str:
    """A count with its document, where documents differ."""
    return f"{count.text} ({count.passage.doc_id})"


async def counts_of(desk: Desk, study: Study, number: str, studies: Sequence[Study]) -> list[Count]:
    """The counts of a study's people in its own documents, in sentences on it elsewhere, and in registers;
    those in sentences that name another study are left out.
    """
    foreign = [one.name for one in studies if one.name not in (study.name, number)]
    own = [record.doc_id for record in study.records]
    molecules = {name for record in study.told for name in record.molecules}
    others = [r.doc_id for r in desk.records if molecules & set(r.molecules) and r.doc_id not in own]
    found: list[Count] = []
    for one in await desk.tools.documents.open_all(desk.tools.index, [*own, *others[:MOST_DOCUMENTS]]):
        if one.document.record.copy_of or one.document.record.newest_version:
            continue
        of_study = one.document.record.doc_id in own
        for passage in one.passages:
            if passage.row is None and passage.kind is not PassageKind.HEADING:
                found += [
                    count
                    for sentence in SENTENCE_END.split(passage.text)
                    if (of_study or names(sentence, number))
                    and not any(names(sentence, other) for other in foreign)
                    for count in counts_in(sentence, passage)
                ]
    return [*found, *of_registers(study)]


def counts_in(sentence: str, passage: Passage) -> Iterator[Count]:
    """The counts in a sentence of a passage."""
    yield from (Count(one.number, one.deed, one.planned, passage) for one in people_in(sentence))


def of_registers(study: Study) -> Iterator[Count]:
    """The counts in a study's rows: those enrolled, or to be enrolled in a study that is planned."""
    for row in study.rows:
        assert row.passage.row is not None
        for head, cell in zip(row.passage.row.header, row.passage.row.cells, strict=True):
            if PEOPLE_HEAD.fullmatch(head.strip()) and cell.strip().replace(",", "").isdigit():
                begun = row.record.status in (StudyStatus.COMPLETED, StudyStatus.TERMINATED)
                if begun or is_planned(study):
                    yield Count(number_of(cell.strip()), Deed.ENROLLED, is_planned(study), row.passage)


def each_once(counts: Sequence[Count]) -> list[Count]:
    """Each number of a deed once, those of documents before those of registers."""
    kept: dict[tuple[int, Deed], Count] = {}
    for one in counts:
        kept.setdefault((one.number, one.deed), one)
    return list(kept.values())


def of_own_documents(study: Study, counts: Sequence[Count]) -> list[Count]:
    """The counts of a study's own documents and registers; those of others where there are none."""
    own = {record.doc_id for record in study.told}
    return [one for one in counts if one.passage.doc_id in own] or list(counts)


def is_planned(study: Study) -> bool:
    """Whether a study is on record as planned."""
    return study_status(study).casefold() == StudyStatus.PLANNED.value or (
        not study.records and any(row.record.status is StudyStatus.PLANNED for row in study.rows)
    )


def names(text: str, study: str) -> bool:
    """Whether a text has a study's number, whatever divides its parts."""
    parts = re.findall(r"[^\W_]+", study)
    written = r"[\W_]?".join(map(re.escape, parts))
    return bool(parts) and re.search(rf"(?i)(?<![^\W_]){written}(?![^\W_])", text) is not None


def narrows(text: str, study: str, registry: Sequence[Molecule]) -> bool:
    """Whether a question counts only some of a study's people: those of a group, or with a finding."""
    rest = HOW_MANY.sub(" ", re.sub(re.escape(study), " ", text, flags=re.IGNORECASE))
    rest = without_names(rest, registry)
    for words in ASKED.values():
        rest = words.sub(" ", rest)
    return any(word not in FILLING for word in re.findall(r"[^\W_]+", rest.casefold()))


async def studies_by_number(
    desk: Desk, question: Question, limit: Limit, narrowed: Narrowed, molecules: Sequence[str]
) -> Answer | None:
    """The studies with more or fewer people than a number, each with its count; planned ones are left out."""
    words = [word for word in narrowed.words if not set(deeds_in(word)) & set(ALL_IN)]
    if words or limit.unit or set(deeds_in(OF_STUDIES.sub(" ", question.text))) - set(ALL_IN):
        return None
    studies = await studies_on_record(desk.tools, desk.records)
    looked = [one for one in studies if is_about(one, narrowed, molecules) and not is_planned(one)]
    counts = {one.name: await enrolled(desk, one, studies) for one in looked}
    kept = {one.name: [limit.holds(count.number) for count in counts[one.name]] for one in looked}
    held = sorted((one for one in looked if kept[one.name] and all(kept[one.name])), key=lambda one: one.name)
    unsure = [one for one in looked if one not in held and any(kept[one.name])]
    silent = [one for one in looked if not counts[one.name]]
    if len(silent) == len(looked):
        return None
    told = "; ".join(f"{one.name} ({listed([c.text for c in counts[one.name]])})" for one in held)
    several = number_of_studies(len(held), "study", "studies")
    line = f"{several}: {told}." if held else NONE.format("study", "number of people")
    keys = [desk.key(c.passage) for one in (*held, *unsure) for c in counts[one.name]]
    told_of = [c.passage for own in counts.values() for c in own][:1]
    keys = keys or [desk.key(passage) for passage in told_of]
    notes = [
        f"Not stated how many people: {', '.join(one.name for one in silent)}." if silent else "",
        f"Documents differ on {', '.join(one.name for one in unsure)}." if unsure else "",
        "Planned studies are left out.",
    ]
    derived = [counted([one.name for one in held])] if held else []
    first = line_of(desk.number(), line, keys)
    return desk.answer(
        question, line, [first], notes=notes, subjects=[one.name for one in looked], derived=derived
    )


async def enrolled(desk: Desk, study: Study, studies: Sequence[Study]) -> list[Count]:
    """How many people a study had at all, each number once."""
    found = [
        one
        for one in await counts_of(desk, study, study.name, studies)
        if one.deed in ALL_IN and not one.planned
    ]
    once = {one.number: one for one in reversed(of_own_documents(study, found))}
    return list(reversed(once.values()))
