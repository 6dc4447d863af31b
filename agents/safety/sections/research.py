"""A research section by rules: the leading sentences of each topic, then tables of all facts."""

import re
from collections.abc import Iterable, Sequence

from agents.safety.material import Draft, Material, claim_of
from agents.safety.outline import Outline
from agents.safety.sections.tables import ALL_ROWS, ROWS, tables_of
from agents.safety.sections.wish import Chosen, Wish, chosen
from agents.safety.values import CitedFact, Claims, Conflict, DraftBlock, Words
from agents.trust.values import Claim

_NOT_ASKED = re.compile(r"(?P<who>[^:]{1,60}) was not asked: (?P<why>.+)")
LEADING = 3
"""Sentences that a topic begins with, unless all of it is told in sentences."""
FEW = 6
"""So many facts of a topic are told in sentences alone."""
MORE = "Further ones stand in the records cited."
NOTHING_FOUND = "No evidence found."


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
    return Claim(text, tuple(dict.fromkeys((one.key, other.key))), (*one.fact.quotes, *other.fact.quotes))


def leading(outline: Outline, facts: Sequence[CitedFact], wish: Wish) -> tuple[Claim, ...]:
    """The sentences that a section begins with: those asked for first, then the first of each topic."""
    picked = chosen(facts, wish)
    limit = 1 if wish.short else LEADING
    told = list(picked.facts[: picked.asked] if not wish.short else picked.facts[: min(picked.asked, FEW)])
    for topic in outline.topics:
        of_topic = [one for one in picked.facts if one.fact.topic is topic]
        told += of_topic[: FEW if len(of_topic) <= FEW and not wish.short else limit]
    return tuple(claim_of(one) for one in dict.fromkeys(told))


def tables(
    outline: Outline, facts: Sequence[CitedFact], wish: Wish, few: int = FEW
) -> tuple[DraftBlock, ...]:
    """A table for each topic of which there is more than sentences tell."""
    if wish.short:
        return ()
    picked: Chosen = chosen(facts, wish)
    blocks: list[DraftBlock] = []
    rows = ALL_ROWS if wish.full else ROWS
    for topic in outline.topics:
        of_topic = [one for one in picked.facts if one.fact.topic is topic]
        if len(of_topic) > few:
            blocks += tables_of(topic, of_topic, rows)
            if len([one for one in of_topic if one.fact.term]) > rows:
                blocks.append(Words(MORE))
    return tuple(blocks)


def remarks(outline: Outline, material: Material, facts: Sequence[CitedFact], wish: Wish) -> tuple[str, ...]:
    """What a reader must know beside the findings: that there are none, and what could not be asked."""
    none = () if facts else (NOTHING_FOUND,)
    followed = chosen(facts, wish).remark if facts else ""
    return tuple(filter(None, (*none, followed, *missing_of(outline, material))))


def missing_of(outline: Outline, material: Material) -> tuple[str, ...]:
    """What the tools of a section could not tell."""
    asked = [one for one in material.collected if outline.asks(one.about)]
    return grouped(dict.fromkeys(line for one in asked for line in one.missing))


def grouped(lines: Iterable[str]) -> tuple[str, ...]:
    """Sentences in their order; sources that were not asked for the same reason share one."""
    reasons: dict[str, list[str]] = {}
    others: list[str] = []
    for line in lines:
        if found := _NOT_ASKED.fullmatch(line):
            reasons.setdefault(found["why"], []).append(found["who"])
        else:
            others.append(line)
    told = (f"{_joined(names)} not asked: {why}" for why, names in reasons.items())
    return (*others, *told)


def _joined(names: Sequence[str]) -> str:
    return f"{names[0]} was" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} were"
