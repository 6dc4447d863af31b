"""Facts filed by a model (TSAssistant, section 3.2: synthesis weighs what research found).

Rules file a fact under an endpoint by the words of its term. A model reads the whole list with the order, and
corrects it: a fact may go to another endpoint, or be set aside with a reason that the report shows, and
each endpoint gets the study that fits. It adds no fact, changes no strength, and sets no boxed warning aside;
a study that tells a finding is left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from agents.data_block import data_block
from agents.databases.facts import Fact
from agents.json_answers import at_most
from agents.minds.minded import Minded, minded
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel
from agents.reports.origins import origin_faults
from agents.reports.values import PROPOSED, Origin
from agents.safety.endpoints.values import Endpoint, OrganSystem
from agents.safety.instructions import PROMPTS, values_of
from agents.safety.material import Material
from agents.safety.synthesis.findings import LINES, strength_of_fact
from agents.safety.synthesis.risks import risks_of
from agents.safety.synthesis.wording import STRENGTHS
from agents.safety.values import CitedFact, Finding, Strength
from agents.trust.support import Support

SHOWN, LONGEST = 320, 260
"""Facts that a model reads, the strongest first, and characters of each."""
SYSTEMS = {
    Endpoint.HEPATOTOXICITY: OrganSystem.HEPATIC,
    Endpoint.RENAL: OrganSystem.RENAL,
    Endpoint.HEMATOTOXICITY: OrganSystem.BLOOD,
    Endpoint.NEUROLOGICAL: OrganSystem.NERVOUS,
    Endpoint.CARDIOVASCULAR: OrganSystem.CARDIOVASCULAR,
    Endpoint.REPRODUCTIVE: OrganSystem.REPRODUCTIVE,
    Endpoint.OCULAR: OrganSystem.EYE,
    Endpoint.INFLAMMATORY: OrganSystem.IMMUNE,
    Endpoint.IMMUNE: OrganSystem.IMMUNE,
    Endpoint.METABOLIC: OrganSystem.METABOLIC,
    Endpoint.SKIN: OrganSystem.SKIN,
    Endpoint.GASTROINTESTINAL: OrganSystem.GASTROINTESTINAL,
    Endpoint.PULMONARY: OrganSystem.RESPIRATORY,
    Endpoint.ENDOCRINE: OrganSystem.ENDOCRINE,
    Endpoint.PREGNANCY: OrganSystem.DEVELOPMENT,
    Endpoint.MUSCULOSKELETAL: OrganSystem.MUSCULOSKELETAL,
    Endpoint.URINARY: OrganSystem.RENAL,
}
"""The organ system of an endpoint; tumours and the whole body have none."""
KEYS = frozenset(one.key for one in Endpoint)
KEY: dict[str, JsonValue] = {"type": "string", "enum": [one.key for one in Endpoint]}
"""The key of an endpoint, in the form that a server is held to."""


class Filed(BaseModel):
    """A fact by its number, where it belongs, with which change of the target, and why."""

    fact: int
    endpoints: list[str] = Field(default=[], json_schema_extra=at_most(5) | {"items": KEY})
    under: Literal["inhibition", "activation", ""] = ""
    why: str = ""


class Study(BaseModel):
    """Of an endpoint the facts that tell it best, and the study that settles what is open."""

    endpoint: str = Field(json_schema_extra=KEY)
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
    """The facts that are shown: those that rules filed, the strongest first, then those of no endpoint."""
    filed = sorted(material.findings, key=lambda one: -one.strength)
    others = (one for one in material.facts if one.fact.topic in LINES and one.fact.term)
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
    anew = {shown[one.fact]: one for one in filing.facts if 0 <= one.fact < len(shown)}
    boxed = {one.cited for one in material.findings if one.strength is Strength.STRONG}
    gone = {fact: one for fact, one in anew.items() if not one.endpoints and one.why and fact not in boxed}
    moved = {fact: one for fact, one in anew.items() if KEYS.intersection(one.endpoints)}
    kept = [one for one in material.findings if one.cited not in gone and one.cited not in moved]
    first = {(one.endpoint, shown[at]) for one in filing.studies for at in one.facts if 0 <= at < len(shown)}
    findings = tuple(
        replace(one, leads=(one.endpoint, one.cited) in first)
        for one in (*kept, *chain.from_iterable(map(partial(_moved, material), moved, moved.values())))
    )
    told = ((one.endpoint, one.study.strip()) for one in filing.studies)
    origin = Origin(PROPOSED, by)
    studies = tuple(one for one in told if one[1] and not any(origin_faults(one[1], origin, (), Support(()))))
    aside: dict[str, tuple[CitedFact, ...]] = {}
    for fact, one in gone.items():
        why = f"Set aside by {by}: {one.why.strip()}"
        aside[why] = (*aside.get(why, ()), fact)
    return replace(
        material,
        findings=findings,
        risks=risks_of(findings, material.order.direction),
        apart=replace(material.apart, aside=tuple(aside.items())),
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
        )
