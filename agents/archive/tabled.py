"""An answer that is a table of passages and cells as they stand in documents, each cited in its place."""

from collections.abc import Sequence

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.tools import ArchiveTools
from agents.evidence.memory import EvidenceMemory
from agents.reports.compose import Composer
from agents.reports.values import Paragraph, Table
from retrieval.values import Passage

Row = Sequence[tuple[str, Passage | None]]
"""Cells, each with the passage that it stands in."""


async def tabled(
    tools: ArchiveTools,
    question: Question,
    short: str,
    counts: str,
    columns: tuple[str, ...],
    rows: Sequence[Row],
) -> Answer:
    """The answer: a line without any number, which no passage carries, how much there is, and the table."""
    records = {one.doc_id: one for one in await tools.index.records()}
    memory = EvidenceMemory()
    keyed = [
        [(text, (memory.add(one, records[one.doc_id]).key,) if one else ()) for text, one in row]
        for row in rows
    ]
    composer = Composer(memory.all())
    table = Table("", columns, tuple(tuple(composer.cell(*cell) for cell in row) for row in keyed))
    told = (Paragraph(f"{short} {counts}", remark=True), table)
    return Answer(question.text, short, told, AnswerOutcome.ANSWERED, citations=composer.citations())
