"""A research section by rules: the leading sentences of each topic, then tables of all facts."""

from collections.abc import Sequence

from agents.databases.facts import Response, Topic
from agents.safety.coverage import asked_of, failures_of, without_evidence
from agents.safety.material import Draft, Material, claim_of
from agents.safety.outline import Outline
from agents.safety.own_sources import TOOL as GIVEN
from agents.safety.sections.tables import ALL_ROWS, ROWS, tables_of
from agents.safety.sections.wish import Chosen, Wish, chosen
from agents.safety.values import CitedFact, Claims, Conflict, DraftBlock, Words, cites, missing_of
from agents.trust.values import Claim

LEADING = 2
"""Sentences that a topic begins with where a table tells the rest: those that sum it up."""
FEW = 4
"""So many facts of a topic are told in sentences alone."""
CONFLICTS = "Contradictions between sources"


def research(outline: Outline, material: Material, wish: Wish, few: int = FEW) -> Draft:
    """The section by rules. Topics with more than `few` facts have a table."""
    facts = material.of(*outline.topics)
    blocks = (*conflict_blocks(outline, material.conflicts), *tables(outline, facts, wish, few))
    return Draft(leading(outline, facts, wish), blocks, remarks(outline, material, facts, wish))


def conflict_blocks(outline: Outline, conflicts: Sequence[Conflict]) -> tuple[DraftBlock, ...]:
    """Both sides of each contradiction that touches the section."""
    own = conflict_claims(outline, conflicts)
    return (Words(CONFLICTS, 3), Claims(own, points=True)) if own else ()


def conflict_claims(outline: Outline, conflicts: Sequence[Conflict]) -> tuple[Claim, ...]:
    """The contradictions that touch the section, a statement each."""
    own = [one for one in conflicts if {one.one.fact.topic, one.other.fact.topic} & set(outline.topics)]
    return tuple(map(conflict_claim, own))


def conflict_claim(conflict: Conflict) -> Claim:
    """A contradiction in one statement, with the evidence of both sides."""
    one, other = conflict.one, conflict.other
    text = f"{conflict.what}. One side: {one.fact.text.rstrip('.')}. The other side: {other.fact.text}"
    return Claim(text, *cites((one, other)))


def leading(outline: Outline, facts: Sequence[CitedFact], wish: Wish) -> tuple[Claim, ...]:
    """The sentences that a section begins with: those asked for first, then of each topic what sums it up."""
    picked = chosen(facts, wish)
    limit = 1 if wish.short else LEADING
    told = list(picked.facts[: picked.asked] if not wish.short else picked.facts[: min(picked.asked, FEW)])
    told = [one for one in picked.facts if one.tool == GIVEN] + told
    for topic in outline.topics:
        of_topic = [one for one in picked.facts if one.fact.topic is topic]
        told += of_topic if len(of_topic) <= FEW and not wish.short else _summing_up(of_topic)[:limit]
    return tuple(claim_of(one) for one in dict.fromkeys(told))


def _summing_up(facts: Sequence[CitedFact]) -> Sequence[CitedFact]:
    """The facts that no row of a table tells; of those that all have a row, the first."""
    return [one for one in facts if not one.fact.term] or facts[:1]


def tables(
    outline: Outline, facts: Sequence[CitedFact], wish: Wish, few: int = FEW
) -> tuple[DraftBlock, ...]:
    """A table for each topic of which there is more than sentences tell."""
    if wish.short:
        return ()
    picked: Chosen = chosen(facts, wish)
    blocks: list[DraftBlock] = []
    for topic in outline.topics:
        rows = ALL_ROWS if wish.full or topic is Topic.ADVERSE_EVENT else ROWS
        of_topic = [one for one in picked.facts if one.fact.topic is topic]
        if len(of_topic) > few:
            blocks += tables_of(topic, of_topic, rows)
    return tuple(blocks)


def remarks(outline: Outline, material: Material, facts: Sequence[CitedFact], wish: Wish) -> tuple[str, ...]:
    """What a reader must know beside the findings: how an instruction was followed, what the sources that are
    told here leave open; and of a section without findings, who was asked.
    """
    failed = failures_of(outline, material)
    if not facts:
        return (*without_evidence(outline, material), *failed)
    asked = (one for one in asked_of(outline, material) if one.answer is Response.FOUND)
    return tuple(filter(None, (chosen(facts, wish).remark, *missing_of(asked), *failed)))
