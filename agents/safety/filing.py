"""Facts filed by a model (TSAssistant, section 3.2: synthesis weighs what research found).

Rules file a fact under an endpoint by the words of its term. A model reads the whole list with the order, and
corrects it: a fact may go to another endpoint, or be set aside with a reason that the report shows, and
each endpoint gets the study that fits. It adds no fact, changes no strength, and sets no boxed warning aside;
a study that tells a finding is left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, starmap
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from agents.data_block import data_block
from agents.databases.facts import Fact, Topic
from agents.json_answers import at_most
from agents.minds.minded import Minded, minded
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel
from agents.reports.origins import origin_faults
from agents.reports.values import PROPOSED, Origin
from agents.safety.endpoints.values import SYSTEMS, Endpoint
from agents.safety.instructions import PROMPTS, values_of
from agents.safety.material import Material
from agents.safety.synthesis.findings import LINES, strength_of_fact
from agents.safety.synthesis.risks import risks_of
from agents.safety.synthesis.wording import STRENGTHS
from agents.safety.values import CitedFact, Finding, Severity, Strength
from agents.trust.support import Support

SHOWN, LONGEST = 320, 260
"""Facts that a model reads, the strongest first, and characters of each."""
WHOLE = 8
"""Words of a proposed study: fewer name a method without species and readout."""
KEYS = tuple(one.key for one in Endpoint)
KEY: dict[str, JsonValue] = {"type": "string", "enum": list(KEYS)}
"""The key of an endpoint, in the form that a server is held to."""


class Filed(BaseModel):
    """A fact by its number: where it belongs, with which change of the target, and what of a syndrome; or why
    it is set aside.
    """

    fact: int
    endpoints: list[str] = Field(default=[], json_schema_extra=at_most(5) | {"items": KEY})
    under: Literal["inhibition", "activation", ""] = ""
    why: str = ""
    part: str = ""


class Study(BaseModel):
    """Of an endpoint how grave its harm is, the facts that tell it best, and the study that settles it."""

    endpoint: str = Field(json_schema_extra=KEY)
    severity: Severity = Severity.UNTOLD
    study: str
    facts: list[int] = Field(default=[], json_schema_extra=at_most(3))


class Filing(BaseModel):
    """What a model changes."""

    facts: list[Filed] = Field(default=[], json_schema_extra=at_most(80))
    studies: list[Study] = Field(default=[], json_schema_extra=at_most(len(Endpoint)))


async def filing_of(
    model: LanguageModel | None, material: Material, facts: tuple[Fact, ...]
) -> Minded[Filing]:
    """What a model changes; nothing without one, or where it fails."""

    async def by_model(mind: LanguageModel) -> Filing:
        prompt = compose(load_prompt("filing", PROMPTS), values_of(material.order, material.target))
        lines = (f"{number} | {_told(material, one)}" for number, one in enumerate(listed(material)))
        shown = data_block("\n".join(lines), kind="facts")
        return await mind.ask(prompt.role, prompt.system, prompt.user(shown), Filing)

    async def by_rules() -> Filing:
        return Filing()

    return await minded(model if facts else None, by_model, by_rules)


def listed(material: Material) -> list[CitedFact]:
    """The facts that are shown: those that rules filed, the strongest first, then those of no endpoint,
    without tissues.
    """
    filed = sorted((one for one in material.findings if one.endpoint), key=lambda one: -one.strength)
    topics = LINES.keys() - {Topic.EXPRESSION}
    others = (one for one in material.facts if one.fact.topic in topics and one.fact.term)
    return list(dict.fromkeys(chain((one.cited for one in filed), others)))[:SHOWN]


def _told(material: Material, one: CitedFact) -> str:
    own = [each for each in material.findings if each.cited is one]
    strength = max((each.strength for each in own), default=strength_of_fact(one.fact))
    ends = ", ".join(each.endpoint for each in own if each.endpoint) or "none"
    under = next((each.under for each in own if each.under), "") or "not told"
    line = f"{STRENGTHS[strength]} {LINES[one.fact.topic]} | {ends} | {under} | {one.source}"
    return f"{line} | {one.fact.term} | {one.fact.text}"[:LONGEST]


def filed(material: Material, filing: Filing, by: str) -> Material:
    """The material with its findings filed so, and its risks weighed anew by the same rule."""
    shown = listed(material)
    told = [(shown[one.fact], one) for one in filing.facts if 0 <= one.fact < len(shown)]
    boxed = {one.cited for one in material.findings if one.strength is Strength.STRONG}
    gone = {fact: one for fact, one in told if not one.endpoints and one.why and fact not in boxed}
    moved = [(fact, one) for fact, one in told if set(KEYS) & set(one.endpoints)]
    changed = gone.keys() | dict(moved).keys()
    kept = [one for one in material.findings if one.cited not in changed]
    first = {
        (one.endpoint, shown[at]): place
        for one in filing.studies
        for place, at in enumerate(one.facts, 1)
        if 0 <= at < len(shown)
    }
    findings = tuple(
        replace(one, leads=first.get((one.endpoint, one.cited), 0))
        for one in (*kept, *chain.from_iterable(starmap(partial(_moved, material), moved)))
    )
    proposed = ((one.endpoint, one.study.strip()) for one in filing.studies)
    origin = Origin(PROPOSED, by)
    studies = tuple(
        (endpoint, study)
        for endpoint, study in proposed
        if len(study.split()) >= WHOLE and not any(origin_faults(study, origin, (), Support(())))
    )
    severe = {one.endpoint: one.severity for one in filing.studies if one.severity}
    aside: dict[str, tuple[CitedFact, ...]] = {}
    for fact, one in gone.items():
        why = f"Set aside by {by}: {one.why.strip()}"
        aside[why] = (*aside.get(why, ()), fact)
    return replace(
        material,
        findings=findings,
        risks=tuple(
            replace(one, severity=severe.get(one.endpoint, one.severity))
            for one in risks_of(findings, material.order.direction)
        ),
        apart=replace(material.apart.without(changed), aside=tuple(aside.items())),
        studies_by=by if studies else "",
        studies=studies,
    )


def _moved(material: Material, fact: CitedFact, one: Filed) -> Iterator[Finding]:
    own = [each for each in material.findings if each.cited is fact and not each.told]
    for key in dict.fromkeys(filter(KEYS.__contains__, one.endpoints)):
        endpoint = Endpoint[key.upper()]
        stood = next((each for each in own if each.endpoint == key), None)
        known = stood or next(iter(own), None)
        system = (str(SYSTEMS[endpoint]),) if endpoint in SYSTEMS else ()
        yield Finding(
            fact,
            key,
            stood.effect if stood else endpoint.title,
            (known.under if known else "") or one.under,
            stood.systems if stood else system,
            known.strength if known else min(strength_of_fact(fact.fact), Strength.MODERATE),
            known.inferred if known else True,
            part=one.part.strip(),
        )
