"""Gives what a model answers for a molecule to the domains whose documents it cites."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.archive.investigate import DomainDraft
from agents.archive.library import Library
from agents.archive.values import Draft
from retrieval.values import Passage

MISFIT = "its answer did not fit what was asked for"


def elsewhere(draft: DomainDraft, drafts: Sequence[DomainDraft]) -> set[str] | None:
    """The documents that a domain's draft may not cite: those of the other domains of its type.

    The first of them takes whatever none of them has, such as a document that the record of its molecules
    leaves out; the others give None and cite their own alone.
    """
    of_type = [
        one for one in drafts if one.question_type == draft.question_type and one.reviewed.found.doc_ids
    ]
    if not of_type or draft is not of_type[0]:
        return None
    own = set(draft.reviewed.found.doc_ids)
    return {doc_id for one in of_type[1:] for doc_id in one.reviewed.found.doc_ids} - own


def in_domain(
    library: Library, draft: DomainDraft, made: Mapping[str, Draft], mind: str, others: set[str] | None
) -> DomainDraft:
    """The model's draft for a domain: what it cites from that domain's documents."""
    whole = made.get(draft.question_type)
    if whole is None:
        return replace(draft, why_fallen_back=MISFIT)
    own = set(draft.reviewed.found.doc_ids)

    def is_own(passage: Passage) -> bool:
        return passage.doc_id in own if others is None else passage.doc_id not in others

    claims = tuple(claim for claim in whole.claims if any(map(is_own, claim.passages)))
    fields = tuple(field for field in whole.fields if any(map(is_own, field.passages)))
    absent = library[draft.question_type].absent(draft.molecule)
    standing = replace(
        whole,
        present=whole.present and bool(claims),
        closest=whole.closest and bool(claims),
        headline=(whole.headline if claims or not whole.present else "") or absent,
        short=whole.short if claims else "",
        claims=claims,
        fields=fields,
    )
    return replace(draft, draft=standing, mind=mind, why_fallen_back="")
