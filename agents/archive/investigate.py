"""Research per domain (DiscoVerse, section 2.2): a domain agent reads its dossier and drafts its findings.

Two minds: a language model with the domain's prompt, which may cite only the keys it is given, and the
extractors of `agents.archive.research`, which are also the fallback.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from agents.archive.answer import Realisation, SearchedPlace
from agents.archive.library import QuestionType
from agents.archive.prompts import load_prompt
from agents.archive.research import EXTRACTORS
from agents.archive.research_input import gather_input
from agents.archive.review import Reviewed, text_in_place
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft, DraftClaim, DraftField, ResearchInput
from agents.errors import ModelAnswerInvalid
from agents.minds.keyed import Keyed
from agents.minds.minded import RULES, Minded, minded
from agents.ports import LanguageModel
from retrieval.values import Passage, Stage

SHOWN_TO_MODEL = 40
"""Passages that a model reads per domain and question type, most relevant first."""


@dataclass(frozen=True, slots=True)
class DomainDraft:
    """What one domain drafted for one type and molecule. `mind` is "rules" or the model's name.

    `why_fallen_back` says why a model that was asked did not draft it; else it is "".
    """

    domain: Stage
    question_type: str
    molecule: str
    draft: Draft
    searched: SearchedPlace
    reviewed: Reviewed
    mind: str = RULES
    why_fallen_back: str = ""


class ModelClaim(BaseModel):
    """A statement with the keys and word-for-word quotes that carry it."""

    text: str
    keys: list[str]
    quotes: list[str] = []


class ModelField(BaseModel):
    """A field of the question type's schema."""

    field: str
    value: str
    unit: str = ""
    keys: list[str] = []
    realisation: Realisation = Realisation.UNCLEAR


class ModelDraft(BaseModel):
    """What a language model returns."""

    present: bool
    short: str
    headline: str
    claims: list[ModelClaim] = []
    fields: list[ModelField] = []


async def investigate(tools: ArchiveTools, batch: tuple[Reviewed, ...]) -> tuple[Minded[Draft], ...]:
    """Draft a finding for everything that one domain reviewed."""
    return tuple([await investigate_one(tools, reviewed) for reviewed in batch])


async def investigate_one(tools: ArchiveTools, reviewed: Reviewed) -> Minded[Draft]:
    """One question type and molecule."""
    kind = tools.library[reviewed.found.question_type]
    return await draft_with(tools.model, kind, await gather_input(tools, [reviewed]), reviewed)


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


async def draft_with(
    model: LanguageModel | None, kind: QuestionType, research_input: ResearchInput, reviewed: Reviewed
) -> Minded[Draft]:
    """The model's draft, or that of the rules where there is no model, nothing to read, or it fails."""

    async def thought(model: LanguageModel) -> Draft:
        return await draft_by_model(model, kind, research_input, reviewed)

    async def ruled() -> Draft:
        return await draft_by_rules(kind, research_input)

    return await minded(model if reviewed.review.retained else None, thought, ruled)


async def draft_by_rules(kind: QuestionType, research_input: ResearchInput) -> Draft:
    """The extractor of the question type, in a thread: reading a large dossier takes the processor."""
    if not research_input.documents:
        return Draft(False, "", kind.absent(research_input.molecule.name))
    return await asyncio.to_thread(EXTRACTORS[kind.id], research_input)


async def draft_by_model(
    model: LanguageModel, kind: QuestionType, research_input: ResearchInput, reviewed: Reviewed
) -> Draft:
    """The model's draft over the best passages. Raises `ModelError`. Keys that were not given are dropped."""
    prompt = load_prompt(reviewed.found.domain.value)
    system = prompt.render(
        molecule=research_input.molecule.name, description=kind.description, fields=field_list(kind)
    )
    keyed = keyed_passages(research_input, reviewed)
    user = f"Question: {kind.name} of {research_input.molecule.name}\n\nPassages:\n{listed(keyed)}"
    given = await model.ask(prompt.role, system, user, ModelDraft)
    if not given.present:
        return Draft(False, "", kind.absent(research_input.molecule.name))
    claims = draft_claims(model, given, keyed)
    fields = tuple(draft_field(said, keyed) for said in given.fields if said.field in field_names(kind))
    return Draft(True, given.short, given.headline, claims, fields)


def field_list(kind: QuestionType) -> str:
    """The schema's fields as a model reads them."""
    return "\n".join(
        f"- {f.name} ({f.type}{', ' + f.unit if f.unit else ''}): {f.label}" for f in kind.fields
    )


def field_names(kind: QuestionType) -> set[str]:
    """Names of the schema's fields."""
    return {field.name for field in kind.fields}


def keyed_passages(research_input: ResearchInput, reviewed: Reviewed) -> Keyed[Passage]:
    """The most relevant passages under the keys that the model may cite."""
    passages = {(p.doc_id, p.start): p for document in research_input.documents for p in document.passages}
    chosen = [
        passages[ref.doc_id, ref.start]
        for ref in reviewed.review.retained
        if (ref.doc_id, ref.start) in passages
    ]
    return Keyed(chosen[:SHOWN_TO_MODEL])


def listed(keyed: Keyed[Passage]) -> str:
    """Passages as a model reads them, each with its document."""
    return keyed.listed(text_in_place, document=lambda passage: passage.doc_id)


def draft_claims(model: LanguageModel, given: ModelDraft, keyed: Keyed[Passage]) -> tuple[DraftClaim, ...]:
    """The model's claims that cite a passage it was given. Raises `ModelAnswerInvalid` if none does."""
    claims = tuple(claim for said in given.claims if (claim := draft_claim(said, keyed)).passages)
    if not claims:
        raise ModelAnswerInvalid(f"{model.name} answered, and cited none of the passages it was given.")
    return claims


def draft_claim(said: ModelClaim, keyed: Keyed[Passage]) -> DraftClaim:
    """A model's claim over the passages it was given."""
    return DraftClaim(said.text, keyed.under(said.keys), quotes=tuple(said.quotes))


def draft_field(said: ModelField, keyed: Keyed[Passage]) -> DraftField:
    """A model's field over the passages it was given."""
    return DraftField(
        said.field,
        said.value,
        said.unit,
        passages=keyed.under(said.keys),
        realisation=said.realisation,
    )
