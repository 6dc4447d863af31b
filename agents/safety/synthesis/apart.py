"""What is told apart from the risks: viability, protective variants, wanted effects, reactions to a
molecule, what the medicine counters, and the disease that it treats.

That animals die names no organ.
A disease from the very change of the target that the medicine counters is the opposite of a risk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Prefix

from agents.databases.facts import Topic
from agents.databases.gene2phenotype import LISTING
from agents.databases.openfda import COMMON_REACTION
from agents.databases.sider import EVERYWHERE, ONE_REACTION, SHARED_REACTION
from agents.safety.endpoints.mapping import UNDER, apart_of, effects_of, misfits, protects
from agents.safety.endpoints.vocabulary import concepts_in, folded, of_patients
from agents.safety.order import Modality, SafetyOrder
from agents.safety.synthesis.findings import CLINICAL, CURATED, STOPPING
from agents.safety.values import CitedFact
from retrieval.text.listed import words

OPPOSITE = "Opposite: comes of the other change of the target, not of what this medicine does"
TREATED = "Treated: the disease that medicines of the target are for, what patients have anyway, and the aim"
VIABILITY = "Viability: animals without the target die or age early; of which organ is not told"
WANTED = "Wanted or harmless"
MOLECULE = "Of the molecule, as a rule, and not of the target: to be judged for one's own"
STOPPED = "On stopping: of ending the medicine, not of what it does to the target"
EXPRESSED = "RNA alone, which rates no endpoint"
ROUTE = (
    "Of other medicines: seen with those given into the eye or on the skin, or with small molecules that act "
    "on other proteins too"
)
CONTESTED = "Contested: reviews tell it of both changes of the target"
PROTECTIVE = "Protective: variants that resist a disease; which change of the target they bring is not told"
SEEN = frozenset({Topic.PHENOTYPE, Topic.ADVERSE_EVENT})
LOCAL = frozenset({"eye", "skin"})
"""Organs to which a medicine may be given at the place."""
OF_PATIENTS = frozenset({CURATED, COMMON_REACTION, ONE_REACTION})
LISTED = OF_PATIENTS | {SHARED_REACTION, EVERYWHERE}
"""Measures of reactions that may be of the patients; of some only what `of_patients` lists."""
SMALL = (None, Modality.SMALL_MOLECULE)
"""Kinds of medicine of which SIDER tells; others hit their target alone."""
OBSOLETE = "obsolete "
NO_DISEASE = words("""
    adult child children disease disorder elderly patient pregnant syndrome treatment women
""")
"""Words of a therapeutic area that tell nothing of the disease."""
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})


@dataclass(frozen=True, slots=True)
class Apart:
    """Facts that are no risk, by the reason."""

    opposite: tuple[CitedFact, ...] = ()
    treated: tuple[CitedFact, ...] = ()
    viability: tuple[CitedFact, ...] = ()
    protective: tuple[CitedFact, ...] = ()
    wanted: tuple[CitedFact, ...] = ()
    molecule: tuple[CitedFact, ...] = ()
    stopping: tuple[CitedFact, ...] = ()
    expressed: tuple[CitedFact, ...] = ()
    route: tuple[CitedFact, ...] = ()
    contested: tuple[CitedFact, ...] = ()

    @property
    def endpoints(self) -> set[str]:
        """The endpoints of events of patients that are told apart."""
        facts = (one.fact for _, own in self.rows() for one in own if one.fact.topic in CLINICAL)
        return {each.key for fact in facts for effect in effects_of(fact) for each in effect.endpoints}

    def rows(self) -> tuple[tuple[str, tuple[CitedFact, ...]], ...]:
        """Each reason that has facts, with them."""
        every = (
            (OPPOSITE, self.opposite),
            (TREATED, self.treated),
            (CONTESTED, self.contested),
            (PROTECTIVE, self.protective),
            (WANTED, self.wanted),
            (MOLECULE, self.molecule),
            (STOPPED, self.stopping),
            (EXPRESSED, self.expressed),
            (ROUTE, self.route),
            (VIABILITY, self.viability),
        )
        return tuple((title, facts) for title, facts in every if facts)


def apart_from_risks(order: SafetyOrder, facts: Sequence[CitedFact]) -> Apart:
    """Sort out what is no risk under this order."""
    kinds = {one: apart_of(one.fact) for one in facts if one.fact.topic in GENETIC | SEEN}
    genetic = (one for one in facts if order.direction and one.fact.change and one.fact.topic in GENETIC)
    told = tuple(genetic)
    in_area = {concept.name for concept, _ in concepts_in(order.area)}
    opposite = tuple(one for one in told if UNDER.get(one.fact.change) is not order.direction)
    brought = frozenset(told) - frozenset(opposite)

    reviewed = [one for one in facts if one.fact.measure == CURATED]
    others = [_words(one.fact.term) for one in reviewed if misfits(one.fact, order.direction)]

    def named(kind: str) -> tuple[CitedFact, ...]:
        """What is of a kind, unless it is seen with the other change of the target."""
        return tuple(
            one for one, its in kinds.items() if its == kind and not misfits(one.fact, order.direction)
        )

    return Apart(
        opposite,
        tuple(
            one
            for one in kinds
            if (one.fact.topic in GENETIC or one.fact.measure in LISTED)
            and one not in opposite
            and one not in brought  # what the medicine does to the target brings it about
            and (
                of_patients(one.fact.term, order.area)
                or (one.fact.measure not in OF_PATIENTS and is_treated(one.fact.term, order.area))
            )
        ),
        tuple(one for one, kind in kinds.items() if kind == "viability"),
        tuple(one for one in facts if protects(one.fact) and one not in opposite),
        named("wanted"),
        named("molecule"),
        tuple(one for one in kinds if one.fact.topic in CLINICAL and STOPPING.search(one.fact.term)),
        tuple(
            one
            for one in facts
            if one.fact.topic is Topic.EXPRESSION
            and one.fact.term
            and order.modality is not Modality.CELL_THERAPY
        ),
        tuple(
            one
            for one in facts
            if (one.fact.local and not LOCAL & in_area)
            or (one.fact.measure in LISTED and one.fact.shared and order.modality not in SMALL)
        ),
        tuple(
            one
            for one in reviewed
            if not misfits(one.fact, order.direction)
            and any(words <= _words(one.fact.term) for words in others)
        ),
    )


def is_treated(term: str, area: str) -> bool:
    """Whether a disease is the one that a medicine for this area treats: it has all words of the area."""
    wanted, said = _words(area) - NO_DISEASE, _words(re.sub(r"\bnon-?\w+", "", term))
    return bool(wanted) and all(any(_kin(one, other) for other in said) for one in wanted)


def _kin(one: str, other: str) -> bool:
    """Whether two words are of one stem ("epilepsy", "epileptic"): most of the longer one is alike."""
    return one == other or Prefix.similarity(one, other) >= max(5, 0.6 * max(len(one), len(other)))


def with_mechanisms(facts: Sequence[CitedFact]) -> tuple[CitedFact, ...]:
    """The facts, a disease without a mechanism with the one that another source states for it. Left out is an
    obsolete name of a disease that is there under another one, and what HPO lists of one that experts judged.
    """
    diseases = [one for one in facts if one.fact.topic is Topic.DISEASE and one.fact.term]
    stated = [one for one in diseases if one.fact.change and not one.fact.assumed]
    made = []
    for one in facts:
        same = [other for other in diseases if one in diseases and other is not one and _named(one, other)]
        ways = {other.fact.change for other in same if other in stated}
        if one not in stated and len(ways) == 1:
            told = {"change": ways.pop(), "assumed": False}
            one = replace(one, fact=one.fact.model_copy(update=told))
        judged = one.tool == LISTING and any(
            other.tool != LISTING and other.fact.change in ("", one.fact.change) and same_disease(one, other)
            for other in diseases
        )
        if not (judged or (same and one.fact.term.startswith(OBSOLETE))):
            plain = one.fact.term.removeprefix(OBSOLETE)
            made.append(replace(one, fact=one.fact.model_copy(update={"term": plain})))
    return tuple(made)


def same_disease(one: CitedFact, other: CitedFact) -> bool:
    """Whether two facts are of one disease: by id, or the name of one lacks words of the other alone."""
    return _named(one, other) or _named(other, one)


def _named(one: CitedFact, other: CitedFact) -> bool:
    """Whether another fact names the disease of one: by id, else by its name, which may have more words."""
    if one.fact.id and one.fact.id == other.fact.id:
        return True
    return _words(one.fact.term) <= _words(other.fact.term)


def _words(text: str) -> set[str]:
    return {re.sub(r"s$", "", word) for word in re.findall(r"[a-z0-9]{2,}", folded(text))} - {
        "obsolete",
        "in",
    }
