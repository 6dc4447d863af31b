"""What the agent of a section is given to work with: findings, ratings, and what was asked before it.

Every database has been asked for the target by then (`agents.safety.collect`). An agent gets the findings of
its section under the keys of their records, and those tools that could answer, to ask them of other genes.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from agents.counts import listed
from agents.databases.facts import Response, Topic
from agents.evidence.memory import MemoryDump
from agents.minds.sections import Written
from agents.minds.talk import call_of
from agents.minds.work import AgentResult, Sentence, Summary
from agents.safety.coverage import asked_of, not_assessed
from agents.safety.material import Draft, Material
from agents.safety.outline import Outline
from agents.safety.review import rows_to_tell
from agents.safety.sections.research import conflict_claim, conflict_claims
from agents.safety.synthesis.findings import lines_of
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.risks import counted_of, ordered, title_of
from agents.safety.synthesis.wording import STRENGTHS, expected
from agents.safety.values import CitedFact, Collected
from agents.tools.tool import canonical_arguments
from agents.tools.toolset import Toolset
from agents.trust.values import Claim

DATABASES, RATINGS = "What the databases say", "Ratings by rules, with the findings behind them"
RATED = frozenset({"risks", "questions"})
"""Synthesis that weighs endpoints; the others build on what it made of them."""
GIVEN = 12_000
"""Characters of findings for one section, before sentences of one make are folded."""
OTHERS = 12
"""Facts of a topic that bear on no endpoint."""
EACH = 3
"""Findings that stand behind a rating."""
APART = 6
ANSWERED = (Response.FOUND, Response.NO_ROW)


def records_of(outline: Outline, material: Material, draft: Draft, tools: Toolset) -> Written:
    """What the databases say for a section, as a finding that its agent may cite."""
    rated = outline.id in RATED
    told = _ratings(material) if rated else _findings(outline, material, draft)
    sentences = (*told, *_asked(outline, material))
    cited = {key for one in sentences for key in one.keys} | _keys(draft.claims)
    if rated:
        every_risk = (best(risk, material.order.direction, EACH) for risk in material.risks)
        cited |= {one.cited.key for shown in every_risk for one in shown}
        cited |= {one.key for one in _apart(material)}
        cited |= _keys(map(conflict_claim, material.conflicts))
    every = (item for one in material.collected for item in one.evidence)
    result = AgentResult("databases", "", summary=Summary(sentences))
    dump = MemoryDump(tuple(item for item in every if item.key in cited), calls=_made(material, tools))
    return Written("databases", RATINGS if rated else DATABASES, result, dump)


def offered(outline: Outline, material: Material, tools: Toolset) -> Toolset:
    """The tools with which a section is researched further: those of it that could answer in this run."""
    could = {one.tool for one in material.collected if one.answer in ANSWERED}
    asks = (one for one in tools.values() if one.name in could and outline.asks(one.topics))
    return Toolset(outline.id, asks if outline.researches else ())


def has_matter(outline: Outline, material: Material, tools: Toolset) -> bool:
    """Whether there is anything that a model could write about, or was asked to look for."""
    found = material.of(*outline.topics) if outline.researches else material.facts
    return bool(found) or (bool(tools) and material.order.section == outline.id)


def _findings(outline: Outline, material: Material, draft: Draft) -> Iterator[Sentence]:
    """Statements that rules would begin with, contradictions, then facts: of many, those first that bear on
    an endpoint.
    """
    conflicts = conflict_claims(outline, material.conflicts) if outline.researches else ()
    own = [Sentence(one.text, one.keys) for one in (*draft.claims, *conflicts)]
    facts = material.of(*outline.topics)
    kept = set(_chosen(facts, material, GIVEN - sum(len(one.text) for one in own)))
    yield from dict.fromkeys((*own, *(Sentence(one.fact.text, (one.key,)) for one in facts if one in kept)))
    if len(kept) < len(facts):
        yield Sentence(f"{len(facts) - len(kept)} further findings stand in the tables below your text.", ())


def _chosen(facts: Sequence[CitedFact], material: Material, room: int) -> Iterator[CitedFact]:
    """The facts that bear on an endpoint, then of each topic the first others, as far as there is room."""
    bearing = {one.cited for one in material.findings}
    others = [one for one in facts if one not in bearing]
    first = [one for topic in Topic for one in [each for each in others if each.fact.topic is topic][:OTHERS]]
    for one in (*(one for one in facts if one in bearing), *first):
        if (room := room - len(one.fact.text)) < 0:
            return
        yield one


def _ratings(material: Material) -> Iterator[Sentence]:
    """A line for each endpoint with findings, one for those without, and what is told apart from risks."""
    for risk in ordered(material.risks, material.order.direction):
        if shown := best(risk, material.order.direction, EACH):
            lines = ", ".join(lines_of(counted_of(risk, material.order.direction)))
            rating = f"{STRENGTHS[risk.strength]} evidence ({lines}), {expected(risk)}"
            severity = f"severity {risk.severity.told or 'not told'}"
            head = f"{title_of(risk.endpoint)}: {severity}, {rating}"
            yield Sentence(f"{head}. {_shown(one.cited for one in shown)}", ())
    aside = material.apart.endpoints
    empty = [
        title_of(one.endpoint) for one in material.risks if not one.findings and one.endpoint not in aside
    ]
    if empty:
        yield Sentence(f"No evidence found: {'; '.join(empty)}.", ())
    for title, facts in material.apart.rows():
        yield Sentence(f"{title}, no risk by the rules: {_shown(facts[:APART])}", ())
    yield from (Sentence(one.text, one.keys) for one in map(conflict_claim, material.conflicts))


def _shown(facts: Iterable[CitedFact]) -> str:
    """Findings, each with its key."""
    return "; ".join(f"{one.fact.text.rstrip('.')} [{one.key}]" for one in facts)


def _apart(material: Material) -> Iterator[CitedFact]:
    for _, facts in material.apart.rows():
        yield from facts[:APART]


def _keys(claims: Iterable[Claim]) -> set[str]:
    return {key for claim in claims for key in claim.keys}


def _asked(outline: Outline, material: Material) -> Iterator[Sentence]:
    """Which sources hold nothing, and which gave no answer: nothing can be said from these."""
    if not outline.researches:
        rows = " | ".join(rows_to_tell(material))
        told = (f"Rated rows, in their order: {rows or 'none'}.", not_assessed(material))
        yield from (Sentence(one, ()) for one in told if one)
    asked: Sequence[Collected] = asked_of(outline, material) if outline.researches else material.collected
    found = {one.source for one in asked if one.answer is Response.FOUND}
    for head, answers in (
        ("Asked for the target, without a row on it", (Response.NO_ROW,)),
        ("Not asked, or failed", (Response.NOT_ASKED, Response.FAILED)),
    ):
        names = dict.fromkeys(one.source for one in asked if one.answer in answers)
        if left := [name for name in names if name not in found]:
            yield Sentence(f"{head}: {listed(left)}.", ())


def _made(material: Material, tools: Toolset) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The calls that the run has made already, with the keys of the records that they gave."""
    records = {one.tool: tuple(item.key for item in one.evidence) for one in material.collected}
    asked = json.dumps({"target": material.target.symbol})
    return tuple(
        (call_of(tool, canonical_arguments(tool.parse(asked))), records[tool.name])
        for tool in tools.values()
        if tool.name in records
    )
