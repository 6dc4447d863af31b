"""Questions to begin with, and to ask next: of the types for which the archive has an answer.

Nothing is offered on suspicion. The extractors, which need no model, read the molecule's documents first.
"""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from itertools import zip_longest

from agents.archive.answer import Answer
from agents.archive.investigate import extracted
from agents.archive.library import QuestionType
from agents.archive.research import EXTRACTORS
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import ResearchInput
from retrieval.values import Filters, Molecule

OFFERED = 5
STARTERS = 3
LISTED = "Which documents are about {}?"
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
    found = [one async for one in _about(tools, answer.molecules[0], answer.question_types, OFFERED)]
    return tuple(found)


async def starters(tools: ArchiveTools) -> tuple[str, ...]:
    """At most `STARTERS` questions that the archive answers, about the molecules of most documents in turn.

    Where the archive answers fewer, the list of a molecule's documents is offered, which is always right.
    """
    counted = Counter(name for record in await tools.index.records() for name in record.main_molecules)
    names = [name for name, _ in counted.most_common(STARTERS)]
    found = [[one async for one in _about(tools, name, (), STARTERS, LOOKED_AT)] for name in names]
    in_turn = [one for turn in zip_longest(*found) for one in turn if one]
    return tuple([*in_turn, *map(LISTED.format, names)][:STARTERS])


async def _about(
    tools: ArchiveTools, name: str, asked: Collection[str], most: int, documents_read: int = DOCUMENTS
) -> AsyncIterator[str]:
    """So many questions about a molecule that the archive answers, of other types than were asked."""
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
            yield question


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
