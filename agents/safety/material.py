"""All that a section is written from by rules: the order, the facts, and what follows from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.databases.facts import Response, Topic
from agents.databases.target import Target
from agents.safety.collect import facts_of
from agents.safety.conflicts import conflicts_of
from agents.safety.doubts import disputed_facts, lowered
from agents.safety.endpoints.mapping import misfits
from agents.safety.order import Modality, SafetyOrder
from agents.safety.synthesis.apart import Apart, apart_from_risks, with_mechanisms
from agents.safety.synthesis.findings import ANIMAL, CLINICAL, GENETIC, KILLED, findings_of
from agents.safety.synthesis.risks import risks_of
from agents.safety.values import CitedFact, Collected, Conflict, DraftBlock, Finding, Risk, missing_of
from agents.trust.values import Claim


@dataclass(frozen=True, slots=True)
class Draft:
    """A section by rules: the statements that it begins with, tables, and remarks on the work.

    `told`: the blocks tell the statements already, in their place.
    """

    claims: tuple[Claim, ...] = ()
    blocks: tuple[DraftBlock, ...] = ()
    remarks: tuple[str, ...] = ()
    told: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """What was collected, and what rules make of it. The same collection gives the same material."""

    order: SafetyOrder
    target: Target
    collected: tuple[Collected, ...]
    facts: tuple[CitedFact, ...]
    findings: tuple[Finding, ...]
    risks: tuple[Risk, ...]
    conflicts: tuple[Conflict, ...]
    apart: Apart = Apart()
    """What is no risk: viability, and what the medicine counters."""

    def of(self, *topics: Topic) -> tuple[CitedFact, ...]:
        """The facts of some topics."""
        return tuple(one for topic in topics for one in self.facts if one.fact.topic is topic)

    @property
    def missing(self) -> tuple[str, ...]:
        """What could not be asked, in sentences, each once."""
        asked = (one for one in self.collected if one.answer is not Response.NO_ROW)
        return missing_of(asked)


def material_of(order: SafetyOrder, target: Target, collected: Sequence[Collected]) -> Material:
    """Sort, merge and weigh what was collected; what is of the other direction comes late, what the
    channel disputes last, and counts least.
    """
    facts = with_mechanisms(facts_of(collected, tuple(Topic)))
    doubted = disputed_facts(facts, collected, order.disputed)
    facts = tuple(sorted(facts, key=lambda one: (one in doubted, misfits(one.fact, order.direction))))
    apart = apart_from_risks(order, facts)
    found = findings_of([one for one in facts if one not in (*apart.opposite, *apart.treated, *apart.route)])
    no_organ = {*apart.molecule, *apart.stopping, *apart.expressed}
    found = tuple(replace(one, endpoint="") if one.cited in no_organ else one for one in found)
    killing = order.modality is Modality.CELL_THERAPY
    found = tuple(one for one in found if not one.told or (one.under == KILLED) is killing)
    if killing:  # killed cells are no loss of the gene
        found = tuple(
            one if one.cited.fact.topic in CLINICAL else replace(one, under="")
            for one in found
            if one.cited.fact.topic not in GENETIC | ANIMAL | {Topic.ASSOCIATION}
        )
    unknown = [one for one in facts if order.direction and one.fact.topic in GENETIC and not one.fact.change]
    findings = lowered(found, {*doubted, *unknown, *apart.contested})
    conflicts = conflicts_of(facts)
    risks = risks_of(findings, order.direction)
    return Material(order, target, tuple(collected), facts, findings, risks, conflicts, apart)


def claim_of(one: CitedFact) -> Claim:
    """A fact as a claim on its record."""
    return Claim(one.fact.text, (one.key,), one.fact.quotes)
