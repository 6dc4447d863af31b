"""What a fact says of endpoints, organ systems and effects, by rules over the words of its term.

    organ_systems_of(fact)  # (OrganSystem.CARDIOVASCULAR,)
    effects_of(fact)        # what would change
    apart_of(fact)          # "tumour", "viability", "wanted", "molecule": no toxicity of an organ

A finding in animals or people without the target speaks for its inhibition, one with more of it for its
activation (`UNDER`).
"""

import re
from dataclasses import replace

from agents.databases.associations import FAR
from agents.databases.facts import Change, Fact, Topic
from agents.databases.openfda import BARRED, COMBINED, COURSE
from agents.databases.protein_atlas_row import UNRAISED
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.vocabulary import (
    SYSTEMIC,
    TUMOUR,
    Concept,
    Found,
    apart_in,
    concepts_in,
    tissue_concepts,
)
from agents.safety.order import Direction

SILENT = frozenset({Topic.LOCATION, Topic.CONSTRAINT, Topic.HOMOLOGY, Topic.DRUG, Topic.TRIAL})
"""Topics whose terms are no effects of the target: a drug, an indication, a species, a compartment."""
INVOLVED = frozenset({Topic.FUNCTION, Topic.PATHWAY})
NAMED = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})
"""Topics whose terms are names of diseases and traits: each feeds the first system of what it names."""
WRITTEN = frozenset({Topic.LITERATURE, Topic.GIVEN, Topic.ARCHIVE})
"""Topics whose facts are sentences: that one names a tumour does not make it one on tumours."""
ONLY = {
    "viability": (Topic.PHENOTYPE,),
    "wanted": (Topic.PHENOTYPE, Topic.ADVERSE_EVENT),
    "molecule": (Topic.ADVERSE_EVENT,),
}
"""Topics of which alone a term is told apart so."""
EXPRESSED = 1.0
UNDER = {
    Change.LOSS: Direction.INHIBITION,
    Change.INHIBITION: Direction.INHIBITION,
    Change.GAIN: Direction.ACTIVATION,
    Change.ACTIVATION: Direction.ACTIVATION,
}
_TO_A_DRUG = re.compile(
    r"\bresponse to\b|\bdrug.induced\b"
    r"|(?<!startle )(?<!immune )\bresponse$|\blowering by\b|\bmetaboli[sz]er\b"
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


def misfits(fact: Fact, direction: Direction | None) -> bool:
    """Whether a fact is of the other change of the target than is asked."""
    return direction is not None and UNDER.get(fact.change) not in (None, direction)


def effects_of(fact: Fact) -> tuple[Concept, ...]:
    """The effects that a fact speaks of, each once; of a disease or trait with its first system."""
    if fact.topic in SILENT or fact.measure in (BARRED, COMBINED, COURSE):
        return ()
    if fact.topic is Topic.EXPRESSION:
        found = tissue_concepts(fact.term) if is_expressed(fact) and fact.measure != UNRAISED else ()
    else:
        found = _named(fact)
    most = 1 if fact.topic in NAMED else None
    first = (replace(one, endpoints=one.endpoints[:most], systems=one.systems[:most]) for one, _ in found)
    each = tuple(dict.fromkeys(first))
    if fact.topic is Topic.ADVERSE_EVENT and any(one.alone for one in each):
        each = tuple(one if one.alone else replace(one, endpoints=()) for one in each)
    return each


def apart_of(fact: Fact) -> str:
    """What a fact names that is no toxicity of an organ by the target, as `apart_in` has it."""
    is_name = fact.topic not in WRITTEN and not fact.term.endswith(".")
    found = apart_in(fact.term) if is_name else ""
    return found if fact.topic in ONLY.get(found, Topic) else ""


def protects(fact: Fact) -> bool:
    """Whether a fact is of variants that protect from a disease."""
    return fact.topic in NAMED and bool(_PROTECTS.search(fact.term))


def _named(fact: Fact) -> tuple[Found, ...]:
    """The concepts that a fact is about."""
    text = fact.term or fact.text
    if fact.topic in NAMED:
        silent = not fact.term or fact.measure == FAR or protects(fact)
        if silent or _TO_A_DRUG.search(text):
            return ()
    elif fact.topic in INVOLVED and (not fact.term or text.startswith("response to")):
        return ()  # a sentence on the function names organs and is not about them, nor is what cells answer
    if apart := apart_of(fact):
        return ((TUMOUR, text),) if apart == "tumour" else ()
    # "catecholaminergic ventricular tachycardia" is no finding on catecholamines
    found = tuple(one for one in concepts_in(text) if fact.topic in INVOLVED or not one[0].mechanism)
    return found or (((SYSTEMIC, text),) if fact.topic is Topic.DISEASE and fact.change else ())


def is_expressed(fact: Fact) -> bool:
    """Whether a tissue is at or above 1, in TPM or log2(1 + RPKM), or no number is given."""
    return fact.value is None or fact.value >= EXPRESSED


def organ_systems_of(fact: Fact) -> tuple[OrganSystem, ...]:
    """The organ systems that a fact speaks of, each once."""
    return tuple(dict.fromkeys(system for effect in effects_of(fact) for system in effect.systems))
