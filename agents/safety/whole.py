"""The assessment that a model writes (TSAssistant, section 3.2): conclusion, risks, species, studies and
questions as one object, so that its parts agree.

A model reads every record once and writes the object. It reads its draft again, with the records and what
code found amiss, and gives the parts that change. A revision asks for the parts of one section, with the rest
standing. A statement names the lines that carry it, or is marked as knowledge of the field.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from agents.counts import listed
from agents.data_block import data_block
from agents.databases.facts import Topic
from agents.databases.openfda import WARNS
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.json_answers import at_most
from agents.minds.keyed import Keyed
from agents.minds.minded import Minded
from agents.minds.parts import Parts
from agents.minds.parts import written as filled
from agents.minds.prompts import load_prompt
from agents.ports import Entailment, LanguageModel
from agents.reports.markdown import text_of
from agents.reports.origins import origin_faults
from agents.reports.values import PROPOSED, Origin, Section
from agents.runs.run import Run
from agents.safety.checked import KnownSentences
from agents.safety.coverage import not_assessed
from agents.safety.doubts import disputed_facts
from agents.safety.endpoints.mapping import INVOLVED, UNDER
from agents.safety.endpoints.values import Endpoint
from agents.safety.endpoints.vocabulary import is_susceptibility
from agents.safety.instructions import PROMPTS, Instructions, composed
from agents.safety.material import Material
from agents.safety.order import SafetyOrder
from agents.safety.outline import BY_ID, RESEARCH, SECTIONS
from agents.safety.synthesis.conclusion import Verdict, main_risks, unread_line
from agents.safety.synthesis.experiments import applies
from agents.safety.synthesis.findings import (
    ANIMAL,
    CURATED,
    GENETIC,
    HARD,
    LINES,
    by_chance,
    is_class,
    is_light,
)
from agents.safety.synthesis.key_risks import BOXES, unread_boxes
from agents.safety.synthesis.risk_table import leading
from agents.safety.synthesis.risks import title_of
from agents.safety.synthesis.wording import sentence, term_of, words_of
from agents.safety.values import CitedFact, Finding, Severity, Strength, cites
from agents.trust.carrier import values_of
from agents.trust.check import check_claims
from agents.trust.support import Support, carriers_of, faults
from agents.trust.values import Claim

KEY: dict[str, JsonValue] = {"type": "string", "pattern": "^P[0-9]{1,4}$"}
ORGAN: dict[str, JsonValue] = {"type": "string", "enum": [one.key for one in Endpoint]}
READ: dict[str, JsonValue] = {"type": "string", "enum": list(RESEARCH)}
ROOM, LONGEST, WORDS = 60_000, 500, 820
"""Characters of all records and of one line that a model reads, and words of its parts before `reading`."""
TEXTS = re.compile(
    r'"(?:text|name|source|reversibility|monitoring|stop|study|guideline|answers|question|settled_by)":'
    r'"((?:[^"\\]|\\.)*)"'
)
"""The texts of an object that are read, in its JSON form."""
MANY = 20
"""A number from here on is a value; smaller ones are parts of names ("interleukin 6")."""
FIRST = (Topic.GIVEN, Topic.ADVERSE_EVENT, Topic.DRUG, Topic.TRIAL, Topic.DISEASE, Topic.PHENOTYPE)
"""What is read first, also where there is no room for all."""


class Said(BaseModel):
    """A statement with the keys of the lines that carry it; without, what the field knows."""

    text: str
    keys: list[str] = Field(default=[], json_schema_extra=at_most(8) | {"items": KEY})


class Rated(BaseModel):
    """A harm under its clinical name: what brings it and how that is known (`source`), its rating, and what
    this rests on. `endpoint` is where charts count it; `known_from` is told where no record carries it.
    """

    name: str
    endpoint: str = Field(json_schema_extra=ORGAN)
    source: str
    likelihood: Literal["expected", "likely", "possible", "rare"]
    severity: Literal["life-threatening", "serious", "monitorable", "mild"]
    known_from: Literal["several medicines", "one medicine", "human genetics", "animals", "mechanism"]
    under: Literal["inhibition", "activation", "both"]
    basis: list[Said] = Field(json_schema_extra=at_most(4))

    @property
    def gravity(self) -> Severity:
        """How grave it is."""
        return Severity[self.severity.upper().replace("-", "_")]

    @property
    def of_target(self) -> bool:
        """Whether a next medicine on the target brings it as well."""
        return re.match(r"(?:the )?target\b", self.source, re.IGNORECASE) is not None


class KeyRisk(Rated):
    """A risk that decides. `monitoring` and `stop` are of this harm; "" where the field has none."""

    reversibility: str
    monitoring: str = ""
    stop: str = ""


class SetApart(Said):
    """What is no risk of this medicine though records name it, and why not."""

    reason: Literal["other direction", "other target", "other chemistry", "other patients", "the disease"]


class Study(BaseModel):
    """A study of the plan: its stage, what is done and read, after which guideline, and what it answers."""

    stage: Literal["before the first dose", "before phase 2", "before phase 3", "before approval"]
    study: str
    guideline: str
    answers: str


class Question(BaseModel):
    """What is open, and what settles it."""

    question: str
    settled_by: str


class Paragraph(BaseModel):
    """A paragraph of the argument."""

    says: list[Said] = Field(json_schema_extra=at_most(9))


class Reading(BaseModel):
    """What the findings of a section of evidence mean."""

    section: str = Field(json_schema_extra=READ)
    says: list[Said] = Field(json_schema_extra=at_most(3))


class Whole(Parts):
    """The assessment."""

    conclusion: Verdict | None = None
    argument: list[Paragraph] = Field(default=[], json_schema_extra=at_most(5))
    risks: list[KeyRisk] = Field(default=[], json_schema_extra=at_most(7))
    endpoints: list[Rated] = Field(default=[], json_schema_extra=at_most(14))
    apart: list[SetApart] = Field(default=[], json_schema_extra=at_most(6))
    species: list[Said] = Field(default=[], json_schema_extra=at_most(6))
    studies: list[Study] = Field(default=[], json_schema_extra=at_most(12))
    questions: list[Question] = Field(default=[], json_schema_extra=at_most(6))
    reading: list[Reading] = Field(default=[], json_schema_extra=at_most(len(RESEARCH)))

    @property
    def rated(self) -> tuple[Rated, ...]:
        """All ratings of endpoints that there are, the key risks first."""
        return tuple(one for one in (*self.risks, *self.endpoints) if one.endpoint in _ENDPOINTS)

    @property
    def statements(self) -> Iterator[Said]:
        """All statements."""
        for paragraph in self.argument:
            yield from paragraph.says
        for one in self.reading:
            yield from one.says
        for rated in self.rated:
            yield from rated.basis
        yield from (*self.apart, *self.species)

    @property
    def words(self) -> int:
        """Words of the report proper."""
        told = TEXTS.findall(self.model_dump_json(exclude={"reading"}))
        return sum(len(one.split()) for one in told)


_ENDPOINTS = frozenset(one.key for one in Endpoint)
NEEDED: Mapping[str, tuple[str, ...]] = {
    "": ("conclusion", "argument", "risks", "studies"),
    "summary": ("conclusion", "argument", "risks"),
    "risks": ("risks",),
    "species": ("species",),
    "questions": ("studies",),
    **dict.fromkeys(RESEARCH, ("reading",)),
}
"""The parts of the object without which a section cannot be told; under "" those that no assessment lacks."""
BESIDE = {"risks": ("endpoints", "apart"), "questions": ("questions",)}
"""The others of a section."""
CHECK = load_prompt("check", PROMPTS).text
REVISE = (
    "The report stands as above. Write only these parts anew, as the instruction says, and keep what it does "
    "not touch: {}. The other sections stand, and yours agree with them."
)


def read(material: Material) -> Keyed[CitedFact]:
    """The facts under the keys that a model may cite: what people had first, as many as there is room for. Of
    processes and of mere classes of phenotypes the sentence that sums them up stands for all.
    """
    room, kept = ROOM, list[CitedFact]()
    others = [one for one in material.facts if one.fact.topic not in FIRST]
    summed = {(one.tool, one.fact.topic) for one in material.facts if not one.fact.term}
    for one in (*material.of(*FIRST), *others):
        is_part = one.fact.term and (one.tool, one.fact.topic) in summed
        if is_part and (one.fact.topic in INVOLVED or is_class(one.fact)):
            continue
        if (room := room - len(_line(one))) >= 0:
            kept.append(one)
    return Keyed(kept)


def _line(one: CitedFact) -> str:
    way, told = UNDER.get(one.fact.change), one.fact.topic in (*FIRST, Topic.VARIANT)
    marks = (
        f"speaks for {way}{' (read so, not stated)' * one.fact.assumed}" if way else "",
        "no direction told" * (told and not way),
        "other targets too" * one.fact.shared,
        "an expert's words" * (one.fact.topic is Topic.GIVEN),
    )
    return " | ".join(filter(None, (", ".join(filter(None, marks)), one.fact.text)))[:LONGEST]


def _records(material: Material) -> str:
    told, lines, topic = read(material), list[str](), ""
    for key, one in told.items():
        if one.fact.topic != topic:
            lines.append(f"# {(topic := one.fact.topic)}")
        lines.append(f"{key} | {_line(one)}")
    left, unread = len(material.facts) - len(told), unread_line(material)
    remarks = (
        not_assessed(material),
        f"{sentence(unread)}." if unread else "",
        f"{left} further facts are not shown." if left else "",
        *material.missing,
    )
    return "\n".join((data_block("\n".join(lines), kind="records"), *filter(None, remarks)))


async def written(
    run: Run, model: LanguageModel | None, material: Material, instructions: Instructions
) -> Minded[Whole]:
    """The object by a model, or of a revision the parts of its section; an empty one without a model or
    facts, or where it fails.
    """
    order, section, asked = material.order, material.order.section, _records(material)
    outlines = [BY_ID[section]] if section else SECTIONS
    facts = material.of(*BY_ID[section].topics) if section in RESEARCH else material.facts
    work = partial(_asked, model if facts else None, material, instructions, [one.id for one in outlines])
    if section:
        standing = "\n\n".join(map(_as_text, order.standing))
        told = REVISE.format(listed((*NEEDED[section], *BESIDE.get(section, ()))))
        asked = "\n\n".join((asked, data_block(standing, kind="report"), told))
    first = await run.step("whole/draft", work, asked, NEEDED[section])
    if section or first.value.conclusion is None:
        return first
    points = "\n".join(f"- {one}" for one in points_of(first.value, material))
    draft = data_block(first.value.model_dump_json(exclude_defaults=True), kind="draft")
    again = "\n\n".join(filter(None, (asked, draft, CHECK, points and f"Code found:\n{points}")))
    second = await run.step("whole/check", work, again, ())
    return Minded(second.value.over(first.value), first.by, second.why_fallen_back)


def _as_text(section: Section) -> str:
    rows = (" | ".join(cell.text for cell in row) for table in section.tables for row in table.rows)
    return "\n".join((f"## {section.title}", text_of(section.blocks), *rows))


async def _asked(
    model: LanguageModel | None,
    material: Material,
    instructions: Instructions,
    sections: Sequence[str],
    asked: str,
    needed: tuple[str, ...],
) -> Minded[Whole]:
    prompt = (material.order, material.target, instructions, [BY_ID[one] for one in sections])
    return await filled(model, partial(composed, *prompt), asked, Whole, needed)


def claim_of(one: Said, told: Keyed[CitedFact]) -> Claim:
    """A statement on records as a claim with the lines that carry it."""
    return Claim(one.text, *cites(told.under(one.keys)))


async def judged(
    run: Run, entailment: Entailment, material: Material, whole: Whole
) -> Mapping[tuple[str, tuple[str, ...]], Claim]:
    """The claims of the object with their verdicts, by text and keys."""
    told = read(material)
    said = list({(one.text, tuple(one.keys)): one for one in whole.statements if one.keys}.items())
    claims = tuple(claim_of(one, told) for _, one in said)
    keys = {key for one in claims for key in one.keys}
    evidence = tuple(item for one in material.collected for item in one.evidence if item.key in keys)
    known = KnownSentences(material.facts, entailment)
    checked = await run.step("whole/citations", partial(_checked, known), claims, MemoryDump(evidence))
    return {name: claim for (name, _), claim in zip(said, checked, strict=True)}


async def _checked(
    entailment: Entailment, claims: tuple[Claim, ...], evidence: MemoryDump
) -> tuple[Claim, ...]:
    return await check_claims(claims, EvidenceMemory.load(evidence), entailment)


def is_known(one: Said) -> bool:
    """Whether a statement is knowledge of the field that may be shown: it holds no value, and no result."""
    values = values_of(one.text)
    many = any(number.value >= MANY for number in values.numbers)
    holds = many or values.quantities or values.frequencies or values.dates
    return not (one.keys or holds or any(origin_faults(one.text, Origin(PROPOSED, ""), (), Support(()))))


def findings_under(
    facts: Sequence[CitedFact], rated: Rated, strength: Strength, material: Material
) -> tuple[Finding, ...]:
    """Facts as findings of a rated endpoint: those that tell as strong as the rating is."""
    return tuple(
        Finding(
            one,
            rated.endpoint,
            title_of(rated.endpoint),
            str(UNDER.get(one.fact.change, "")),
            (),
            strength if _is_hard(one, rated, material) else Strength.WEAK,
        )
        for one in facts
        if one.fact.topic in LINES
    )


def strength_by(facts: Sequence[CitedFact], rated: Rated, material: Material) -> Strength:
    """The strength that lines give a rating. Strong: patients on a medicine that acts on this target alone,
    or two of patients, human genetics and single findings in animals; moderate: one of these, or a review of
    target safety; weak: the rest.
    """
    if not facts:
        return Strength.NONE
    hard = [one for one in facts if _is_hard(one, rated, material)]
    patients = (one.fact for one in hard if one.fact.topic not in GENETIC | ANIMAL)
    alone = any(not one.shared and one.measure != CURATED for one in patients)
    lines = {LINES.get(one.fact.topic, "clinical") for one in hard}
    return Strength(min(Strength.WEAK + bool(lines) + (len(lines) > 1 or alone), Strength.STRONG))


def _is_hard(one: CitedFact, rated: Rated, material: Material) -> bool:
    """Whether a fact is of patients, of people with a changed gene, or a single finding in animals; no light
    one is. A changed gene tells nothing of harm that something else than the target brings.
    """
    genetic, undirected = one.fact.topic in GENETIC, material.order.direction and not one.fact.change
    if (genetic and undirected) or (one.fact.topic in GENETIC | ANIMAL and not rated.of_target):
        return False
    if disputed_facts([one], material.collected, material.order.disputed):
        return False
    seen = LINES.get(one.fact.topic) in HARD or one.fact.measure in BOXES
    light = is_light(one.fact) or by_chance(one.fact)
    return seen and not (light or is_class(one.fact) or is_susceptibility(one.fact.term))


def boxes(material: Material) -> tuple[CitedFact, ...]:
    """What the records tell of boxed warnings and withdrawals, unless of the other direction."""
    direction = material.order.direction
    told = [one for one in material.of(Topic.ADVERSE_EVENT, Topic.DRUG) if one.fact.measure in BOXES]
    fits = (one for one in told if not direction or UNDER.get(one.fact.change, direction) is direction)
    return tuple(dict.fromkeys((*fits, *unread_boxes(material))))


def points_of(whole: Whole, material: Material) -> Iterator[str]:
    """What code finds amiss in an object, in sentences for its writer."""
    told, order = read(material), material.order
    cited = {fact for one in whole.statements for fact in told.under(one.keys)}
    for said in whole.statements:
        yield from _amiss_in(said, told, material)
    for rated in whole.rated:
        yield from _amiss_in_rating(rated, told)
    warned = [one for one in material.of(Topic.ADVERSE_EVENT) if one.fact.measure == WARNS]
    for fact in dict.fromkeys((*boxes(material), *warned)):
        if fact not in cited:
            yield f"A warning or withdrawal is told neither as a risk nor apart: {fact.fact.text}"
    rated_ones = {one.endpoint for one in whole.rated}
    for risk in main_risks(material):
        shown = leading(risk, order.direction, 3)
        if risk.endpoint not in rated_ones and cited.isdisjoint(one.cited for one in shown):
            named = listed([term_of(one) for one in shown])
            yield f"{title_of(risk.endpoint)} ({named}) is neither rated nor told apart."
    yield from _amiss_in_plan(whole, order)
    if whole.words > WORDS:
        yield f"The parts before `reading` have {whole.words} words: at most 800."


def _amiss_in_plan(whole: Whole, order: SafetyOrder) -> Iterator[str]:
    answered = words_of(" ".join(one.answers for one in whole.studies))
    for risk in whole.risks:
        if words_of(risk.name).isdisjoint(answered):
            yield f"No study names the key risk “{risk.name}” in what it answers."
    for study in whole.studies:
        if not applies(f"{study.study} {study.guideline}", order.modality, order.area):
            yield f"A guideline leaves such medicines or patients out: {study.guideline}, {study.study}"


def _amiss_in(said: Said, told: Keyed[CitedFact], material: Material) -> Iterator[str]:
    claim = claim_of(said, told)
    evidence = [item for one in material.collected for item in one.evidence if item.key in claim.keys]
    if said.keys and not claim.keys:
        yield f"No record has the keys of “{said.text}”."
    elif claim.keys:
        support = Support(carriers_of(evidence), names=material.target.symbols)
        lost = [one.value for one in faults(said.text, support)]
        if lost:
            yield f"No line that “{said.text}” names holds: {listed(lost)}."
    elif not said.keys and not is_known(said):
        yield f"“{said.text}” names no line and holds a value."


def _amiss_in_rating(rated: Rated, told: Keyed[CitedFact]) -> Iterator[str]:
    facts = tuple(fact for one in rated.basis for fact in told.under(one.keys))
    ways = {UNDER.get(fact.fact.change) for fact in facts}
    lost = listed([one.value for one in faults(rated.name, Support(()))])
    if facts and lost:
        yield f"{rated.name}: a name holds no code ({lost}), since its lines do not."
    if rated.under != "both" and ways and ways.isdisjoint({None, rated.under}):
        yield f"{rated.name}: all its lines speak for the other direction than {rated.under}."
