"""Research per domain (DiscoVerse, section 2.2): a domain agent reads its dossier and drafts its findings.

These are the rules, the extractors of `agents.archive.research`. A language model reads what they found, and
the passages (`agents.archive.read`); where it fails, theirs is the answer.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import SearchedPlace
from agents.archive.library import QuestionType
from agents.archive.relevance import Reviewed
from agents.archive.research import EXTRACTORS
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft, ResearchInput, ReviewedDocument
from agents.minds.minded import RULES, Minded
from retrieval.values import Domain, Molecule


@dataclass(frozen=True, slots=True)
class DomainDraft:
    """What one domain drafted for one type and molecule. `mind` is "rules" or the model's name.

    `why_fallen_back` says why a model that was asked did not draft it; else it is "".
    """

    domain: Domain
    question_type: str
    molecule: str
    draft: Draft
    searched: SearchedPlace
    reviewed: Reviewed
    mind: str = RULES
    why_fallen_back: str = ""


async def investigate(
    tools: ArchiveTools, batch: tuple[Reviewed, ...], question: str = ""
) -> tuple[Minded[Draft], ...]:
    """Draft a finding for everything that one domain reviewed."""
    return tuple([await investigate_one(tools, reviewed, question) for reviewed in batch])


async def investigate_one(tools: ArchiveTools, reviewed: Reviewed, question: str = "") -> Minded[Draft]:
    """One question type and molecule."""
    kind = tools.library[reviewed.found.question_type]
    return Minded(await draft_by_rules(kind, await gather_input(tools, [reviewed], question)))


def domain_drafts(batch: Sequence[Reviewed], made: Sequence[Minded[Draft]]) -> tuple[DomainDraft, ...]:
    """What one domain drafted, with what it was drafted from. The steps before keep that."""
    return tuple(domain_draft(*pair) for pair in zip(batch, made, strict=True))


def domain_draft(reviewed: Reviewed, made: Minded[Draft]) -> DomainDraft:
    """One question type and molecule."""
    found = reviewed.found
    return DomainDraft(
        found.domain,
        found.question_type,
        found.molecule,
        made.value,
        found.searched,
        reviewed,
        made.by,
        made.why_fallen_back,
    )


async def draft_by_rules(kind: QuestionType, research_input: ResearchInput) -> Draft:
    """The extractor of the question type, in a thread: reading a large dossier takes the processor."""
    if not research_input.documents:
        return Draft(False, "", kind.absent(research_input.molecule.name))
    return await asyncio.to_thread(EXTRACTORS[kind.id], research_input)


async def gather_input(
    tools: ArchiveTools, reviewed: Sequence[Reviewed], question: str = ""
) -> ResearchInput:
    """Documents of one or several domains, by date and name, with what passed review.

    Whole documents are handed over, since a table or a design is often explained elsewhere than where its
    value stands.
    """
    name = reviewed[0].found.molecule
    registry = await tools.index.molecules()
    doc_ids = sorted({doc_id for item in reviewed for doc_id in item.found.doc_ids})
    retained: dict[str, set[int]] = {}
    for ref in (ref for item in reviewed for ref in item.review.retained):
        retained.setdefault(ref.doc_id, set()).add(ref.start)
    opened = [
        ReviewedDocument(
            read.document.record, read.passages, frozenset(retained.get(read.document.record.doc_id, ()))
        )
        for read in await tools.documents.open_all(tools.index, doc_ids)
    ]
    opened.sort(key=lambda document: (document.record.date, document.record.doc_id))
    return ResearchInput(*_apart(name, registry), tuple(opened), question)


def _apart(name: str, registry: Sequence[Molecule]) -> tuple[Molecule, tuple[Molecule, ...]]:
    """The molecule of a name, and all others of the archive."""
    molecule = next((known for known in registry if known.name == name), Molecule(name))
    return molecule, tuple(known for known in registry if known.name != name)
