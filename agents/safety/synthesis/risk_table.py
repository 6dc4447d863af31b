"""The risk table as it is shown: 15 rows, each with direction, evidence, species and its best findings."""

from collections.abc import Sequence

from agents.databases.facts import Topic
from agents.safety.order import Direction
from agents.safety.synthesis.findings import RANKED, SPONTANEOUS, lines_of
from agents.safety.synthesis.risks import counted_of, relevant, title_of
from agents.safety.synthesis.wording import (
    NO_EVIDENCE,
    STRENGTHS,
    cited_claim,
    opposed,
    render_findings,
    term_of,
    with_change,
)
from agents.safety.values import CellDraft, Finding, Risk, Strength, TableDraft

TITLE = "Endpoints"
COLUMNS = ("Expected with", "Evidence", "Species", "Findings")
BEST, WEAK = 3, 1
"""Findings that are told of an endpoint, and of one with weak evidence."""


def risk_table(
    risks: Sequence[Risk],
    direction: Direction | None,
    most: int = BEST,
    title: str = TITLE,
) -> TableDraft:
    """The table, in the order of the endpoints given; a weak one with its best finding alone."""
    rows = tuple((CellDraft(title_of(one.endpoint)), *_row(one, direction, most)) for one in risks)
    return TableDraft(title, ("Endpoint", *COLUMNS), rows)


def best(risk: Risk, direction: Direction | None, most: int) -> tuple[Finding, ...]:
    """The findings that say most: those of the asked direction first, inferred ones last, each line
    of evidence (patients, people, animals, then the weaker ones) before a second one of the same, none told
    twice.
    """
    fitting = sorted(risk.findings, key=lambda one: (one.inferred, one.cited.fact.measure in SPONTANEOUS))
    asked = _in_turn([one for one in fitting if not _misfit(one, direction)])
    others = _in_turn([one for one in fitting if _misfit(one, direction)])
    told: dict[str, Finding] = {}
    for one in (*asked, *others):
        told.setdefault(term_of(one).casefold(), one)
    return tuple(told.values())[:most]


def leading(risk: Risk, direction: Direction | None, most: int) -> tuple[Finding, ...]:
    """The findings that say most; weak ones only where there are no others of the asked direction."""
    shown = best(risk, direction, len(risk.findings))
    hard = [one for one in shown if one.strength >= Strength.MODERATE and not _misfit(one, direction)]
    return tuple(hard or shown)[:most]


def _in_turn(findings: Sequence[Finding]) -> list[Finding]:
    """The first of each line of evidence, then the second of each, and so on, none told twice."""
    lines: dict[str, list[Finding]] = {}
    seen: set[str] = set()
    for one in findings:
        if term_of(one).casefold() not in seen:
            seen.add(term_of(one).casefold())
            lines.setdefault(lines_of([one])[0], []).append(one)
    lines = {line: lines[line] for line in sorted(lines, key=RANKED.index)}
    ranked: list[Finding] = []
    for place in range(max(map(len, lines.values()), default=0)):
        ranked += [found[place] for found in lines.values() if place < len(found)]
    return ranked


def _misfit(one: Finding, direction: Direction | None) -> bool:
    return direction is not None and one.under not in ("", str(direction))


def _row(risk: Risk, direction: Direction | None, most: int) -> tuple[CellDraft, ...]:
    if not risk.findings:
        texts = ("", NO_EVIDENCE, "", "")
        return tuple(map(CellDraft, texts))
    weak = max(risk.strength, risk.opposed) is Strength.WEAK and most == BEST
    shown = leading(risk, direction, WEAK if weak else most)
    given = (one for one in risk.findings if one.cited.fact.topic is Topic.GIVEN)
    shown = tuple(dict.fromkeys((*shown, *given)))  # what people gave is always told
    claim = cited_claim(render_findings(shown, direction), shown)
    counted = counted_of(risk, direction)
    other = "" if relevant(risk, direction) else " (the other direction)"
    species = dict.fromkeys(one.cited.fact.species for one in risk.findings if one.cited.fact.species)
    return (
        CellDraft(with_change(risk) + other),
        CellDraft(f"{STRENGTHS[risk.strength]} ({', '.join(lines_of(counted))}){opposed(risk)}"),
        CellDraft(", ".join(species)),
        CellDraft(claim.text, claim.keys, claim.quotes),
    )
