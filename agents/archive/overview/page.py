"""Builds an answer from records: a line, blocks, and the passages that stand for the records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents.archive.answer import Answer, Outcome, Question, SearchedPlace
from agents.archive.claim_checker import ClaimChecker
from agents.archive.overview.studies import Study, title_passage
from agents.archive.research.patterns.phases import in_roman
from agents.archive.tools import ArchiveTools
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.evidence.values import Evidence, Provenance
from agents.reports.compose import Composer
from agents.reports.values import Block, Cell, Paragraph, Prose, Statement, Table
from agents.trust.dates import covers, parse_dates
from agents.trust.values import COUNT, Derivation
from retrieval.ingest.record import phase_of
from retrieval.ingest.record_rules import PHASE
from retrieval.values import DocumentRecord, Passage

TYPE = "overview"
MOST_ROWS = 60


@dataclass(slots=True)
class Desk:
    """Evidence and citation numbers of one answer."""

    tools: ArchiveTools
    checker: ClaimChecker
    records: Sequence[DocumentRecord]
    query: str
    composer: Composer = field(default_factory=lambda: Composer(()))
    uncited: list[str] = field(default_factory=list)
    """Records without any text, such as a scan that was not read: they are named and cannot be opened."""

    @classmethod
    async def open(cls, tools: ArchiveTools, query: str) -> "Desk":
        """A desk over all records of the archive."""
        records = await tools.index.records()
        return cls(tools, ClaimChecker(tools, {record.doc_id: record for record in records}), records, query)

    def take(self, evidence: Sequence[Evidence]) -> None:
        """Begin with the evidence that question types rest on."""
        self.checker.memory = EvidenceMemory.joined([MemoryDump(tuple(evidence))], len(evidence) + 1)

    def key(self, passage: Passage) -> str:
        """The key of a passage."""
        return self.checker.keys([passage], Provenance("overview", "records", self.query, "overview"))[0]

    async def phase_of(self, study: Study) -> tuple[str, tuple[str, ...]]:
        """The study's phase in Roman numbers, and the key of a passage that states it; "" where none does."""
        for record in study.records:
            read = await self.tools.documents.open(self.tools.index, record.doc_id)
            for passage in read.passages if read and record.phase else ():
                found = PHASE.search(passage.text)
                if found and phase_of(found) == record.phase:
                    return in_roman(found[0]), (self.key(passage),)
        for row in study.rows:
            if row.record.phase:
                written = PHASE.search(row.passage.text)
                return in_roman(written[0] if written else row.record.phase), (self.key(row.passage),)
        return "", ()

    async def date_of(self, study: Study) -> tuple[str, tuple[str, ...]]:
        """The study's date, and the key of a passage that states it; no key where none does."""
        record = next((record for record in study.told if record.date), None)
        if record is None:
            return "", ()
        read = await self.tools.documents.open(self.tools.index, record.doc_id)
        for passage in read.passages if read else ():
            stated = parse_dates(passage.text)
            if any(covers(one, date) for date in parse_dates(record.date) for one in stated):
                return record.date, (self.key(passage),)
        return record.date, ()

    async def key_of(self, study: Study) -> tuple[str, ...]:
        """The keys of the passages that stand for a study: its title, and its rows in registers; none where
        its document is gone.
        """
        passage = await title_passage(self.tools, study.records[0]) if study.records else None
        found = [*([passage] if passage else []), *(row.passage for row in study.rows)]
        if not found:
            self.uncited.append(study.name)
        return tuple(map(self.key, found))

    def number(self) -> Composer:
        """The composer over all evidence so far; numbers that were given out stay."""
        self.composer = Composer(self.checker.memory.all(), self.composer.citations())
        return self.composer

    def answer(
        self,
        question: Question,
        short: str,
        blocks: Sequence[Block],
        *,
        molecules: Sequence[str] = (),
        notes: Sequence[str] = (),
        not_found: Sequence[str] = (),
        subjects: Sequence[str] = (),
        derived: Sequence[Derivation] = (),
        outcome: Outcome = Outcome.ANSWERED,
    ) -> Answer:
        """The answer, with the evidence that is cited."""
        citations = self.composer.citations()
        cited = {citation.key for citation in citations}
        return Answer(
            question.text,
            short,
            tuple(blocks),
            outcome,
            tuple(molecules),
            (TYPE,),
            citations=citations,
            evidence=tuple(item for item in self.checker.memory.all() if item.key in cited),
            not_found=tuple(not_found),
            searched=(SearchedPlace(question.text, None, len(self.records), 0),),
            notes=tuple(dict.fromkeys(filter(None, notes))),
            subjects=tuple(dict.fromkeys((*subjects, *self.uncited))),
            derived=tuple(derived),
        )


def counted(names: Sequence[str]) -> Derivation:
    """A count, with what was counted."""
    return Derivation(str(len(names)), COUNT, tuple(names), ())


def line_of(composer: Composer, text: str, keys: Sequence[str]) -> Block:
    """The line that answers, with the records behind it."""
    numbers = tuple(dict.fromkeys(composer.cite(key) for key in keys))
    return Prose((Statement(text, numbers),), strong=True)


async def study_table(
    desk: Desk, studies: Sequence[Study], title: str, *, head: str = "Study"
) -> tuple[list[str], list[Block]]:
    """Keys of the studies, and their table: only columns that say something."""
    shown = studies[:MOST_ROWS]
    keys = [await desk.key_of(study) for study in shown]
    phases = [await desk.phase_of(study) for study in shown]
    dates = [await desk.date_of(study) for study in shown]
    composer = desk.number()
    columns = (head, "Title", "Type", "Phase", "Status", "Date")
    rows = [
        (
            composer.cell(study.name, own),
            *map(Cell, facts_of(study)),
            composer.cell(*phase),
            Cell(study_status(study)),
            composer.cell(date, [key for key in stated if key not in own]),
        )
        for study, own, phase, (date, stated) in zip(shown, keys, phases, dates, strict=True)
    ]
    used = [i for i in range(len(columns)) if any(row[i].text for row in rows)]
    body = tuple(tuple(row[i] for i in used) for row in rows)
    blocks: list[Block] = [Table(title, tuple(columns[i] for i in used), body)] if body else []
    if len(studies) > MOST_ROWS:
        blocks.append(Paragraph(f"{len(studies) - MOST_ROWS} more are not shown."))
    return [key for own in (*keys, *(own for _, own in (*phases, *dates))) for key in own], blocks


def facts_of(study: Study) -> tuple[str, str]:
    """Title and type as the study's records have them."""
    return study.record.title, _first(record.document_type for record in study.told)


def study_status(study: Study) -> str:
    """The status as the study's documents have it, else as registers do."""
    of_documents = (record.status.value for record in study.records if record.status)
    return _first((*of_documents, *(row.status for row in study.rows)))


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")
