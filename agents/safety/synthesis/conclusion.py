"""The conclusion that rules propose, and why: go, go with conditions, stop, or no decision yet.

A report is signed by a person; this is what the evidence of the report comes to by one stated rule.
"""

from collections.abc import Sequence
from enum import StrEnum

from agents.counts import listed
from agents.databases.drugcentral import WITHDRAWN
from agents.databases.facts import Topic
from agents.safety.endpoints.mapping import UNDER
from agents.safety.material import Material
from agents.safety.order import Direction
from agents.safety.synthesis.findings import ANIMAL, CLINICAL, GENETIC
from agents.safety.synthesis.key_risks import key_risks, unread_boxes
from agents.safety.synthesis.risks import main_of
from agents.safety.values import CitedFact, Risk, Strength


class Verdict(StrEnum):
    """What the evidence comes to."""

    GO = "go"
    CONDITIONS = "go with conditions"
    STOP = "stop until this is settled"
    OPEN = "no decision yet"


WHY = {
    Verdict.GO: "data from patients were read, and tell of no more than weak evidence",
    Verdict.CONDITIONS: "the risks below have to be monitored, and the study plan comes first",
    Verdict.STOP: "a risk has strong evidence, or what did this was withdrawn, and no medicine in use shows "
    "that harm can be handled",
    Verdict.OPEN: "the sources tell too little of what patients had with such a medicine, or people with "
    "such a change of the gene",
}
NAMED = 3
"""Medicines that a remark or a list names."""
APPROVED = "Approved medicines do this, for these or other patients, as far as was read"
UNAPPROVED = "Listed as doing this, which does not say that it is approved"


def main_risks(material: Material) -> list[Risk]:
    """The main risks, the gravest first."""
    return main_of(material.risks, material.order.direction)


def verdict_of(material: Material) -> Verdict:
    """Strong evidence without a medicine in use stops, and so does it where all that did this were withdrawn.
    Medicines in use whose harm was not read leave it open, as does what tells nothing of the asked direction.
    A risk, of the molecule too, or an unread box sets conditions. Genes alone never end in go: only patients
    show what such a medicine does.
    """
    main = main_risks(material)
    strong = any(one.strength is Strength.STRONG for one in main)
    if not in_use(material) and (strong or in_use(material, withdrawn=True)):
        return Verdict.STOP
    risks = (*key_risks(material), *unread_boxes(material))
    keys = (*risks, *material.apart.molecule)
    clinical, genetic = (of_direction(material, topics) for topics in (CLINICAL, GENETIC))
    if not (keys or clinical or genetic):
        return Verdict.OPEN
    used = {one.fact.term for one in in_use(material)}
    if used and used <= set(unread(material)) and not risks:
        return Verdict.OPEN
    if keys or main:
        return Verdict.CONDITIONS
    return Verdict.GO if clinical else Verdict.OPEN


def unread(material: Material) -> tuple[str, ...]:
    """Medicines that do this, in use or withdrawn, of whose labels nothing was read."""
    told = _told(material)
    drugs = (*in_use(material), *in_use(material, withdrawn=True))
    names = dict.fromkeys(one.fact.term for one in drugs)
    return tuple(name for name in names if f"label of {name.casefold()}" not in told)


def _told(material: Material) -> str:
    """What was read of harm, in one text."""
    return " ".join(
        one.fact.text.casefold()
        for one in material.of(Topic.ADVERSE_EVENT)
        if one not in material.apart.route
    )


def concluded(material: Material) -> str:
    """The verdict, marked where what patients had was not read, or not of all medicines."""
    verdict = verdict_of(material)
    read = of_direction(material, CLINICAL) and not unread(material)
    provisional = not read and verdict is not Verdict.OPEN
    return f"{verdict} (provisional)" if provisional else str(verdict)


def unread_line(material: Material) -> str:
    """The labels that were not read; "" where there is none."""
    names = unread(material)
    return f"full labels not read: {_first(names)}" if names else ""


def _first(names: Sequence[str]) -> str:
    """The first of many medicines, and that there are others."""
    return listed([*names[:NAMED], *["others"] * (len(names) > NAMED)])


def of_direction(material: Material, topics: frozenset[Topic]) -> tuple[CitedFact, ...]:
    """The facts of some topics that tell of the asked direction."""
    direction = material.order.direction
    facts = (one for one in material.of(*sorted(topics)) if one not in material.apart.route)
    return tuple(one for one in facts if direction is None or UNDER.get(one.fact.change) is direction)


def one_sided(material: Material) -> str:
    """A remark where the harm of medicines in use was not read, or nothing tells of the asked direction."""
    direction = material.order.direction
    if of_direction(material, CLINICAL):
        return ""
    if drugs := in_use(material):
        names = listed([one.fact.term for one in drugs[:NAMED]])
        return (
            f"What patients had with medicines that do this ({names}) was not read, and would decide: their "
            "labels (openFDA), the adverse reactions of their labels (SIDER), trials with results "
            "(ClinicalTrials.gov)."
        )
    lost = direction is Direction.INHIBITION and material.of(Topic.CONSTRAINT)
    told = direction is None or lost or of_direction(material, GENETIC | ANIMAL)
    return "" if told else f"Nothing that was read tells what {direction} of the target does."


def used_line(material: Material) -> str:
    """Which medicines do this, whether they are approved and do it alone, and which were withdrawn."""
    known, gone, read = in_use(material), in_use(material, withdrawn=True), _told(material)
    approved = [one for one in known if one.fact.value == 4.0 or one.fact.term.casefold() in read]
    known = tuple(approved) or known
    names, lost = (_first([one.fact.term for one in drugs]) for drugs in (known, gone))
    alone = (
        "" if any(not one.fact.shared for one in known) else ", though all of them act on other proteins too"
    )
    head = APPROVED if approved else UNAPPROVED
    told = f" {head}: {names}{alone}." if known else ""
    return f"{told} Withdrawn somewhere, for a reason that is not at hand: {lost}." if gone else told


def in_use(material: Material, *, withdrawn: bool = False) -> tuple[CitedFact, ...]:
    """The approved drugs that do what the order asks, those alone on the target first, then those of whose
    harm something was read; or those withdrawn.
    """
    direction = material.order.direction
    measure = WITHDRAWN if withdrawn else "drug"
    told = _told(material)
    found = sorted(
        material.of(Topic.DRUG), key=lambda one: (one.fact.shared, one.fact.term.casefold() not in told)
    )
    drugs = (one for one in found if one.fact.measure == measure or (one.fact.value == 4.0 and not withdrawn))
    fits = (one for one in drugs if direction is None or UNDER.get(one.fact.change) is direction)
    return tuple(one for one in fits if one.fact.term)
