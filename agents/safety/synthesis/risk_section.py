"""The integrated risk assessment by rules: the table of all endpoints, and the organ systems affected."""

from dataclasses import replace

from agents.counts import listed
from agents.databases.facts import Topic
from agents.safety.endpoints.values import SYSTEMS, Endpoint
from agents.safety.material import Draft, Material
from agents.safety.order import Direction
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.apart import Apart
from agents.safety.synthesis.findings import CLINICAL
from agents.safety.synthesis.risk_table import BEST, risk_tables
from agents.safety.synthesis.risks import ordered, relevant, shown, weighed
from agents.safety.synthesis.systems import systems_line
from agents.safety.synthesis.wording import short_title
from agents.safety.values import CellDraft, Finding, Risk, Strength, TableDraft, cites

APART = "Told apart: no toxicity of an organ"
APART_COLUMNS = ("Why", "What the sources name")
FULL = 10


def risk_section(material: Material, wish: Wish) -> Draft:
    """The section by rules. An instruction may leave findings out; endpoints stay, with none if need be."""
    direction = material.order.direction
    every = [_left(one, wish, direction) for one in material.risks if one.endpoint not in wish.left_out]
    risks = [*ordered(every, direction), *(one for one in every if not one.findings)]
    if wish.words:
        risks.sort(key=lambda one: not any(wish.wants(f.cited) for f in one.findings))
    most = 2 if wish.short else FULL if wish.full else BEST
    leads = [one for one in risks if _leads(one, wish, direction)]
    tables = risk_tables(risks, direction, leads, most, material.apart.endpoints)
    gone = {str(SYSTEMS.get(Endpoint[one.upper()])) for one in wish.left_out}
    findings = [
        replace(one, systems=tuple(each for each in one.systems if each not in gone))
        for one in material.findings
        if not wish.refuses(one.cited)
    ]
    systems = systems_line(findings, direction)
    blocks = tuple(one for one in (*tables, systems, apart_table(material.apart, wish, most)) if one)
    titles = [short_title(one.endpoint) for one in material.risks if one.endpoint in wish.left_out]
    omitted = (f"Left out, as asked: {listed(titles)}.",) * bool(titles)
    return Draft((), blocks, (*omitted, *_others([one for one in risks if one not in leads], direction)))


def _leads(risk: Risk, wish: Wish, direction: Direction | None) -> bool:
    """Whether an endpoint belongs on the first pages: it is rated, or people told of it or ask for it."""
    told = (one for one in risk.findings if one.cited.fact.topic is Topic.GIVEN or wish.wants(one.cited))
    return any(told) or (risk.strength >= Strength.MODERATE and relevant(risk, direction))


def _others(risks: list[Risk], direction: Direction | None) -> tuple[str, ...]:
    """The endpoints that are not rated, in a sentence each: those with weak evidence, and those without."""
    weak = [one for one in risks if shown(one, direction).findings]
    none = [one for one in risks if one not in weak]
    told = ((f"No more than weak {of(direction)}", weak), (f"No {of(direction)} found", none))
    return tuple(
        f"{head}: {listed([short_title(one.endpoint) for one in own])}." for head, own in told if own
    )


def of(direction: Direction | None) -> str:
    """What evidence is of."""
    return f"evidence of {direction}" if direction else "evidence"


def apart_table(apart: Apart, wish: Wish, most: int) -> TableDraft | None:
    """What is no risk, a row for each reason, with all events of patients, for the appendix; None where there
    is nothing.
    """
    rows = []
    for title, facts in apart.rows():
        left = [one for one in facts if not wish.refuses(one)]
        told = [one for place, one in enumerate(left) if place < most or one.fact.topic in CLINICAL]
        names = "; ".join(dict.fromkeys(one.fact.term for one in told))
        rows += [(CellDraft(title), CellDraft(names, *cites(told)))] * bool(told)
    return TableDraft(APART, APART_COLUMNS, tuple(rows), folded=True) if rows else None


def _left(risk: Risk, wish: Wish, direction: Direction | None) -> Risk:
    """The risk without findings that shall not be told, weighed again."""
    kept: list[Finding] = [one for one in risk.findings if not wish.refuses(one.cited)]
    if len(kept) == len(risk.findings):
        return risk
    return replace(weighed(risk.endpoint, kept, direction), severity=risk.severity)
