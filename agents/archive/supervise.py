"""The supervisor (DiscoVerse, section 2.2) checks the findings and puts them together.

Claims become citations of evidence under keys that this run gave out; a claim that its evidence does not
carry is not shown.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import AnswerOutcome
from agents.archive.claim_checker import ClaimChecker
from agents.archive.ground import contradictions, counted, grounded
from agents.archive.investigate import TypedDraft, extracted, gather_input
from agents.archive.library import GENERAL
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import AnswerPart, Draft, GeneralDraft, Merged, ResearchInput
from agents.minds.minded import RULES, fallback_note
from agents.trust.check import SHOWN, shown
from agents.trust.values import Claim, Verdict

MOST_NEAR = 3
"""Passages shown where none surely answers."""
REFUSED = "the passages do not state what it said"
"""Why rules replace a model's draft of which no claim stands."""
CLOSEST = "These passages come closest; nothing is concluded from them."


async def supervise(
    tools: ArchiveTools, question: str, drafts: tuple[TypedDraft, ...], general: GeneralDraft | None
) -> Merged:
    """One part per question type and molecule, in the order of the question.

    A general answer is a part of its own.
    """
    records = {record.doc_id: record for record in await tools.index.records()}
    checker = ClaimChecker(tools, records)
    if tools.model is not None:
        everything = [*(draft.draft for draft in drafts), *([general.draft] if general else [])]
        await checker.judge_ahead(everything)
    parts = tuple([await typed_part(checker, draft, question) for draft in drafts])
    if general is not None:
        parts = with_general(parts, await general_part(checker, general, question))
    return Merged(parts, checker.memory.all())


def with_general(parts: tuple[AnswerPart, ...], general: AnswerPart) -> tuple[AnswerPart, ...]:
    """The parts of a typed question of which none is answered, with what the general search found for it."""
    if not parts or general.present:
        return (general,)
    if general.outcome is AnswerOutcome.NOTHING:
        return parts
    near = replace(parts[0], outcome=general.outcome, headline=general.headline, claims=general.claims)
    return (near, *parts[1:])


async def typed_part(checker: ClaimChecker, draft: TypedDraft, question: str) -> AnswerPart:
    """What stands about one type and molecule.

    A model's draft of which no claim stands gives way to that of the rules: what it got wrong is no reason to
    say that the archive does not state it.
    """
    kind = checker.tools.library[draft.question_type]
    read = await gather_input(checker.tools, draft.found, question)
    whole = await with_passages(draft, read)
    claims = await checker.claims(whole.claims, draft.mind == RULES)
    if draft.mind != RULES and whole.present and not shown(claims):
        draft = replace(draft, draft=await extracted(kind, read), mind=RULES, why_fallen_back=REFUSED)
        whole = await with_passages(draft, read)
        claims = await checker.claims(whole.claims, by_rules=True)
    stands = shown(claims)
    present = whole.present and bool(stands)
    by_model = present and draft.mind != RULES
    absent = f"{CLOSEST} {whole.headline}".strip() if whole.closest and stands else whole.headline
    return AnswerPart(
        kind.id,
        draft.molecule,
        AnswerOutcome.ANSWERED if present else AnswerOutcome.CLOSEST if stands else AnswerOutcome.NOTHING,
        whole.short if present else "",
        ("" if whole.present and not present else absent) or kind.absent(draft.molecule),
        stands,
        tuple(checker.field(field) for field in whole.fields) if present else (),
        draft.found.searched,
        distinct(*notes_of(draft, claims), checker.doubt(whole, stands, question) if by_model else ""),
        contradiction_claims(checker, whole, read.documents),
        whole.derived,
    )


async def with_passages(draft: TypedDraft, read: ResearchInput) -> Draft:
    """A draft as it is checked: what rules drafted with the passages of all its values."""
    if draft.mind != RULES:
        return counted(draft.draft)
    return (
        draft.draft if draft.draft.closest else await asyncio.to_thread(grounded, draft.draft, read.documents)
    )


def contradiction_claims(
    checker: ClaimChecker, whole: Draft, documents: Sequence[LoadedDocument]
) -> tuple[Claim, ...]:
    """Contradictions between documents, each with the passages that contradict."""
    return tuple(
        Claim(one.text, checker.keys(one.passages), verdict=Verdict.SUPPORTED, checked_by="numbers")
        for one in contradictions(whole.conflicts, documents)
    )


async def general_part(checker: ClaimChecker, general: GeneralDraft, question: str) -> AnswerPart:
    """The answer to a general question. Its claims are passages as they stand, or a model's."""
    draft, why = general.draft, general.why_fallen_back
    claims = await standing(checker, draft)
    if draft.present and not claims and general.by_rules is not None:
        draft, why = general.by_rules, REFUSED
        claims = await standing(checker, draft)
    present = draft.present and bool(claims)
    near = claims if draft.closest else ()
    absent = f"{draft.headline} {CLOSEST}".strip() if near else checker.tools.library[GENERAL].absent("")
    headline = draft.headline if present else draft.not_found or absent
    told_of = claims if present else near
    doubt = checker.doubt(draft, claims, question) if present else ""
    return AnswerPart(
        GENERAL,
        "",
        AnswerOutcome.ANSWERED
        if present
        else AnswerOutcome.CLOSEST
        if near and not draft.not_found
        else AnswerOutcome.NOTHING,
        draft.short if present else "",
        headline,
        told_of,
        searched=(general.searched,),
        notes=distinct(*general.notes, fallback_note("research", why), doubt),
        derived=draft.derived,
    )


async def standing(checker: ClaimChecker, draft: Draft) -> tuple[Claim, ...]:
    """The claims that stand; of passages that only come closest the first few."""
    found = shown(await checker.claims(draft.claims))
    return found[:MOST_NEAR] if draft.closest else found


def notes_of(draft: TypedDraft, claims: Sequence[Claim]) -> tuple[str, ...]:
    """Claims that were left out, a model that failed."""
    left_out = sum(claim.verdict not in SHOWN for claim in claims)
    whose = f"{left_out} statement(s) about {draft.molecule} were left out"
    return distinct(
        f"{whose}: their evidence does not carry them." if left_out else "",
        fallback_note("research", draft.why_fallen_back),
        draft.draft.not_found,
    )


def distinct(*notes: str) -> tuple[str, ...]:
    """Notes that say something, each once."""
    return tuple(dict.fromkeys(filter(None, notes)))
