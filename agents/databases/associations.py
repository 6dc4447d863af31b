"""Associations of common variants with traits: the strongest for each trait, at genome-wide significance."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from agents.counts import listed, number_of
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.sheet import Sheet
from agents.databases.target import Target

SIGNIFICANT = "5E-8"
THRESHOLD = -math.log10(5e-8)
SLACK = 1e-6
"""A strength is written with rounding: 5E-8 itself is significant."""
STRENGTH = "-log10(p)"
"""What is measured of an association: a p-value itself may be too small for any number."""
FAR = "-log10(p), of a variant that is not mapped to the gene"
"""What is measured of an association whose variant lies far off, or at another gene."""
NAMED = 5
"""How many traits the summing sentence names."""


@dataclass(frozen=True, slots=True)
class Association:
    """One association.

    `trait` is called as the authors call it. `place` says where the variant lies, seen from the target. `p`
    is the p-value as written, `strength` its negative decadic logarithm, since a p-value may be smaller than
    any floating-point number. `far`: the variant lies too far off, or is mapped to another gene.
    """

    trait: str
    variant: str
    place: str
    p: str
    strength: float
    effect: str = ""
    paper: str = ""
    far: bool = False

    @staticmethod
    def strength_of(mantissa: float, exponent: float) -> float:
        """The negative decadic logarithm of mantissa times 10 to the exponent."""
        return -math.log10(mantissa) - exponent

    @property
    def significant(self) -> bool:
        """Whether it reaches genome-wide significance."""
        return self.strength >= THRESHOLD - SLACK


def _order(one: Association) -> tuple[float, bool, str, str, str]:
    """The strongest first; of equally strong ones, a variant at the gene before one beside it."""
    return -one.strength, not one.place.startswith("at "), one.trait.casefold(), one.variant, one.place


def describe_associations(edition: Edition, target: Target, found: Iterable[Association]) -> Sheet:
    """The record: a line and a fact a trait, the strongest first; what is not significant is counted."""
    gene = target.symbol
    sheet = edition.sheet(f"traits tied to common variants at {gene}", gene)
    known = sorted(set(found), key=_order)
    by_trait: dict[str, list[Association]] = {}
    for one in known:
        if one.significant:
            by_trait.setdefault(one.trait.casefold(), []).append(one)
    weak = {one.trait.casefold() for one in known} - by_trait.keys()
    groups = list(by_trait.values())
    names = listed([group[0].trait for group in groups[:NAMED]])
    first = ", the strongest of them" if len(groups) > NAMED else ""
    what = f"at genome-wide significance (p at most {SIGNIFICANT})"
    if groups:
        sheet.fact(
            Topic.ASSOCIATION,
            f"The {edition.name} ties {number_of(len(groups), 'trait')} to common variants at {gene} "
            f"{what}{first}: {names}.",
            sheet.line(f"Traits tied to common variants at {gene} {what}: {len(groups)}{first}: {names}"),
            measure="number of traits",
            value=len(groups),
        )
    if weak:
        sheet.line(f"Further traits, below that significance: {len(weak)}")
    for group in groups:
        _tell(sheet, gene, _line(sheet, group), group, edition)
    return sheet


def _line(sheet: Sheet, group: list[Association]) -> str:
    best = group[0]
    variants = len({one.variant for one in group})
    parts = (
        f"{best.trait}: {best.variant} {best.place}",
        f"p = {best.p} (-log10(p) = {best.strength:.1f})",
        f"effect (odds ratio or beta) {best.effect}" if best.effect else "",
        f"PMID {best.paper}" if best.paper else "",
        f"variants tied to it: {variants}",
    )
    return sheet.line("; ".join(filter(None, parts)))


def _tell(sheet: Sheet, gene: str, line: str, group: list[Association], edition: Edition) -> None:
    best = group[0]
    paper = f", PMID {best.paper}" if best.paper else ""
    sheet.fact(
        Topic.ASSOCIATION,
        f"In the {edition.name}, {best.trait} is tied to {best.variant}, a variant {best.place} "
        f"(p = {best.p}{paper}).",
        line,
        term=best.trait,
        measure=FAR if all(one.far for one in group) else STRENGTH,
        value=round(best.strength, 1),
    )
