"""The executive summary by rules, for whoever decides: the conclusion first, then a line each on the target,
the main risks with their best evidence, what to monitor, the test species, and what was not assessed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.counts import listed
from agents.databases.drugs import PHASE
from agents.databases.facts import Topic
from agents.databases.open_targets_direction import LOWERS
from agents.safety.coverage import not_assessed
from agents.safety.material import Draft, Material, claim_of
from agents.safety.order import SafetyOrder, article
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.conclusion import WHY, in_use, main_risks, verdict_of
from agents.safety.synthesis.experiments import MONITORING
from agents.safety.synthesis.findings import LINES
from agents.safety.synthesis.risk_table import leading
from agents.safety.synthesis.risks import counted_of, one_sided, ordered, relevant, title_of
from agents.safety.synthesis.species import species
from agents.safety.synthesis.wording import (
    STRENGTHS,
    cited_claim,
    expected,
    render_findings,
    short_title,
    term_of,
    way_of,
)
from agents.safety.values import CitedFact, Claims, DraftBlock, Finding, Risk, Strength, Words
from agents.trust.values import Claim

MOST = 3
FINDINGS = 2
NOTHING = "No source that could be asked tells anything of this target: its safety was not assessed."
NO_RISK = (
    "No endpoint has strong or moderate evidence in the sources that could be asked. That is a gap in the "
    "data and no evidence of safety."
)
OTHER = (
    "Only together with the other direction of change is there moderate or strong evidence for {}: these "
    "depend on the target, and whether its {} does the opposite there, or the same by feedback, is open."
)
CLINIC, REPORTED = "clinical", 6
"""Line of evidence, and how many events of it are told that are weak by themselves."""
PATIENTS = "Seen in patients, weak by itself (spontaneous reports, or a drug that acts on other proteins too)"
CAUTION = "Where no evidence was found, that is no proof of safety."


def summary(material: Material, wish: Wish) -> Draft:
    """The section by rules."""
    risks = main_risks(material)
    about = (*_target(material, wish)[:1], *_around(material))
    target = tuple(map(claim_of, about))
    first = risks[: 1 if wish.short else MOST]
    leading = tuple(_risk_lines(material, first, wish))
    animals = species(material, wish).claims
    if not (target or leading or animals):
        return Draft((), (), (NOTHING,))
    remarks = tuple(filter(None, (not_assessed(material), CAUTION)))
    advice = tuple(filter(None, (_monitoring(risks),)))
    reported = () if wish.short else (*_in_patients(material, wish), *_supporting(material, wish))
    blocks: list[DraftBlock] = [Words(_concluded(material)), *_claims((*leading, *reported), points=True)]
    blocks += map(Words, _left_open(material, risks))
    blocks += _claims((*target, *animals))
    claims = (*target, *leading, *reported, *animals)
    return Draft(claims, tuple(blocks), remarks, told=True, prose=True, advice=advice)


def _left_open(material: Material, risks: list[Risk]) -> Iterator[str]:
    """What the leading lines do not tell: the other direction, further risks, or that there is none."""
    if other := _other_way(material):
        yield other
    if sided := one_sided(material.risks, material.order.direction):
        yield sided
    if not risks:
        yield NO_RISK
    elif also := [short_title(one.endpoint) for one in risks[MOST:]]:
        yield f"Also with moderate or strong evidence: {listed(also)}."


def wanted(facts: Sequence[CitedFact], wish: Wish) -> tuple[CitedFact, ...]:
    """The facts that an instruction leaves, those that it asks for first."""
    left = [one for one in facts if not wish.refuses(one)]
    return tuple(sorted(left, key=lambda one: not wish.wants(one)))


def _in_patients(material: Material, wish: Wish) -> list[Claim]:
    """What was seen in patients and is weak by itself: reports, and drugs that act on other proteins too."""
    direction = material.order.direction
    weak = [one for one in material.every_risk if one.strength is Strength.WEAK and relevant(one, direction)]
    own = {one.cited for risk in weak for one in counted_of(risk, direction) if _in_clinic(one)}
    seen = [one for one in material.findings if one.cited in own and not wish.refuses(one.cited)]
    found = list({term_of(one).casefold(): one for one in seen}.values())[:REPORTED]
    terms = "; ".join(map(term_of, found))
    return [cited_claim(f"{PATIENTS}: {terms}.", found)] if found else []


def _supporting(material: Material, wish: Wish) -> list[Claim]:
    """Changes of the gene in people that do what the medicine is to do, and protect."""
    facts = [one for one in wanted(material.apart.opposite, wish) if one.fact.measure == LOWERS]
    return [
        replace(claim_of(one), text=f"Supporting, and no hazard: {one.fact.text}") for one in facts[:FINDINGS]
    ]


def _in_clinic(one: Finding) -> bool:
    return LINES[one.cited.fact.topic] == CLINIC


def _other_way(material: Material) -> str:
    """Organs of which only the other direction of change shows that they depend on the target."""
    direction = material.order.direction
    risks = ordered(material.every_risk, direction)
    other = (one for one in risks if one.opposed or not relevant(one, direction))
    strong = [one for one in other if max(one.opposed, one.strength) >= Strength.MODERATE]
    return OTHER.format(listed([short_title(one.endpoint) for one in strong]), direction) if strong else ""


def _claims(claims: tuple[Claim, ...], *, points: bool = False) -> list[DraftBlock]:
    return [Claims(claims, points=points)] if claims else []


def _concluded(material: Material) -> str:
    """The conclusion for what was weighed."""
    verdict = verdict_of(material)
    used = " Medicines in use do this already." if in_use(material) else ""
    return (
        f"Conclusion by rules, to be signed by an expert: {verdict}, for {_scope(material.order)}: "
        f"{WHY[verdict]}.{used}"
    )


def _scope(order: SafetyOrder) -> str:
    """What was weighed."""
    how = f"{way_of(order)} of the target" if order.direction else "either direction of change"
    by = f" by {article(order.modality)} {order.modality}" if order.modality else " by any kind of medicine"
    area = f" in {order.area}" if order.area else ""
    return f"{how}{by}{area}"


def _target(material: Material, wish: Wish) -> list[CitedFact]:
    """What the target is: a sentence on its function before classes, and both before counts of terms."""
    return sorted(wanted(material.of(Topic.FUNCTION), wish), key=_listing)


def _around(material: Material) -> tuple[CitedFact, ...]:
    """Where it is expressed, and how far medicines against it came; of a single one what it is."""
    where = [one for one in material.of(Topic.EXPRESSION) if not one.fact.term]
    drugs = [one for one in material.of(Topic.DRUG) if one.fact.measure in ("drugs", PHASE)]
    return (*where[:1], *sorted(drugs, key=lambda one: bool(one.fact.term))[:1])


def _listing(one: CitedFact) -> tuple[bool, bool]:
    """Sorts sentences on the thing itself before entries of a list, and both before counts of entries."""
    return (one.fact.measure.startswith("number of"), bool(one.fact.id) or not one.fact.text.endswith("."))


def _risk_lines(material: Material, risks: list[Risk], wish: Wish) -> Iterator[Claim]:
    """A line for each risk: how strong the evidence is, with which change, and the best of it."""
    for risk in risks:
        shown = [
            one for one in leading(risk, material.order.direction, FINDINGS) if not wish.refuses(one.cited)
        ]
        if shown:
            head = f"{title_of(risk.endpoint)}: {STRENGTHS[risk.strength]} evidence, {expected(risk)}"
            yield cited_claim(f"{head}: {render_findings(shown, material.order.direction)}.", shown)


def _monitoring(risks: list[Risk]) -> str:
    """What a first study would watch for these risks."""
    watched = dict.fromkeys(MONITORING[one.endpoint] for one in risks[:MOST])
    return f"To be monitored: {'; '.join(watched)}." if watched else ""
