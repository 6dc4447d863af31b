"""The risk table as it is shown: each endpoint with direction, evidence, species and its best findings."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from agents.databases.facts import Topic
from agents.safety.endpoints.mapping import organ_systems_of
from agents.safety.endpoints.values import SYSTEMS, Endpoint
from agents.safety.material import Material
from agents.safety.order import Direction
from agents.safety.synthesis.findings import CLINICAL, is_class, is_light, lines_of
from agents.safety.synthesis.risks import relevant, shown, title_of
from agents.safety.synthesis.wording import (
    NO_EVIDENCE,
    SET_ASIDE,
    STRENGTHS,
    render_findings,
    short_title,
    term_of,
    with_change,
    words_of,
)
from agents.safety.values import CellDraft, Finding, Risk, Strength, TableDraft, cites

TITLE, LESS = "Endpoints", "Endpoints with weak evidence or none"
COLUMNS = ("Endpoint", "Severity", "Expected with", "Evidence", "Species", "Findings")
OTHER_WAY = "only with the other direction"
NO_EFFECT = "a class of phenotypes, which names no effect"
UNBORN = "embryonic development and survival"
EXPECTED = "Expected of its mechanism, seen by no source"
BEST, WEAK = 3, 1
"""Findings that are told of an endpoint, and of one with weak evidence."""


def risk_tables(
    risks: Sequence[Risk],
    direction: Direction | None,
    leads: Container[Risk],
    most: int = BEST,
    aside: Container[str] = (),
) -> Iterator[TableDraft]:
    """Those that lead in one table, the others in one for the appendix, in the order given; a weak one with
    its best finding alone, or those that a reader wants. `aside`: endpoints of which something was set aside.
    """
    for title, own in (
        (TITLE, [one for one in risks if one in leads]),
        (LESS, [one for one in risks if one not in leads]),
    ):
        told = ((one, _row(one, direction, most) or _elsewhere(one, risks, direction, aside)) for one in own)
        rows = tuple((CellDraft(title_of(one.endpoint)), *row) for one, row in told)
        if rows:
            yield TableDraft(title, COLUMNS, rows, folded=title == LESS)


def _elsewhere(
    risk: Risk, risks: Sequence[Risk], direction: Direction | None, aside: Container[str]
) -> tuple[CellDraft, ...]:
    """The row of an endpoint without evidence, with events of its organ that stand under another one."""
    system = SYSTEMS.get(Endpoint[risk.endpoint.upper()])
    events = [
        one
        for other in risks
        for one in shown(other, direction).findings
        if one.cited.fact.topic in CLINICAL and system in organ_systems_of(one.cited.fact)
    ][:BEST]
    none = SET_ASIDE if risk.endpoint in aside else NO_EVIDENCE
    told = f"see {short_title(events[0].endpoint)}" if events else none
    return (*map(CellDraft, ("", "", told, "")), _cell(render_findings(events), events))


def _cell(text: str, findings: Sequence[Finding]) -> CellDraft:
    return CellDraft(text, *cites(one.cited for one in findings))


def best(risk: Risk, direction: Direction | None, most: int) -> tuple[Finding, ...]:
    """The findings that say most, none told twice: those of the asked direction first, classes and inferred
    ones last, weak ones that tell no direction after those that do, and else the strongest first, one of each
    effect before a second one.
    """
    told: list[Finding] = []
    for one in sorted(risk.findings, key=lambda one: _misfit(one, direction)):
        told += [one] * (not any(_same(one, other) for other in told))
    turn: Counter[str] = Counter()

    def place(one: Finding) -> tuple[bool, bool, bool, int]:
        turn[one.effect] += 1
        vague, open_way = one.inferred or is_bare(one), one.strength is Strength.WEAK and not one.under
        return _misfit(one, direction), vague, open_way, turn[one.effect]

    return tuple(sorted(told, key=place))[:most]


def expected_harms(material: Material) -> list[Finding]:
    """The harms that follow from processes of the target, one of each endpoint with weak evidence."""
    direction = material.order.direction
    weak = [one for one in material.risks if one.strength is Strength.WEAK and relevant(one, direction)]
    return [one for risk in weak for one in best(risk, direction, 1) if one.told]


def _same(one: Finding, other: Finding) -> bool:
    """Whether two findings tell one thing: by name, a disease by its id, an event of patients also where one
    name has all words of the other.
    """
    fact, known = one.cited.fact, other.cited.fact
    words, others = words_of(fact.term), words_of(known.term)
    return (
        term_of(one).casefold() == term_of(other).casefold()
        or (fact.topic is known.topic is Topic.DISEASE and fact.id == known.id != "")
        or ({fact.topic, known.topic} <= CLINICAL and (words <= others or others <= words))
    )


def leading(risk: Risk, direction: Direction | None, most: int) -> tuple[Finding, ...]:
    """The findings that say most; weak ones that are not clinical only where there are no others of the asked
    direction.
    """
    shown = best(risk, direction, len(risk.findings))
    hard = [
        one
        for one in shown
        if (one.strength >= Strength.MODERATE or one.cited.fact.topic in CLINICAL)
        and not _misfit(one, direction)
        and not is_light(one.cited.fact)
    ]
    return tuple(hard or shown)[:most]


def is_bare(one: Finding) -> bool:
    """Whether it only names an organ; of the unborn the class itself tells what happens to them."""
    return is_class(one.cited.fact) and one.effect != UNBORN


def _misfit(one: Finding, direction: Direction | None) -> bool:
    return direction is not None and one.under not in ("", str(direction))


def _row(risk: Risk, direction: Direction | None, most: int) -> tuple[CellDraft, ...]:
    every, risk = risk, shown(risk, direction)
    if not risk.findings:
        return tuple(map(CellDraft, ("", "", OTHER_WAY, "", ""))) if every.findings else ()
    few = WEAK if risk.strength is Strength.WEAK and most == BEST else most
    first = leading(risk, direction, few)
    given = [one for one in risk.findings if one.cited.fact.topic is Topic.GIVEN]
    own = [one for one in risk.findings if one.cited.fact.topic is Topic.DISEASE][:1]
    told = tuple(dict.fromkeys((*first, *given, *own)))  # what people gave, and the gene's own disease
    named = [one for one in told if not is_bare(one)]
    species = dict.fromkeys(one.cited.fact.species for one in risk.findings if one.cited.fact.species)
    open_way = bool(named) and not any(one.under for one in named)
    return (
        CellDraft(risk.severity.told),
        CellDraft(with_change(replace(risk, direction="", assumed=False) if open_way else risk)),
        CellDraft(f"{STRENGTHS[risk.strength]} ({', '.join(lines_of(risk.findings))})"),
        CellDraft(", ".join(species)),
        _cell(render_findings(named, direction) or NO_EFFECT, told),
    )
