"""Questions to begin with, and to ask next: of the types for which the archive has an answer.

Nothing is offered on suspicion. The extractors, which need no model, read the molecule's documents first.
"""

import re
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from itertools import islice

from agents.archive.answer import Answer
from agents.archive.general.ranking import rank_passages
from agents.archive.general.search import search_generally
from agents.archive.investigate import extracted
from agents.archive.library import QuestionType
from agents.archive.research import EXTRACTORS
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import ResearchInput
from retrieval.values import DocumentRecord, Filters, Molecule

OFFERED = 5
STARTERS = 3
LISTED = "Which documents are about {}?"
ALL = "Which documents do I have?"
CELL = "What is the {} of {}?"
PLAIN = re.compile(r"([A-Z]?[a-z]{3,}(?: [A-Za-z]?[a-z]+){0,4})(?: \([^()]+\))?")
"""A head or label that reads well in a question, and its unit."""
DOCUMENTS = 40
"""Documents of the molecule that are read for it."""
LOOKED_AT = 10
"""So many of each molecule for questions to begin with."""
ORDER = (
    "first_in_human_dose",
    "highest_dose",
    "organ_toxicity",
    "discontinuation_reason",
    "margin_of_safety",
    "efficacious_dose",
    "mechanism",
)
"""Types that most readers ask for; the others follow."""


async def suggest(tools: ArchiveTools, answer: Answer) -> tuple[str, ...]:
    """At most `OFFERED` questions about the answer's molecule that the archive answers."""
    if not answer.molecules or answer.ask_back:
        return ()
    found = [one async for _, one in _about(tools, answer.molecules[0], answer.question_types, OFFERED)]
    return tuple(found)


async def starters(tools: ArchiveTools) -> tuple[str, ...]:
    """At most `STARTERS` questions of different types that the archive answers, about its main molecules.

    Where it answers fewer, they ask for cells of tables, then for lists of documents, which are always right.
    """
    records = await tools.index.records()
    counted = Counter(name for record in records for name in record.main_molecules)
    names = [name for name, _ in counted.most_common(STARTERS)]
    offered: dict[str, str] = {}
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        most = -(-(STARTERS - len(offered)) // left)
        offered |= {kind: one async for kind, one in _about(tools, name, (*offered,), most, LOOKED_AT)}
    cells = [one async for one in _cells(tools, records, STARTERS - len(offered))]
    about = dict.fromkeys((*names, *(one for record in records for one in record.species)))
    return (*offered.values(), *cells, ALL, *map(LISTED.format, about))[: STARTERS if records else 0]


async def _cells(tools: ArchiveTools, records: Sequence[DocumentRecord], most: int) -> AsyncIterator[str]:
    """So many questions for a cell of a table with a caption, each of another document, which it answers."""
    own = [one.doc_id for one in records[: LOOKED_AT if most else 0]]
    for document in await tools.documents.open_all(tools.index, own):
        rows = (one.row for one in document.passages if one.row and one.row.caption)
        asked = (
            CELL.format(head[1], label[1])
            for row in rows
            for text, cell in zip(row.header[1:], row.cells[1:], strict=True)
            if cell[:1].isdigit() and (head := PLAIN.fullmatch(text))
            if (label := PLAIN.fullmatch(row.cells[0]))
        )
        for question in islice(asked, most and 1):
            found = await search_generally(tools, question, ())
            if (await rank_passages(tools, question, found)).told:
                most -= 1
                yield question


async def _about(
    tools: ArchiveTools, name: str, asked: Collection[str], most: int, documents_read: int = DOCUMENTS
) -> AsyncIterator[tuple[str, str]]:
    """So many types with a question about a molecule that the archive answers, of others than were asked."""
    registry = await tools.index.molecules()
    molecule = next((one for one in registry if one.name == name), Molecule(name))
    others = tuple(one for one in registry if one.name != name)
    records = await tools.index.records(Filters(molecules=(name,)))
    own = [record.doc_id for record in records if name in record.main_molecules and not record.newest_version]
    documents = await tools.documents.open_all(tools.index, own[:documents_read])
    for kind in _in_order(tools, asked):
        question = kind.output.ask.replace("{molecule}", name)
        if most and await _answered(kind, question, molecule, others, documents):
            most -= 1
            yield kind.id, question


def _in_order(tools: ArchiveTools, asked: Collection[str]) -> list[QuestionType]:
    """The types that may be offered and were not just asked."""
    names = (*ORDER, *(name for name in tools.library if name not in ORDER))
    kinds = [tools.library[name] for name in names if name in tools.library and name in EXTRACTORS]
    return [kind for kind in kinds if kind.output.ask and kind.id not in asked]


async def _answered(
    kind: QuestionType,
    question: str,
    molecule: Molecule,
    others: tuple[Molecule, ...],
    documents: Sequence[LoadedDocument],
) -> bool:
    """Whether the rules find an answer to the question in the documents, as for humans where it asks so; why
    a molecule was discontinued is only asked of one that was, and not of a study or a part.
    """
    read = tuple(one for one in documents if set(one.record.stages) & set(kind.queries))
    draft = await extracted(kind, ResearchInput(molecule, others, read, question))
    return draft.present and {"programme"} >= {one.value for one in draft.fields if one.field == "scope"}
