"""The risk table as it is shown: 15 rows, each with direction, evidence, species and its best findings."""

from collections.abc import Sequence

from agents.safety.order import Direction
from agents.safety.synthesis.risks import Stance, lines_of, relevant, title_of
from agents.safety.values import CellDraft, Finding, Risk, Strength, TableDraft

TITLE = "Endpoints"
COLUMNS = ("Endpoint", "Expected with", "Evidence", "Species", "Findings")
BEST = 4
NO_EVIDENCE = "no evidence found"
DIRECTIONS = {"": str(Stance.UNKNOWN), "both": "either, by different findings"}
"""How a direction is told that is neither inhibition nor activation alone."""
STRENGTHS = {
    Strength.NONE: NO_EVIDENCE,
    Strength.WEAK: "weak",
    Strength.MODERATE: "moderate",
    Strength.STRONG: "strong",
}


def risk_table(
    risks: Sequence[Risk], direction: Direction | None, most: int = BEST, title: str = TITLE
) -> TableDraft:
    """The table, in the order of the endpoints given."""
    return TableDraft(title, COLUMNS, tuple(_row(one, direction, most) for one in risks))


def best(risk: Risk, direction: Direction | None, most: int) -> tuple[Finding, ...]:
    """The findings that say most: those of the asked direction first, inferred ones last, each line of
    evidence before a second one of the same, none told twice.
    """
    fitting = sorted(risk.findings, key=lambda one: (_misfit(one, direction), one.inferred))
    lines: dict[str, list[Finding]] = {}
    told: set[str] = set()
    for one in fitting:
        if _term(one).casefold() not in told:
            told.add(_term(one).casefold())
            lines.setdefault(lines_of([one])[0], []).append(one)
    ranked: list[Finding] = []
    for place in range(max(map(len, lines.values()), default=0)):
        ranked += [found[place] for found in lines.values() if place < len(found)]
    return tuple(ranked[:most])


def with_change(risk: Risk) -> str:
    """With which change of the target a risk is to be expected, in words."""
    if not risk.findings:
        return ""
    return DIRECTIONS.get(risk.direction, risk.direction)


def _misfit(one: Finding, direction: Direction | None) -> bool:
    return direction is not None and one.under not in ("", str(direction))


def _row(risk: Risk, direction: Direction | None, most: int) -> tuple[CellDraft, ...]:
    if not risk.findings:
        return (
            CellDraft(title_of(risk.endpoint)),
            CellDraft(""),
            CellDraft(NO_EVIDENCE),
            CellDraft(""),
            CellDraft(""),
        )
    shown = best(risk, direction, most)
    keys = tuple(dict.fromkeys(one.cited.key for one in shown))
    quotes = tuple(dict.fromkeys(quote for one in shown for quote in one.cited.fact.quotes))
    other = "" if relevant(risk, direction) else " (the other direction)"
    species = dict.fromkeys(one.cited.fact.species for one in risk.findings if one.cited.fact.species)
    return (
        CellDraft(title_of(risk.endpoint)),
        CellDraft(with_change(risk) + other),
        CellDraft(f"{STRENGTHS[risk.strength]} ({', '.join(lines_of(risk.findings))})"),
        CellDraft(", ".join(species)),
        CellDraft("; ".join(map(_term, shown)), keys, quotes),
    )


def _term(one: Finding) -> str:
    return one.cited.fact.term or one.effect
