"""The expression of a gene across tissues: ranks, specificity and vital organs, from whatever database.

Tau is the index of tissue specificity of Yanai et al. (Bioinformatics 2005): the sum of 1 - x / max(x) over
n organs, divided by n - 1, with x the logarithm of the organ's highest tissue. Organs and not tissues, since
thirteen regions of the brain would make a gene of the brain alone look as if it were found in many places.
"""

import math
import re
from dataclasses import dataclass

from agents.counts import listed
from agents.databases.facts import Topic
from agents.databases.sheet import Sheet

BROAD_BELOW, SPECIFIC_FROM = 0.5, 0.8
"""Tau below which expression is called broad, and from which specific of few tissues."""
HIGHEST = 5
"""How many organs the sentence on the highest expression names."""
CULTURED = "Cells"
"""What GTEx calls its cultured fibroblasts and lymphocytes in the place of an organ."""
VITAL = (
    (
        "brain",
        re.compile(r"\b(brain|cerebr\w+|cerebell\w+|hippocamp\w+|amygdala|hypothalamus)\b", re.IGNORECASE),
    ),
    ("heart", re.compile(r"\b(heart|atrium|atrial appendage|cardiac)\b", re.IGNORECASE)),
    ("lung", re.compile(r"\blung\b", re.IGNORECASE)),
    ("liver", re.compile(r"\bliver\b", re.IGNORECASE)),
    ("kidney", re.compile(r"\b(kidney|renal)\b", re.IGNORECASE)),
)
"""Organs that are told in any case, and how their tissues are called."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One gene in the tissues of one data set.

    `measure` and `unit` say what a value is ("mean expression", "log2(1 + RPKM)"); `logarithms` whether
    values are logarithms already. From `threshold` on, in the same unit, a gene is called expressed.
    """

    gene: str
    values: tuple[tuple[str, float], ...]
    measure: str
    unit: str
    logarithms: bool
    threshold: float = 1.0

    @property
    def ranked(self) -> tuple[tuple[str, float], ...]:
        """Tissues, highest first; those with equal values by name."""
        return tuple(sorted(self.values, key=lambda pair: (-pair[1], pair[0])))

    @property
    def organs(self) -> tuple[tuple[str, str, float], ...]:
        """Organ, its highest tissue and that value; highest first."""
        best: dict[str, tuple[str, str, float]] = {}
        for tissue, value in self.ranked:
            best.setdefault(organ_of(tissue), (organ_of(tissue), tissue, value))
        return tuple(best.values())

    @property
    def expressed(self) -> tuple[str, ...]:
        """Tissues at or above the threshold."""
        return tuple(tissue for tissue, value in self.ranked if value >= self.threshold)

    @property
    def tau(self) -> float | None:
        """Specificity over organs; None where the gene is found nowhere, or in fewer than two organs."""
        levels = [value if self.logarithms else math.log2(1 + value) for _, _, value in self.organs]
        highest = max(levels, default=0.0)
        if len(levels) < 2 or highest <= 0:
            return None
        return sum(1 - level / highest for level in levels) / (len(levels) - 1)


def vital_organ(tissue: str) -> str:
    """The vital organ that a tissue is part of, or ""."""
    return next((organ for organ, pattern in VITAL if pattern.search(tissue)), "")


def organ_of(tissue: str) -> str:
    """The organ of a tissue as GTEx writes it ("Brain - Cortex"), or the tissue itself."""
    return tissue.split(" - ")[0].strip() or tissue


def describe(sheet: Sheet, profile: Profile, name: str) -> None:
    """Write a profile into a record, with its facts: summaries, then a fact a tissue.

    `name` is the data set as a sentence names it ("GTEx v4"). Each fact stands on one line of its own.
    """
    gene, unit, tissues = profile.gene, profile.unit, len(profile.values)
    sheet.line(f"Gene: {gene}; value: {profile.measure}, {unit}")
    reached = len(profile.expressed)
    if reached:
        _highest(sheet, profile, name)
        told = f"In {name}, {gene} reaches {profile.threshold:.2f} {unit} in {reached} of {tissues} tissues."
    else:
        told = f"{gene} is below {profile.threshold:.2f} {unit} in each of the {tissues} tissues of {name}."
    sheet.fact(
        Topic.EXPRESSION,
        told,
        sheet.line(f"Tissues at or above {profile.threshold:.2f} {unit}: {reached} of {tissues}"),
        measure="number of tissues",
        value=reached,
        unit="tissues",
    )
    _specificity(sheet, profile, name)
    _vital(sheet, profile, name)
    sheet.head(f"Expression of {gene} by tissue, highest first")
    _each(sheet, profile, name)


def _specificity(sheet: Sheet, profile: Profile, name: str) -> None:
    """The line on specificity, and a fact where the gene is expressed."""
    if (tau := profile.tau) is None:
        return
    line = sheet.line(
        f"Specificity index tau of {profile.gene}, calculated over {len(profile.organs)} organs: "
        f"{tau:.2f}, {_width(tau)} (0: the same in all organs, 1: in one organ alone)"
    )
    if profile.expressed:
        sheet.fact(
            Topic.EXPRESSION,
            f"In {name}, the expression of {profile.gene} is {_width(tau)} (index tau {tau:.2f} over "
            f"{len(profile.organs)} organs).",
            line,
            measure="tau",
            value=round(tau, 2),
        )


def _width(tau: float) -> str:
    if tau < BROAD_BELOW:
        return "broad"
    return "specific to few organs" if tau >= SPECIFIC_FROM else "moderately specific"


def _highest(sheet: Sheet, profile: Profile, name: str) -> None:
    top = [one for one in profile.organs if one[2] >= profile.threshold][:HIGHEST]
    named = listed([f"{tissue} ({value:.2f})" for _, tissue, value in top])
    how = f"{profile.measure}, {profile.unit}; highest tissue of each organ"
    sheet.fact(
        Topic.EXPRESSION,
        f"In {name}, the expression of {profile.gene} is highest in {named} ({how}).",
        sheet.line(f"Highest expression ({how}): {named}"),
        measure=profile.measure,
        unit=profile.unit,
        value=round(top[0][2], 2),
    )


def _vital(sheet: Sheet, profile: Profile, name: str) -> None:
    found: dict[str, tuple[str, float]] = {}
    for tissue, value in profile.ranked:
        found.setdefault(vital_organ(tissue), (tissue, value))
    vital = [found[organ] for organ, _ in VITAL if organ in found]
    if not vital:
        return
    named = listed([f"{value:.2f} in {tissue}" for tissue, value in vital])
    how = f"{profile.unit}; highest tissue of each organ"
    sheet.fact(
        Topic.EXPRESSION,
        f"In the vital organs, {name} gives a {profile.measure} of {profile.gene} of {named} ({how}).",
        sheet.line(f"Vital organs, {profile.measure} ({how}): {named}"),
        measure=profile.measure,
        unit=profile.unit,
    )


def _each(sheet: Sheet, profile: Profile, name: str) -> None:
    """A line for each tissue, and a fact for each with expression; for vital organs in any case."""
    for tissue, value in profile.ranked:
        low = value < profile.threshold
        tail = f", below {profile.threshold:.2f}" if low else ""
        level = f"{value:.2f} {profile.unit}{tail}"
        line = sheet.line(f"{tissue}: {profile.measure} {level}")
        if low and not vital_organ(tissue):
            continue
        sheet.fact(
            Topic.EXPRESSION,
            f"In {name}, the {profile.measure} of {profile.gene} in {tissue} is {level}.",
            line,
            term=tissue,
            measure=profile.measure,
            value=round(value, 2),
            unit=profile.unit,
        )
