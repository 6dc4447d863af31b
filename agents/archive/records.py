"""Documents, studies or molecules on record, where a question is over them: told as a table, or to a model."""

import re

from agents.archive.answer import Answer, Question
from agents.archive.tabled import tabled
from agents.archive.tools import ArchiveTools, title_passage
from agents.data_block import data_block
from agents.evidence.memory import EvidenceMemory
from retrieval.records import RecordFilter, Thing, find_records

ASKED = re.compile(
    r"\b(?:how many|number of|count|list|which|what|all|every|each|any|rank|compare|table of|overview of)\b"
    r"[^?.]{0,50}?\b(?:(?P<studies>studies|trials|experiments)|(?P<documents>documents|reports|protocols|files|minutes)"
    r"|(?P<molecules>molecules|compounds|drugs|candidates|projects))\b",
    re.IGNORECASE,
)
MOST = 30
"""Rows that are told."""
LISTED = re.compile(
    r"(?:and )?(?:which|what|how many|(?:list|show|give)(?: me)?)(?: all)?(?: the| my| our)? "
    r"(?P<kind>(?!patients|subjects|volunteers|animals|rats|dogs)[\w-]+ )?"
    r"(?:(?P<studies>studies|trials)|(?P<documents>documents|reports|files)|(?P<molecules>molecules|compounds))\b"
    r"(?P<rest>.*?)\W*",
    re.IGNORECASE,
)
"""A question for a list; what is left of its `kind` and `rest` without words that only ask must be on record."""
ASKING = re.compile(
    r"\b(?:of|on|with|for|about|in|the|this|your|my|our|archive|there|are|is|were|was|have|has|been|got|hold|held|do"
    r"|did|does|i|we|you|it|done|conducted|performed|carried|out|run|exist|available|that|mention\w*|name\w*)\b",
    re.IGNORECASE,
)


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
    counts = f"{found.total}. Registers among the documents may name more."
    return await tabled(
        tools, question, f"{thing.value.capitalize()} on record:", counts, ("Name", "Title", "Type"), rows
    )


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
