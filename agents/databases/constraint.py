"""What the constraint of a gene says: observed against expected variants, and what follows from them."""

from dataclasses import dataclass

from agents.counts import number_of
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.sheet import Sheet
from agents.databases.target import Target

LOEUF_BELOW = {"v2": 0.35, "v4": 0.6}
"""Upper bounds of observed/expected below which gnomAD calls a gene constrained, by release."""
PLI_FROM = 0.9
MISSENSE_Z_FROM = 3.09
"""z from which depletion of missense variants is significant (p = 0.001)."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """Constraint of one transcript. Everything may be unknown.

    `observed` and `expected` are loss-of-function variants, `ratio` their quotient with the bounds of its
    90 % interval in `lower` and `upper` (LOEUF).
    """

    transcript: str = ""
    observed: float | None = None
    expected: float | None = None
    ratio: float | None = None
    lower: float | None = None
    upper: float | None = None
    pli: float | None = None
    missense_ratio: float | None = None
    missense_z: float | None = None
    flags: str = ""


def describe_constraint(edition: Edition, target: Target, found: Constraint) -> Sheet:
    """The record, with a fact a number that a reader weighs. Without numbers it has no facts."""
    sheet = edition.sheet(f"constraint of {target.symbol}", target.symbol)
    if found.transcript:
        sheet.line(f"Transcript: {found.transcript}")
    if found.flags:
        sheet.line(f"Flags of {edition.database}: {found.flags}")
    _counts(sheet, edition, target.symbol, found)
    _loeuf(sheet, edition, target.symbol, found)
    _pli(sheet, edition, target.symbol, found)
    _missense(sheet, edition, target.symbol, found)
    return sheet


def _counts(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.observed is None or found.expected is None:
        return
    ratio = "" if found.ratio is None else f", observed/expected {found.ratio:.2f}"
    counted = f"{found.observed:g} observed, {found.expected:.1f} expected{ratio}"
    line = sheet.line(f"Loss-of-function variants of {gene}: {counted}")
    sheet.fact(
        Topic.CONSTRAINT,
        f"{edition.name} holds {number_of(int(found.observed), 'loss-of-function variant')} of {gene} where "
        f"{found.expected:.1f} are expected{ratio}.",
        line,
        measure="observed/expected loss-of-function variants",
        value=found.ratio,
    )


def _loeuf(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.upper is None:
        return
    bound = LOEUF_BELOW["v2" if edition.release.startswith(("v2", "2")) else "v4"]
    low = found.upper < bound
    judged = "constrained" if low else "not constrained"
    line = sheet.line(
        f"LOEUF of {gene} (upper bound of observed/expected loss of function): {found.upper:.2f}, {judged}"
    )
    rule = sheet.line(
        f"{edition.database} calls a gene constrained against loss of function at a LOEUF below {bound}"
    )
    sheet.fact(
        Topic.CONSTRAINT,
        f"With a LOEUF of {found.upper:.2f} in {edition.name}, {gene} is {judged} "
        f"against loss of function ({'below' if low else 'not below'} {bound}).",
        line,
        rule,
        term=judged,
        measure="LOEUF",
        value=found.upper,
    )


def _pli(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.pli is None:
        return
    line = sheet.line(f"pLI of {gene} (probability of intolerance to the loss of one copy): {found.pli:.2f}")
    high = found.pli >= PLI_FROM
    rule = sheet.line(f"A pLI of {PLI_FROM} or more is taken as intolerance to the loss of one copy")
    sheet.fact(
        Topic.CONSTRAINT,
        f"The pLI of {gene} in {edition.name} is {found.pli:.2f}, {'' if high else 'not '}enough to take "
        f"the gene as intolerant to the loss of one copy (from {PLI_FROM}).",
        line,
        rule,
        measure="pLI",
        value=round(found.pli, 4),
    )


def _missense(sheet: Sheet, edition: Edition, gene: str, found: Constraint) -> None:
    if found.missense_z is None:
        return
    ratio = "" if found.missense_ratio is None else f", observed/expected {found.missense_ratio:.2f}"
    line = sheet.line(f"Missense variants of {gene}: z {found.missense_z:.2f}{ratio}")
    high = found.missense_z >= MISSENSE_Z_FROM
    rule = sheet.line(
        f"A missense z of {MISSENSE_Z_FROM} or more is taken as constraint against missense variants"
    )
    sheet.fact(
        Topic.CONSTRAINT,
        f"The missense z of {gene} in {edition.name} is {found.missense_z:.2f}, {'' if high else 'not '}"
        f"enough to take the gene as constrained against missense variants (from {MISSENSE_Z_FROM}).",
        line,
        rule,
        measure="missense z",
        value=round(found.missense_z, 4),
    )
