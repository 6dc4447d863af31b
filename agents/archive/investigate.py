"""Research of a question type (DiscoVerse, section 2.2) in the documents of all its domains together, so that
a contradiction between documents is settled by the same rules wherever they lie.

These are the rules, the extractors of `agents.archive.research`. A language model reads what they found, and
the passages (`agents.archive.read`); where it fails, theirs is the answer.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.archive.find import Found
from agents.archive.library import QuestionType
from agents.archive.research import EXTRACTORS
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft, ResearchInput
from agents.minds.minded import RULES
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule

JOINED = re.compile(r"[\s,]*(?:(?:and|or|vs\.?|versus)\s+)?(?:(?:of|for|in)\s+)?", re.IGNORECASE)
"""What joins the names of molecules of which the same is asked."""


@dataclass(frozen=True, slots=True)
class TypedDraft:
    """What was drafted from what was `found` for one question type and molecule.

    `mind` is "rules" or the model's name. `why_fallen_back` says why a model that was asked did not draft it;
    else it is "".
    """

    found: Found
    draft: Draft
    mind: str = RULES
    why_fallen_back: str = ""

    @property
    def question_type(self) -> str:
        """The question type that it is of."""
        return self.found.question_type

    @property
    def molecule(self) -> str:
        """The molecule that it is about."""
        return self.found.molecule

    @property
    def part(self) -> tuple[str, str]:
        """Which part of the answer it is: molecule and question type."""
        return self.molecule, self.question_type


async def investigate(tools: ArchiveTools, batch: tuple[Found, ...], question: str) -> tuple[Draft, ...]:
    """The findings of a question type's extractor for each molecule."""
    return tuple(
        [
            await extracted(tools.library[found.question_type], await gather_input(tools, found, question))
            for found in batch
        ]
    )


async def extracted(kind: QuestionType, research_input: ResearchInput) -> Draft:
    """The extractor of the question type, in a thread: reading a large dossier takes the processor."""
    if not research_input.documents:
        return Draft(False, "", kind.absent(research_input.molecule.name))
    return await asyncio.to_thread(EXTRACTORS[kind.id], research_input)


async def gather_input(tools: ArchiveTools, found: Found, question: str = "") -> ResearchInput:
    """The documents that were found, by date and name, each one whole: a table or a design is often explained
    elsewhere than where its value stands.
    """
    opened = await tools.documents.open_all(tools.index, found.doc_ids)
    ordered = sorted(opened, key=lambda document: (document.record.date, document.record.doc_id))
    registry, name = await tools.index.molecules(), found.molecule
    molecule = next((known for known in registry if known.name == name), Molecule(name))
    others = tuple(known for known in registry if known.name != name)
    return ResearchInput(molecule, others, tuple(ordered), of_one(question, name, registry))


def of_one(question: str, name: str, registry: Sequence[Molecule]) -> str:
    """A question on several molecules ("of A-1 and of B-2") as one on this molecule; what is named otherwise
    ("given with B-2") stays.
    """
    pairs = pairwise(mentions(question, registry))
    joined = {
        place
        for one, next_one in pairs
        if JOINED.fullmatch(question[one[1] : next_one[0]])
        for place in (one, next_one)
    }
    for start, end, other in sorted(joined, reverse=True):
        if other != name:
            question = f"{question[:start]} {question[end:]}"
    return question
