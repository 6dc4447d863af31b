"""What a fact says of endpoints, organ systems and effects, by rules over the words of its term.

    organ_systems_of(fact)  # (OrganSystem.CARDIOVASCULAR,)
    effects_of(fact)        # what would increase or decrease, and under inhibition or activation
    apart_of(fact)          # "tumour" or "viability": no toxicity of an organ

A finding in animals or people without the target speaks for its inhibition, one with more of it for its
activation. A process that the target drives or brakes ("positive regulation of heart rate") is expected to
change under both, in opposite ways.
"""

import re
from collections.abc import Iterable
from typing import TypeVar

from agents.databases.associations import SEVERAL
from agents.databases.facts import Change, Fact, Topic
from agents.databases.protein_atlas_row import UNRAISED
from agents.safety.endpoints.values import Effect, OrganSystem, Sign
from agents.safety.endpoints.vocabulary import (
    Concept,
    Found,
    apart_in,
    concepts_in,
    tissue_concepts,
)
from agents.safety.order import Direction

V = TypeVar("V")

SILENT = frozenset({Topic.LOCATION, Topic.CONSTRAINT, Topic.HOMOLOGY, Topic.DRUG, Topic.TRIAL, Topic.ASSAY})
"""Topics whose terms are no effects of the target: a drug, an indication, a species, a compartment."""
INVOLVED = frozenset({Topic.FUNCTION, Topic.PATHWAY})
NAMED = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})
"""Topics whose terms are names of diseases and traits: each feeds the first system of what it names."""
WRITTEN = frozenset({Topic.LITERATURE, Topic.GIVEN, Topic.ARCHIVE})
"""Topics whose facts are sentences: that one names a tumour does not make it one on tumours."""
EXPRESSED = 1.0
_UNDER = {
    Change.LOSS: Direction.INHIBITION,
    Change.INHIBITION: Direction.INHIBITION,
    Change.GAIN: Direction.ACTIVATION,
    Change.ACTIVATION: Direction.ACTIVATION,
}
_NEGATIVE = re.compile(r"\bnegative(?:ly)? regulat", re.IGNORECASE)
_RESPONSE = re.compile(r"(?:cellular )?response to\b", re.IGNORECASE)
"""How cells or people respond to a substance is no effect on the organ that makes it."""
_TO_A_DRUG = re.compile(
    r"\bresponse to\b|(?<!startle )(?<!immune )\bresponse$|\blowering by\b|\bmetaboli[sz]er\b"
    r"|\b(?:poor|rapid|slow|ultrarapid|extensive) metabolism\b",
    re.IGNORECASE,
)
"""How people respond to a drug ("Statins, attenuated cholesterol lowering by") is no effect of the target."""
_PROTECTS = re.compile(
    r",(?: \w+,)? ?resistance to\b|^resistance to\b|\bprotection (?:against|from)\b|\breduced risk\b"
    r"|\bprotective against\b",
    re.IGNORECASE,
)
"""A variant that resists a disease is no hazard ("Malaria, resistance to")."""
_POSITIVE = re.compile(r"\bpositive(?:ly)? regulat", re.IGNORECASE)


def effects_of(fact: Fact) -> tuple[Effect, ...]:
    """The effects that a fact speaks of, each once, in the order of the vocabulary."""
    if fact.topic in SILENT or apart_of(fact):
        return ()
    if fact.topic is Topic.EXPRESSION:
        found = tissue_concepts(fact.term) if is_expressed(fact) and fact.measure != UNRAISED else ()
        return tuple(_effect(one, Sign.CHANGED, None) for one, _, _ in found)
    under = _UNDER.get(fact.change)
    made: dict[tuple[str, Sign, Direction | None], Effect] = {}
    for concept, _, sign in _named(fact):
        for effect in _effects_of(fact, concept, sign, under):
            made.setdefault((effect.name, effect.sign, effect.under), effect)
    signed = {(effect.name, effect.under) for effect in made.values() if effect.sign is not Sign.CHANGED}
    return tuple(
        effect
        for effect in made.values()
        if effect.sign is not Sign.CHANGED or (effect.name, effect.under) not in signed
    )


def apart_of(fact: Fact) -> str:
    """What a fact names that is no toxicity of an organ: "tumour", "viability", or ""."""
    if fact.topic in WRITTEN or not fact.term:
        return ""
    found = apart_in(fact.term)
    return "" if found == "viability" and fact.topic is not Topic.PHENOTYPE else found


def protects(fact: Fact) -> bool:
    """Whether a fact is of variants that protect from a disease."""
    return fact.topic in NAMED and bool(_PROTECTS.search(fact.term))


def _named(fact: Fact) -> tuple[Found, ...]:
    """The concepts that a fact is about."""
    text = fact.term or fact.text
    answers = bool(_RESPONSE.match(text))
    if fact.topic in NAMED:
        if not fact.term or fact.measure == SEVERAL or answers or _TO_A_DRUG.search(text) or protects(fact):
            return ()
    elif fact.topic in INVOLVED and not fact.term:
        return ()  # a sentence on the function names organs without being about them
    # "catecholaminergic ventricular tachycardia" is no finding on catecholamines
    return tuple(
        one
        for one in concepts_in(text)
        if (fact.topic in INVOLVED or not one[0].mechanism)
        and (one[0].mechanism or not answers or fact.topic not in INVOLVED)
    )


def is_expressed(fact: Fact) -> bool:
    """Whether a tissue is at or above 1, in TPM or log2(1 + RPKM), or no number is given."""
    return fact.value is None or fact.value >= EXPRESSED


def _effects_of(fact: Fact, concept: Concept, sign: Sign, under: Direction | None) -> tuple[Effect, ...]:
    """The effects of one concept: of a process that the target drives or brakes, one for each modulation."""
    one_system = fact.topic in NAMED
    if fact.topic not in INVOLVED or under is not None:
        return (_effect(concept, sign, under, one_system=one_system),)
    if (driven := _regulated(fact.term)) is Sign.CHANGED:
        return (_effect(concept, sign, None),)
    return tuple(
        _effect(concept, driven if way is Direction.ACTIVATION else driven.opposite, way) for way in Direction
    )


def _regulated(text: str) -> Sign:
    """What the target's own activity does to the process that a term of the Gene Ontology names."""
    if _POSITIVE.search(text):
        return Sign.INCREASED
    return Sign.DECREASED if _NEGATIVE.search(text) else Sign.CHANGED


def organ_systems_of(fact: Fact) -> tuple[OrganSystem, ...]:
    """The organ systems that a fact speaks of, each once."""
    return _once(system for effect in effects_of(fact) for system in effect.systems)


def _effect(concept: Concept, sign: Sign, under: Direction | None, *, one_system: bool = False) -> Effect:
    most = 1 if one_system else None
    return Effect(
        concept.name,
        concept.title,
        sign,
        under,
        concept.endpoints[:most],
        concept.systems[:most],
        concept.mechanism,
    )


def _once(values: Iterable[V]) -> tuple[V, ...]:
    return tuple(dict.fromkeys(values))
