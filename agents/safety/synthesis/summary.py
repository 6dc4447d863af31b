"""The executive summary by rules, for whoever decides: the conclusion first, then a line each on the target,
the main risks with their best evidence, what to monitor, the test species, and what was not assessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.counts import listed
from agents.databases.drugs import PHASE
from agents.databases.facts import Topic
from agents.databases.openfda_safety import UNDATED
from agents.safety.coverage import not_assessed
from agents.safety.endpoints.mapping import UNDER
from agents.safety.material import Draft, Material, claim_of
from agents.safety.order import Direction, Modality, SafetyOrder, article
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.agenda import agenda
from agents.safety.synthesis.apart import is_treated, same_disease
from agents.safety.synthesis.conclusion import (
    WHY,
    concluded,
    in_use,
    main_risks,
    of_direction,
    one_sided,
    used_line,
    verdict_of,
)
from agents.safety.synthesis.findings import CLINICAL, place_of
from agents.safety.synthesis.key_risks import key_lines, key_risks, key_words
from agents.safety.synthesis.risk_table import EXPECTED, expected_harms, leading
from agents.safety.synthesis.species import species
from agents.safety.synthesis.wording import (
    STRENGTHS,
    cited_claim,
    expected,
    rated,
    render_findings,
    sentence,
    short_title,
    term_of,
)
from agents.safety.values import CitedFact, Claims, DraftBlock, Finding, Risk, Words, cites
from agents.trust.values import Claim

MOST, FINDINGS, WATCHED, PEOPLE = 3, 2, 5, 4
LEVELS = re.compile(r" \((?:\d[\d.,]*|(?:mean|median) expression, (?:[^()]|\([^()]*\))*)\)")
"""Levels and their unit in a sentence on tissues: the section on expression tells them."""
NAMED = 4
"""Endpoints in the short answer."""
NO_CONCERN = "no strong or moderate evidence of a risk in what is at hand, which is no proof of safety"
NOTHING = "No source that could be asked tells anything of this target: its safety was not assessed."
NO_RISK = "No endpoint has strong or moderate evidence in the sources that could be asked."
NO_MEDICINE = (
    "What was read names no medicine of which it says that it does this, which does not say that there is "
    "none. The label of one would decide."
)
CAUTION = "Where no evidence was found, that is no proof of safety."


def summary(material: Material, wish: Wish) -> Draft:
    """The section by rules."""
    risks = [one for one in main_risks(material) if one.endpoint not in wish.left_out]
    keys = key_risks(material)
    about = (*_target(material, wish)[:1], *_around(material, wish))
    target = tuple(replace(claim_of(one), text=LEVELS.sub("", one.fact.text)) for one in about)
    clinical = {one for key in keys for one in key.facts}
    direction = material.order.direction
    others = [
        one for one in risks if clinical.isdisjoint(each.cited for each in leading(one, direction, FINDINGS))
    ]
    first = others[: 1 if wish.short else MOST]
    lines = (*key_lines(material, keys, wish), *_risk_lines(material, first, wish))
    if expected := expected_harms(material):
        lines += (cited_claim(f"{EXPECTED}: {'; '.join(map(term_of, expected))}.", expected),)
    lines += tuple(_people(material, wish, " ".join(one.text for one in lines)))
    animals = species(material, wish).claims
    if not (target or lines or animals):
        return Draft((), (), (NOTHING,))
    unread = (line for line in material.missing if line.startswith(UNDATED))
    lacking = " ".join(filter(None, (not_assessed(material), *unread, CAUTION)))
    remarks = tuple(filter(None, (*_next(material), lacking)))
    blocks: list[DraftBlock] = [Words(_concluded(material)), *_claims(lines, points=True)]
    blocks += map(Words, _left_open(material, [one for one in risks if one not in first], bool(keys)))
    blocks += _claims((*target, *animals))
    claims = (*target, *lines, *animals)
    return Draft(claims, tuple(blocks), remarks, told=True)


def short_of(material: Material) -> tuple[str, ...]:
    """The conclusion, the key risks of the strongest kind of source, and the main ratings, in short."""
    told = (*key_words(key_risks(material)), rated(main_risks(material)[:NAMED]))
    return (concluded(material), *(told if any(told) else (NO_CONCERN,)))


def _left_open(material: Material, others: list[Risk], keyed: bool) -> Iterator[str]:
    """What the leading lines do not tell: one-sided evidence, other ratings, or that there is no risk."""
    if sided := one_sided(material):
        yield sided
    if not (of_direction(material, CLINICAL) or in_use(material)):
        acting = dict.fromkeys(one.fact.term for one in material.of(Topic.DRUG) if one.fact.term)
        named = f" Named as acting on it in another way, or in one not told: {listed([*acting])}."
        yield f"{NO_MEDICINE}{named * bool(acting)}"
    if others:
        more = "; and others" * (len(others) > WATCHED)
        yield f"Rated in the table of endpoints: {rated(others[:WATCHED])}{more}."
    elif not keyed and not main_risks(material):
        yield NO_RISK


def wanted(facts: Sequence[CitedFact], wish: Wish) -> tuple[CitedFact, ...]:
    """The facts that an instruction leaves, those that it asks for first."""
    left = filter(None, map(wish.left_of, facts))
    return tuple(sorted(left, key=lambda one: not wish.wants(one)))


def _claims(claims: tuple[Claim, ...], *, points: bool = False) -> list[DraftBlock]:
    return [Claims(claims, points=points)] if claims else []


def _concluded(material: Material) -> str:
    """The conclusion for what was weighed."""
    verdict = verdict_of(material)
    boxed = [one.term for one in key_risks(material) if not one.kind]
    told = listed([one for one in boxed if is_treated(one, material.order.area)])
    own = f" A boxed warning is of this very disease: {told}." if told else ""
    return (
        f"Conclusion by rules, to be signed by an expert: {concluded(material)}, for "
        f"{scope(material.order)}: {WHY[verdict]}.{own}{used_line(material)}"
    )


def scope(order: SafetyOrder) -> str:
    """What was weighed."""
    by = f" by {article(order.modality)} {order.modality}" if order.modality else ""
    by += ", which kills the cells that show it," * (order.modality is Modality.CELL_THERAPY)
    area = f" in {order.area}" if order.area else ""
    both = "" if order.direction else " (both are weighed, since none was asked for)"
    return f"{order.direction or 'inhibition or activation'} of the target{by}{area}{both}"


def _target(material: Material, wish: Wish) -> list[CitedFact]:
    """What the target is: a sentence on its function, which entries of a list and their count are not."""
    found = wanted(material.of(Topic.FUNCTION), wish)
    told = (one for one in found if not one.fact.measure.startswith("number of"))
    return [one for one in told if not one.fact.id and one.fact.text.endswith(".")]


def _people(material: Material, wish: Wish, told: str) -> Iterator[Claim]:
    """The diseases of people whose gene is changed as the medicine changes the target, those read so last;
    without those that the lines before tell. Behind them whether animals without the target die.
    """
    direction, apart = material.order.direction, {one for _, own in material.apart.rows() for one in own}
    diseases = sorted(wanted(material.of(Topic.DISEASE), wish), key=lambda one: one.fact.assumed)
    alike = [one for one in diseases if direction and UNDER.get(one.fact.change) is direction]
    shown: list[CitedFact] = []
    for one in alike:
        new = one.fact.term and one.fact.term not in told and one not in apart
        if new and len(shown) < PEOPLE and not any(same_disease(one, other) for other in shown):
            shown.append(one)
    if shown:
        read = " (read so; no source states the mechanism)" * all(one.fact.assumed for one in shown)
        names = "; ".join(one.fact.term for one in shown)
        yield Claim(f"People whose gene is changed in this way{read} have: {names}.", *cites(shown))
    dead = [one for one in material.apart.viability if one.fact.genotype and wanted((one,), wish)]
    if dead and direction and UNDER.get(dead[0].fact.change) is direction:
        yield Claim(dead[0].fact.text, *cites(dead[:1]))


def _around(material: Material, wish: Wish) -> tuple[CitedFact, ...]:
    """Where it is expressed, how many people lack a copy, and how far medicines against it came; of a single
    one what it is.
    """
    where = [one for one in wanted(material.of(Topic.EXPRESSION), wish) if not one.fact.term]
    lost = material.of(Topic.CONSTRAINT) if material.order.direction is Direction.INHIBITION else ()
    drugs = [one for one in material.of(Topic.DRUG) if one.fact.measure in ("drugs", PHASE)]
    return (*where[:1], *lost[:1], *sorted(drugs, key=lambda one: bool(one.fact.term))[:1])


def _risk_lines(material: Material, risks: list[Risk], wish: Wish) -> Iterator[Claim]:
    """A line for risks of the same findings: how strong they are, with which change, and the best ones."""
    lines: dict[str, tuple[list[str], Sequence[Finding]]] = {}
    for risk in risks:
        shown = [
            one for one in leading(risk, material.order.direction, FINDINGS) if not wish.refuses(one.cited)
        ]
        if shown:
            told = f"{STRENGTHS[risk.strength]} evidence, {expected(risk)}"
            told += f": {render_findings(shown, material.order.direction)}."
            lines.setdefault(told, ([], shown))[0].append(short_title(risk.endpoint))
    for told, (titles, best) in lines.items():
        yield cited_claim(f"{sentence(listed(titles))}: {told}", best)


def _next(material: Material) -> Iterator[str]:
    """What a first study would watch, for what kills at once first, and the first studies of the plan."""
    steps = list(agenda(material))
    placed = sorted(steps, key=lambda step: place_of(step.term))
    watched = dict.fromkeys(step.watch for step in placed if step.watch)
    studies = dict.fromkeys(step.study.split(";")[0] for step in steps)
    yield f"To be monitored: {'; '.join(list(watched)[:WATCHED])}." if watched else ""
    yield f"Studies first: {'; '.join(list(studies)[:MOST])}." if studies else ""
