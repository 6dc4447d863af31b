"""Safety liabilities by rules: each endpoint with more than weak evidence, its evidence line by line."""

from collections.abc import Iterator, Sequence

from agents.databases.facts import Topic
from agents.safety.material import Draft, Material, claim_of
from agents.safety.order import Direction, Modality
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.experiments import MODALITY, MONITORING
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.risks import ordered, relevant, title_of
from agents.safety.synthesis.wording import (
    STRENGTHS,
    by_line,
    cited_claim,
    expected,
    listed,
    opposed,
    sentence,
    short_title,
    term_of,
)
from agents.safety.values import CitedFact, Claims, DraftBlock, Finding, Risk, Strength, Words
from agents.trust.values import Claim

EACH = 3
"""Findings told of one line of evidence."""
FINDINGS = 40
MOST = 8
NONE = (
    "No endpoint has more than weak evidence in the sources that could be asked. This is a gap in the data, "
    "and does not say that the target is safe."
)
WEAK = "Weak evidence only: "
OTHER_WAY = (
    "What is stronger was seen with the other direction of change; it is kept here, since the organ depends "
    "on the target and feedback may bring the same about."
)
BY_MODALITY: dict[Modality, tuple[str, tuple[Topic, ...]]] = {
    Modality.SMALL_MOLECULE: (
        "For a small molecule: close relatives of the target are likely off-targets",
        (Topic.HOMOLOGY, Topic.ASSAY),
    ),
    Modality.ANTIBODY: (
        "For an antibody: where the protein lies decides whether it is reached, and which cells are bound",
        (Topic.LOCATION, Topic.EXPRESSION),
    ),
    Modality.OLIGONUCLEOTIDE: (
        "For an oligonucleotide: liver and kidney take up most of it, so expression there counts most",
        (Topic.EXPRESSION,),
    ),
    Modality.GENE_THERAPY: (
        "For a gene therapy: the change lasts; what loss of the gene brings, and what too much of it would",
        (Topic.CONSTRAINT, Topic.DISEASE),
    ),
}
MODALITY_FACTS = 3
NOT_TOLD = "No source that could be asked tells of it."


def liabilities(material: Material, wish: Wish) -> Draft:
    """The section by rules. Without a model the same material gives the same text."""
    direction = material.order.direction
    ranked = ordered(material.every_risk, direction)
    strong = [one for one in ranked if max(one.strength, one.opposed) >= Strength.MODERATE][:MOST]
    blocks: list[DraftBlock] = []
    for risk in strong:
        blocks += _liability(risk, direction, wish)
    blocks += _of_modality(material)
    claims = tuple(claim for block in blocks if isinstance(block, Claims) for claim in block.claims)
    rest = (one for one in ranked if one not in strong and one.strength is Strength.WEAK)
    weak = [short_title(one.endpoint) for one in rest]
    remarks = (*(() if strong else (NONE,)), *((f"{WEAK}{listed(weak)}.",) if weak else ()))
    return Draft(tuple(dict.fromkeys(claims)), tuple(blocks), remarks, told=True)


def wanted(facts: Sequence[CitedFact], wish: Wish) -> tuple[CitedFact, ...]:
    """The facts that an instruction leaves, those that it asks for first."""
    left = [one for one in facts if not wish.refuses(one)]
    return tuple(sorted(left, key=lambda one: not wish.wants(one)))


def _liability(risk: Risk, direction: Direction | None, wish: Wish) -> list[DraftBlock]:
    """A risk under its own heading: a line for each line of evidence, and what to watch for."""
    shown = [one for one in best(risk, direction, FINDINGS) if not wish.refuses(one.cited)]
    shown.sort(key=lambda one: not wish.wants(one.cited))
    lines = tuple(_lines(shown))
    if not lines:
        return []
    head = f"{title_of(risk.endpoint)}: {STRENGTHS[risk.strength]} evidence, {expected(risk)}{opposed(risk)}"
    other = () if relevant(risk, direction) and not risk.opposed else (Words(OTHER_WAY),)
    watch = Words(f"To be monitored: {MONITORING[risk.endpoint]}.")
    return [Words(head, 3), *other, Claims(lines, points=True), watch]


def _lines(shown: Sequence[Finding]) -> Iterator[Claim]:
    """One sentence for each line of evidence, with the sources that say so."""
    for line, found in by_line(shown).items():
        few = found[:EACH]
        sources = listed(tuple(dict.fromkeys(one.cited.source for one in few)))
        terms = "; ".join(map(term_of, few))
        yield cited_claim(f"{_head(line)}: {terms} ({sources}).", few)


def _head(line: str) -> str:
    """A line of evidence as a head: "Animals (mouse)"."""
    kind, _, seen = line.partition(": ")
    return sentence(f"{kind} ({seen})" if seen else kind)


def _of_modality(material: Material) -> tuple[DraftBlock, ...]:
    """What counts for this kind of medicine, with the facts that speak to it."""
    if material.order.modality is None:
        return ()
    why, topics = BY_MODALITY[material.order.modality]
    facts = material.of(*topics)
    if material.order.modality is Modality.OLIGONUCLEOTIDE:
        facts = (
            tuple(one for one in facts if one.fact.term.casefold().startswith(("liver", "kidney"))) or facts
        )
    claims = tuple(claim_of(one) for one in facts[:MODALITY_FACTS])
    watch = Words(f"With any medicine of this kind: {listed(_watched(material, material.order.modality))}.")
    return (Words(why, 3), Claims(claims, points=True) if claims else Words(NOT_TOLD), watch)


def _watched(material: Material, modality: Modality) -> list[str]:
    """What is watched with a kind of medicine; the target itself is no off-target of it."""
    own = {one.casefold() for one in material.target.symbols}
    return [one for one in MODALITY[str(modality)] if one.casefold() not in own]
