"""Findings: which facts speak for which of the endpoints or organ systems, and what each counts for."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.databases.facts import Fact, Topic
from agents.databases.openfda import COMMON_REACTION, WARNS
from agents.databases.sider import EVERYWHERE, ONE_REACTION, SHARED_REACTION, SURE
from agents.safety.endpoints.mapping import INVOLVED, UNDER, effects_of
from agents.safety.endpoints.vocabulary import PROCESSES, TUMOUR, folded, is_susceptibility
from agents.safety.order import Direction
from agents.safety.synthesis.experiments import GRAVITY
from agents.safety.values import CitedFact, Finding, Strength

CLINICAL = frozenset({Topic.ADVERSE_EVENT, Topic.TRIAL})
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT})
DRIVEN = INVOLVED | {Topic.EXPRESSION}
"""Topics whose terms are processes, or tissues whose cells may be killed."""
ANIMAL = frozenset({Topic.PHENOTYPE})
LINES = {
    **dict.fromkeys(CLINICAL, "clinical"),
    **dict.fromkeys(GENETIC, "human genetics"),
    **dict.fromkeys(ANIMAL, "animals"),
    Topic.ASSOCIATION: "common variants",
    Topic.FUNCTION: "mechanism",
    Topic.PATHWAY: "mechanism",
    Topic.EXPRESSION: "expression",
    Topic.LITERATURE: "literature",
    Topic.GIVEN: "given sources",
    Topic.ARCHIVE: "own archive",
}
"""Lines of evidence by topic, the strongest first: two facts of one line do not confirm each other."""
RANKED = tuple(dict.fromkeys(LINES.values()))
HARD = frozenset({"clinical", "human genetics", "animals"})
OBSERVED = HARD | {"common variants"}
"""Lines that were seen in animals or people; the others say what the target may do."""
LIGHT = frozenset({COMMON_REACTION, ONE_REACTION, EVERYWHERE})
"""Measures of what is weak by itself: what is common with a drug or with most, and what one alone lists."""
SIGN = re.compile(r"^(?:(positive|negative) )?regulation of ")
"""Whether the target raises or lowers a process; what regulates it without a sign tells no direction."""
KILLED = "killed"
"""What is done to cells that show the target."""
CURATED = "curated safety liability"
"""Measure of what reviews of target safety list: moderate, as is a warning that no agency put into a box."""
SOFT = frozenset({CURATED, SHARED_REACTION})
"""Measures of harm that no label warns of."""
STOPPING = re.compile(r"discontinu|abrupt|rebound|cessation|^withdrawal of\b", re.IGNORECASE)
"""What comes of ending a medicine is no effect of it; withdrawal tells of dependence, which is."""
NEAR = 0.75
"""From the highest tissue, on a logarithmic scale of base 2: one below six tenths of it is no finding."""


def findings_of(facts: Sequence[CitedFact]) -> tuple[Finding, ...]:
    """What the facts say of endpoints and organ systems, in their order.

    Tumours of animals of which nobody says what was changed tell no direction: most are of overactive genes.
    A sentence that sums up what other facts of the same tool tell one by one is passed over. So is a tissue
    with less than six tenths of the expression of the highest one.
    """
    listed = {(one.tool, one.fact.topic) for one in facts if one.fact.term}
    told = (one for one in facts if one.fact.term or (one.tool, one.fact.topic) not in listed)
    low = _low(facts)
    shown = [one for one in told if one not in low]
    processes = tuple(_of_processes(shown))
    driven = {one.cited for one in processes if one.under != KILLED}
    plain = (finding for one in shown for finding in _findings(one))
    return (*processes, *(replace(one, endpoint="") if one.cited in driven else one for one in plain))


def _of_processes(facts: Sequence[CitedFact]) -> Iterator[Finding]:
    """The harm that less or more of a process brings, by what has to be done to the target for it; or that
    comes where cells are killed that do it. Terms that are read so speak for no endpoint beside.

    A process that names no sign is read as driven by the target, unless another term of it has one.
    """
    for pattern, process in PROCESSES:
        own = [one for one in facts if one.fact.topic in DRIVEN and pattern.search(folded(one.fact.term))]
        signs = {one: SIGN.match(one.fact.term) for one in own}
        signed = any(sign and sign[1] for sign in signs.values())
        for one, sign in signs.items():
            ways: dict[str, str] = {KILLED: KILLED}
            if sign[1] if sign else not signed:
                raised, lowered = Direction if sign and sign[1] == "negative" else reversed(Direction)
                ways |= {raised: "more", lowered: "less"}
            for way, kind in ways.items():
                for key, harm in process.get(kind, {}).items():
                    yield Finding(one, key, harm, str(way), (), Strength.WEAK, told=one.fact.term)


def _low(facts: Iterable[CitedFact]) -> set[CitedFact]:
    """The tissues whose expression is too far below the highest one of their data set."""
    levels: dict[tuple[str, str, str], dict[CitedFact, float]] = {}
    for one in facts:
        value, unit = one.fact.value, one.fact.unit
        if one.fact.topic is Topic.EXPRESSION and one.fact.term and value is not None:
            level = value if "log" in unit else math.log2(1 + max(value, 0.0))
            levels.setdefault((one.tool, one.fact.measure, unit), {})[one] = level
    return {one for own in levels.values() for one, at in own.items() if at < max(own.values()) - NEAR}


def _findings(one: CitedFact) -> Iterator[Finding]:
    if one.fact.topic not in LINES:
        return
    seen: set[str] = set()
    under = str(UNDER.get(one.fact.change, ""))
    effects = effects_of(one.fact)
    named = [effect for effect in effects if not effect.mechanism]
    for effect in named or effects:  # where a term names an organ, nothing is inferred from its signal
        for key in [endpoint.key for endpoint in effect.endpoints] or [""]:
            if key in seen and key:
                continue
            seen.add(key)
            yield Finding(
                one,
                key,
                effect.title,
                "" if one.fact.assumed and effect.name == TUMOUR.name else under,
                tuple(map(str, effect.systems)),
                Strength.WEAK if effect.mechanism else strength_of_fact(one.fact),
                effect.mechanism,
            )


def strength_of_fact(fact: Fact) -> Strength:
    """What one fact counts for, whatever it is about."""
    line = LINES[fact.topic]
    vague = is_class(fact) or is_light(fact) or (fact.topic in GENETIC and is_susceptibility(fact.term))
    if line not in HARD or vague or by_chance(fact):
        return Strength.WEAK
    weighty = line == "clinical" and fact.measure not in (WARNS, CURATED, SHARED_REACTION)
    return Strength(Strength.MODERATE + weighty - fact.shared)


def by_chance(fact: Fact) -> bool:
    """Whether as many drugs may share a reaction by chance."""
    return fact.measure == SHARED_REACTION and (fact.value or 0.0) > SURE


def is_light(fact: Fact) -> bool:
    """Whether a harm is weak by itself: by its measure, or one that any trial sees and no label warns of."""
    seen = re.search(GRAVITY["background"], fact.term, re.IGNORECASE)
    return fact.measure in LIGHT or (fact.measure in SOFT and seen is not None)


def place_of(term: str) -> int:
    """What kills at once comes first, what comes of ending a medicine last."""
    return 2 * bool(STOPPING.search(term)) or not re.search(GRAVITY["deadly"], term, re.IGNORECASE)


def is_class(fact: Fact) -> bool:
    """Whether a phenotype only names a class of them ("nervous system phenotype"), or sums several up."""
    classes = (" phenotype", "tumorigenesis", "mortality/aging")
    return fact.topic is Topic.PHENOTYPE and (not fact.term or fact.term.casefold().endswith(classes))


def lines_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The independent lines of evidence behind findings, the strongest first."""
    found = {LINES[one.cited.fact.topic] for one in findings}
    return tuple(line for line in RANKED if line in found)
