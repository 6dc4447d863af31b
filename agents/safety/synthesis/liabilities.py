"""Safety liabilities by rules: each endpoint with more than weak evidence, told by its best findings."""

from collections.abc import Sequence

from agents.databases.facts import Topic
from agents.safety.material import Draft, Material, claim_of
from agents.safety.order import Modality
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.risk_table import STRENGTHS, best, with_change
from agents.safety.synthesis.risks import ordered, relevant, title_of
from agents.safety.values import CitedFact, Claims, DraftBlock, Risk, Strength, Words
from agents.trust.values import Claim

TOLD = 4
MOST = 8
NONE = "No endpoint has more than weak evidence."
WEAK = "Weak evidence only (expression, mechanism or association): "
OTHER_WAY = "Seen with the other direction of change; kept here, since feedback may bring it about as well."
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
        "For a gene therapy: the change lasts, so what one or no working copy does counts most",
        (Topic.CONSTRAINT, Topic.DISEASE),
    ),
}
MODALITY_FACTS = 3


def liabilities(material: Material, wish: Wish) -> Draft:
    """The section by rules. Without a model the same material gives the same text."""
    direction = material.order.direction
    ranked = ordered(material.risks, direction)
    told = [one for one in ranked if one.strength >= Strength.MODERATE][:MOST]
    blocks: list[DraftBlock] = []
    leading: list[Claim] = []
    for risk in told:
        facts = wanted([one.cited for one in best(risk, direction, TOLD)], wish)
        if not facts:
            continue
        leading.append(claim_of(facts[0]))
        blocks.append(Words(f"{title_of(risk.endpoint)}: {_head(risk)}", 3))
        if not relevant(risk, direction):
            blocks.append(Words(OTHER_WAY))
        blocks.append(Claims(tuple(claim_of(one) for one in facts), points=True))
    blocks += _of_modality(material)
    weak = [title_of(one.endpoint) for one in ranked if one.strength is Strength.WEAK]
    remarks = (*(() if told else (NONE,)), *((f"{WEAK}{'; '.join(weak)}.",) if weak else ()))
    return Draft(tuple(dict.fromkeys(leading))[:MOST], tuple(blocks), remarks, told=True)


def wanted(facts: Sequence[CitedFact], wish: Wish) -> tuple[CitedFact, ...]:
    """The facts that an instruction leaves, those that it asks for first."""
    left = [one for one in facts if not wish.refuses(one)]
    return tuple(sorted(left, key=lambda one: not wish.wants(one)))


def _head(risk: Risk) -> str:
    return f"{STRENGTHS[risk.strength]} evidence, expected with: {with_change(risk)}"


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
    return (
        (Words(why, 3), Claims(claims, points=True))
        if claims
        else (Words(why, 3), Words("No evidence found."))
    )
