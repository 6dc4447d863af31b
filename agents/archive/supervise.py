"""The supervisor (DiscoVerse, section 2.2) checks and merges the findings of the domain agents.

Claims become citations of evidence under keys that this run gave out; a claim that its evidence does not
carry is not shown. Where several domains found something, the question type's extractor reads their documents
together, so that a contradiction between documents is settled by the same rules wherever they lie.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from agents.archive.answer import Outcome
from agents.archive.claim_checker import ClaimChecker
from agents.archive.general.answer import GeneralDraft
from agents.archive.ground import contradictions, counted, grounded
from agents.archive.investigate import DomainDraft, draft_by_rules, gather_input
from agents.archive.library import GENERAL
from agents.archive.tools import ArchiveTools
from agents.archive.values import AnswerPart, Draft, Merged
from agents.minds.minded import RULES, fallback_note
from agents.trust.check import SHOWN, shown
from agents.trust.values import Claim, Verdict

MOST_NEAR = 3
"""Passages shown where none surely answers."""
REFUSED = "the passages do not state what it said"
"""Why rules replace a model's draft of which no claim stands."""
CLOSEST = "I found no sentence that says this for certain; these come closest."


async def supervise(
    tools: ArchiveTools, question: str, drafts: tuple[DomainDraft, ...], general: GeneralDraft | None
) -> Merged:
    """One part per question type and molecule, in the order of the question.

    A general answer is a part of its own.
    """
    order = {key: place for place, key in enumerate(dict.fromkeys(part_of(draft) for draft in drafts))}
    records = {record.doc_id: record for record in await tools.index.records()}
    checker = ClaimChecker(tools, records)
    ordered = groupby(sorted(drafts, key=lambda draft: order[part_of(draft)]), key=part_of)
    groups = [by_domain(tools, list(group)) for _, group in ordered]
    wholes = [await integrate(tools, group, question) for group in groups]
    if tools.model is not None:
        await checker.judge_ahead(
            [*(draft.draft for draft in drafts), *wholes, *([general.draft] if general else [])]
        )
    for place, group in enumerate(groups):
        standing = await standing_drafts(checker, group, question)
        if standing != group:
            groups[place], wholes[place] = standing, await integrate(tools, standing, question)
    pairs = zip(groups, wholes, strict=True)
    parts = tuple([await merge(checker, group, whole) for group, whole in pairs])
    if general is not None:
        parts = with_general(parts, await general_part(checker, general))
    return Merged(parts, checker.memory.all())


def with_general(parts: tuple[AnswerPart, ...], general: AnswerPart) -> tuple[AnswerPart, ...]:
    """The parts of a typed question of which none is answered, with what the general search found for it."""
    if not parts or general.present:
        return (general,)
    if general.outcome is Outcome.NOTHING:
        return parts
    near = replace(parts[0], outcome=general.outcome, headline=general.headline, claims=general.claims)
    return (near, *parts[1:])


def part_of(draft: DomainDraft) -> tuple[str, str]:
    """What belongs together: molecule and question type."""
    return draft.molecule, draft.question_type


def by_domain(tools: ArchiveTools, drafts: Sequence[DomainDraft]) -> list[DomainDraft]:
    """Drafts of one question type in the order of its domains."""
    kind = tools.library[drafts[0].question_type]
    return sorted(drafts, key=lambda draft: kind.domains.index(draft.found.domain))


async def standing_drafts(
    checker: ClaimChecker, group: list[DomainDraft], question: str
) -> list[DomainDraft]:
    """The drafts of one type and molecule; those of the rules in place of a model's of which no claim stands.

    What a model got wrong is no reason to say that the archive does not state it.
    """
    said = next((draft for draft in group if draft.mind != RULES and draft.draft.present), None)
    if said is None or shown(await checker.claims(said.draft.claims)):
        return group
    kind = checker.tools.library[said.question_type]
    inputs = [await gather_input(checker.tools, [draft.found], question) for draft in group]
    ruled = [await draft_by_rules(kind, one) for one in inputs]
    return [
        replace(draft, draft=own, mind=RULES, why_fallen_back=REFUSED)
        for draft, own in zip(group, ruled, strict=True)
    ]


async def merge(checker: ClaimChecker, drafts: Sequence[DomainDraft], whole: Draft) -> AnswerPart:
    """Merge what the domains say about one type and molecule; `whole` is the draft for all of them."""
    kind = checker.tools.library[drafts[0].question_type]
    claims = await checker.claims(whole.claims)
    stands = shown(claims)
    present = whole.present and bool(stands)
    outcome = Outcome.ANSWERED if present else Outcome.CLOSEST if stands else Outcome.NOTHING
    absent = f"{CLOSEST} {whole.headline}" if whole.closest and stands else whole.headline
    return AnswerPart(
        kind.id,
        drafts[0].molecule,
        outcome,
        whole.short if present else "",
        kind.absent(drafts[0].molecule) if whole.present and not present else absent,
        stands,
        tuple(checker.field(field) for field in whole.fields) if present else (),
        tuple(draft.found.searched for draft in drafts),
        notes_of(drafts, claims),
        await contradiction_claims(checker, drafts, whole),
        whole.derived,
    )


async def contradiction_claims(
    checker: ClaimChecker, drafts: Sequence[DomainDraft], whole: Draft
) -> tuple[Claim, ...]:
    """Contradictions between documents, each with the passages that contradict."""
    if not whole.conflicts:
        return ()
    research_input = await gather_input(checker.tools, [draft.found for draft in drafts])
    return tuple(
        Claim(one.text, checker.keys(one.passages), verdict=Verdict.SUPPORTED, checked_by="numbers")
        for one in contradictions(whole.conflicts, research_input.documents)
    )


async def general_part(checker: ClaimChecker, general: GeneralDraft) -> AnswerPart:
    """The answer to a general question. Its claims are passages as they stand, or a model's."""
    draft, why = general.draft, general.why_fallen_back
    claims = await standing(checker, draft)
    if draft.present and not claims and general.by_rules is not None:
        draft, why = general.by_rules, REFUSED
        claims = await standing(checker, draft)
    present = draft.present and bool(claims)
    near = claims if draft.closest else ()
    absent = f"{CLOSEST} {draft.headline}".strip() if near else checker.tools.library[GENERAL].absent("")
    headline = draft.headline if present else draft.not_found or absent
    told_of = claims if present else near
    return AnswerPart(
        GENERAL,
        "",
        Outcome.ANSWERED if present else Outcome.CLOSEST if near and not draft.not_found else Outcome.NOTHING,
        draft.short if present else "",
        headline,
        told_of,
        searched=(general.searched,),
        notes=distinct(*general.notes, fallback_note("research", why)),
        derived=draft.derived,
    )


async def standing(checker: ClaimChecker, draft: Draft) -> tuple[Claim, ...]:
    """The claims that stand; of passages that only come closest the first few, and no more are checked."""
    if not draft.closest:
        return shown(await checker.claims(draft.claims))
    first = shown(await checker.claims(draft.claims[:MOST_NEAR]))
    if len(first) == MOST_NEAR or len(draft.claims) <= MOST_NEAR:
        return first
    return (*first, *shown(await checker.claims(draft.claims[MOST_NEAR:])))[:MOST_NEAR]


async def integrate(tools: ArchiveTools, drafts: Sequence[DomainDraft], question: str) -> Draft:
    """One draft for all domains.

    That is the draft of the only domain that read anything, or one over the documents of all of them, with
    the passages of all its values.
    """
    read = [draft for draft in drafts if draft.found.doc_ids]
    present = [draft for draft in read if draft.draft.present]
    by_model = [draft for draft in read if draft.mind != RULES]
    near = [draft for draft in by_model if draft.draft.closest]
    refused = any(draft.mind == RULES for draft in present)
    silent = [] if refused else by_model[:1]
    if told := [draft for draft in by_model if draft.draft.present] or near or silent:
        return counted(joined(told))
    if uncertain := [draft for draft in drafts if draft.draft.closest and not present]:
        return joined(uncertain)
    research_input = await gather_input(tools, [draft.found for draft in read or drafts], question)
    whole = (present or read or list(drafts))[0].draft
    if len(read) > 1:
        whole = await draft_by_rules(tools.library[drafts[0].question_type], research_input)
    return await asyncio.to_thread(grounded, whole, research_input.documents)


def joined(drafts: Sequence[DomainDraft]) -> Draft:
    """Drafts of a model side by side; the first domain of the question type gives the short answer."""
    first = drafts[0].draft
    claims = tuple(dict.fromkeys(claim for item in drafts for claim in item.draft.claims))
    fields = tuple(dict.fromkeys(field for item in drafts for field in item.draft.fields))
    derived = tuple(dict.fromkeys(one for item in drafts for one in item.draft.derived))
    return replace(first, claims=claims, fields=fields, derived=derived)


def notes_of(drafts: Sequence[DomainDraft], claims: Sequence[Claim]) -> tuple[str, ...]:
    """Claims that were left out, a model that failed."""
    notes = []
    if left_out := sum(claim.verdict not in SHOWN for claim in claims):
        notes.append(
            f"{left_out} statement(s) about {drafts[0].molecule} were left out: "
            "their evidence does not carry them."
        )
    notes += [fallback_note("research", draft.why_fallen_back) for draft in drafts]
    return distinct(*notes, *(draft.draft.not_found for draft in drafts))


def distinct(*notes: str) -> tuple[str, ...]:
    """Notes that say something, each once."""
    return tuple(dict.fromkeys(filter(None, notes)))
