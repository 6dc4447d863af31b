"""The archive's records as a model reads them, where a question is over documents, studies or molecules."""

import re

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
