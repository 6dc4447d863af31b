"""What the archive's records say, as a model reads it: lines and tables under the keys of what stands behind.

A question over the whole archive is answered from this register; the model need not open every document.
"""

from collections.abc import Mapping, Sequence

from agents.archive.answer import Answer
from agents.archive.tools import ArchiveTools
from agents.data_block import data_block
from agents.evidence.memory import EvidenceMemory, holder
from agents.evidence.values import Evidence, Provenance
from agents.minds.readable import readable
from agents.reports.values import Block, Cell, Points, Prose, Statement, Table
from retrieval.values import Passage

KEYS_TOLD = 4
LONGEST = 400
"""Characters of a passage behind a record."""
INTRODUCED = (
    "A program put this together from the archive's records and key sentences. It knows only what has a "
    "document of its own, and may be wrong: registers and brochures among the passages may name more, and "
    "where a passage says otherwise, the passage counts."
)


async def records_told(tools: ArchiveTools, answer: Answer, memory: EvidenceMemory, by: Provenance) -> str:
    """The answer that was made from records, with the passages behind it, as material."""
    holders = {record.doc_id: record for record in await tools.index.records()}
    keys: dict[str, str] = {}
    passages = []
    shown = [item for item in memory.all() if item.provenance.agent == by.agent]
    for item in answer.evidence:
        if there := holder(item, shown):
            keys[item.key] = there.key
        elif item.doc_id in holders:
            keys[item.key] = key = memory.add(passage_of(item), holders[item.doc_id], by).key
            text = readable(item.text)
            passages.append(f"{key} ({item.doc_id}): {text[:LONGEST]}{' […]' if text[LONGEST:] else ''}")
    numbers = {one.number: keys[one.key] for one in answer.citations if one.key in keys}
    lines = [line for block in answer.blocks for line in block_told(block, numbers)]
    behind = ("Passages behind it that are not below:", *passages) if passages else ()
    told = "\n".join((*lines, *answer.not_found, *answer.notes, *behind))
    return f"{INTRODUCED}\n{data_block(told, kind='records')}"


def block_told(block: Block, numbers: Mapping[int, str]) -> list[str]:
    """The lines of a block."""
    if isinstance(block, Prose | Points):
        return [statement_told(one, numbers) for one in block.statements]
    if not isinstance(block, Table):
        return []
    rows = ["| " + " | ".join(cell_told(cell, numbers) for cell in row) + " |" for row in block.rows]
    return [f"{block.title}:", "| " + " | ".join(block.columns) + " |", *rows]


def statement_told(statement: Statement, numbers: Mapping[int, str]) -> str:
    """A statement with its keys."""
    return f"- {statement.text}{keys_told(statement.citations, numbers)}"


def cell_told(cell: Cell, numbers: Mapping[int, str]) -> str:
    """A cell with its keys."""
    return f"{cell.text}{keys_told(cell.citations, numbers)}"


def keys_told(citations: Sequence[int], numbers: Mapping[int, str]) -> str:
    """Keys in brackets; of many the first."""
    keys = [numbers[number] for number in citations if number in numbers][:KEYS_TOLD]
    return f" [{', '.join(keys)}]" if keys else ""


def passage_of(evidence: Evidence) -> Passage:
    """A piece of evidence as a passage."""
    return Passage(
        evidence.doc_id,
        evidence.start,
        evidence.end,
        evidence.text,
        section=evidence.section,
        page=evidence.page,
    )
