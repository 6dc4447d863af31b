"""Organ systems: those that reviews of target safety would likely name, and how strong the evidence is.

How likely is learnt (`agents.safety.endpoints.strength`), with how likely it is before any evidence beside
it; how strong the evidence is called follows the rule of the endpoints (`agents.safety.synthesis.risks`).
Listed are systems that are likely to be named, and all whose evidence is called moderate or strong.
`pestle eval safety` measures just this (`listed`): the systems of this table against those that reviews name.
"""

from collections.abc import Sequence

from agents.safety.endpoints.strength import Weighed, weigh_systems
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.weights import WEIGHTS
from agents.safety.order import Direction
from agents.safety.synthesis.findings import lines_of
from agents.safety.synthesis.risks import counted_of, weighed
from agents.safety.synthesis.wording import STRENGTHS, with_change
from agents.safety.values import CellDraft, CitedFact, Finding, Risk, Strength, TableDraft

TITLE = "Organ systems likely to be affected"
COLUMNS = ("Organ system", "Expected with", "Evidence", "Likely to be named by reviews", "Shown by")
SYSTEMS_HOW = (
    "Evidence is called as in the table of endpoints, and leads. How likely reviews of target safety name "
    "the system was learnt on targets of which they list the effects; beside it stands how likely that is "
    "before any evidence, and with weak evidence it is called no more than possible. Systems are listed from "
    "a likelihood on that was chosen on those targets, and whatever it is where evidence is moderate or "
    "strong."
)
LIKELY = ((0.75, "very likely"), (0.5, "likely"))
"""From which likelihood it is called so; below, and from the threshold of the table on, "possible"."""
BEST = 4


def systems_table(
    facts: Sequence[CitedFact],
    findings: Sequence[Finding],
    most: int = BEST,
    direction: Direction | None = None,
) -> TableDraft | None:
    """The systems that are likely to be named or have more than weak evidence, by strength of evidence, then
    by likelihood.

    None where there is none.
    """
    scored = weigh_systems(one.fact for one in facts)
    own = {
        system: weighed("", [one for one in findings if str(system) in one.systems], direction)
        for system in scored
    }
    listed = (
        system
        for system, found in scored.items()
        if found.score >= WEIGHTS.likely or own[system].strength >= Strength.MODERATE
    )
    ranked = sorted(listed, key=lambda one: (-own[one].strength, -scored[one].score, one))
    rows = tuple(_row(system, scored[system], own[system], most, direction) for system in ranked)
    return TableDraft(TITLE, COLUMNS, rows) if rows else None


def in_words(likelihood: float) -> str:
    """A likelihood as it is told: a learnt number would look more certain than it is."""
    if likelihood < WEIGHTS.likely:
        return "unlikely"
    return next((word for least, word in LIKELY if likelihood >= least), "possible")


def _row(
    system: OrganSystem, found: Weighed, risk: Risk, most: int, direction: Direction | None
) -> tuple[CellDraft, ...]:
    counted = counted_of(risk, direction)
    shown = _shown(counted)[:most]
    strength = risk.strength or Strength.WEAK
    named = "possible" if strength is Strength.WEAK else in_words(found.score)  # no scale outruns the rule
    by = ", ".join(lines_of(counted)) or "signalling that also acts on it"
    return (
        CellDraft(str(system)),
        CellDraft(with_change(risk)),
        CellDraft(f"{STRENGTHS[strength]} ({by})"),
        CellDraft(f"{named} (before any evidence: {in_words(found.prior)})"),
        CellDraft(
            "; ".join(one.cited.fact.term for one in shown),
            tuple(dict.fromkeys(one.cited.key for one in shown)),
            tuple(dict.fromkeys(quote for one in shown for quote in one.cited.fact.quotes)),
        ),
    )


def _shown(findings: Sequence[Finding]) -> list[Finding]:
    """The findings with a term: the first of each line of evidence, then the second of each, and so on."""
    by_line: dict[str, dict[str, Finding]] = {line: {} for line in lines_of(findings)}
    for one in sorted(findings, key=lambda one: (-one.strength, one.inferred)):
        if one.cited.fact.term:
            by_line[lines_of([one])[0]].setdefault(one.cited.fact.term.casefold(), one)
    depth = max(map(len, by_line.values()), default=0)
    return [
        list(found.values())[place]
        for place in range(depth)
        for found in by_line.values()
        if place < len(found)
    ]
