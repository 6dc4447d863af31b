"""An answer that is a table of passages and cells as they stand in documents, each cited in its place; and
the documents, studies or molecules on record, told so, or to a model.
"""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.tools import ArchiveTools, title_passage
from agents.data_block import data_block
from agents.evidence.memory import EvidenceMemory
from agents.reports.compose import Composer
from agents.reports.values import Paragraph, Table
from retrieval.records import RecordFilter, Thing, find_records
from retrieval.values import Passage

Row = Sequence[tuple[str, Passage | None]]
"""Cells, each with the passage that it stands in."""
MOST = 30
"""Rows that are told."""
_THING = (
    r"(?:(?P<studies>studies|trials|experiments)|(?P<documents>documents|reports|protocols|files|minutes)"
    r"|(?P<molecules>molecules|compounds|drugs|candidates|projects))\b"
)
ASKED = re.compile(
    r"\b(?:how many|number of|count|list|which|what|all|every|each|any|rank|compare|table of|overview of)\b"
    rf"[^?.]{{0,50}}?\b{_THING}",
    re.IGNORECASE,
)
LISTED = re.compile(
    r"(?:and )?(?:which|what|how many|(?:list|show|give)(?: me)?)(?: all)?(?: the| my| our)? "
    rf"(?P<kind>(?!patients|subjects|volunteers|animals|rats|dogs)[\w-]+ )?{_THING}(?P<rest>.*?)\W*",
    re.IGNORECASE,
)
"""A question for a list; what `kind` and `rest` say besides words that only ask must be on record."""
ASKING = re.compile(
    r"\b(?:of|on|with|for|about|in|the|this|your|my|our|archive|there|are|is|were|was|have|has|been|got|hold|held|do"
    r"|did|does|i|we|you|it|done|conducted|performed|carried|out|run|exist|available|that|mention\w*|name\w*)\b",
    re.IGNORECASE,
)


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


async def told_records(tools: ArchiveTools, question: Question) -> Answer | None:
    """The records that meet all that a question names, each with the passage that stands for it; None where
    none does or no list is asked for.
    """
    asked = LISTED.fullmatch(question.text)
    if question.instruction or asked is None:
        return None
    thing = next(one for one in Thing if asked[one.value])
    words = ASKING.sub(" ", f"{asked['kind'] or ''}{asked['rest']}")
    found = await find_records(tools.index, RecordFilter(thing, words=words), limit=MOST)
    told = [(row, await title_passage(tools, row.documents[0])) for row in found.rows if row.documents]
    if not told:
        return None
    rows = [[(row.name, at), (row.title, at), (row.type, at)] for row, at in told]
    short, counts = f"{thing.value.capitalize()} on record:", f"{found.total}. Registers may name more."
    return await tabled(tools, question, short, counts, ("Name", "Title", "Type"), rows)


async def render_records(
    tools: ArchiveTools, question: str, molecules: tuple[str, ...], memory: EvidenceMemory, reader: str
) -> str:
    """The rows that a question may count or list, each with the key of the passage that stands for it; "" for
    a question over something else. `reader` is the agent that reads them.
    """
    if (asked := ASKED.search(question)) is None:
        return ""
    thing = Thing(asked.lastgroup or Thing.DOCUMENTS)
    holders = {record.doc_id: record for record in await tools.index.records()}
    lines, total = list[str](), 0
    for name in molecules or ("",):
        found = await find_records(tools.index, RecordFilter(thing, name), limit=MOST - len(lines))
        total += found.total
        for row in found.rows:
            passage = await title_passage(tools, row.documents[0]) if row.documents else None
            key = f" [{memory.add(passage, holders[passage.doc_id], reader).key}]" if passage else ""
            lines.append(f"{row.line}{key}")
    told = f"{thing.value} on record: {total}. Registers among the passages may name more."
    return data_block("\n".join((told, *lines)), kind="records") if lines else ""
