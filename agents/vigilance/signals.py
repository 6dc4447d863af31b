"""Disproportionality of spontaneous reports: ROR, PRR and IC with 95 % intervals, crude and stratified.

Reports that name a drug and an event are compared with all others:

                 event     other events
    drug           a            b
    other drugs    c            d

A signal says that a pair is reported more often than the rest of the table would let expect. It is no
incidence and no proof of a cause, so it stands beside labels in words of its own and changes no verdict.

ROR and PRR: Evans et al. 2001, van Puijenbroek et al. 2002. IC: Noren et al. 2013, with shrinkage of a half.
Strata: Mantel and Haenszel, variance of Robins, Breslow and Greenland 1986.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from agents.databases.case_reports import Counts

Z = 1.96
"""Quantile of a two-sided 95 % interval."""
FEWEST = 3
"""Below so many reports of drug and event nothing is called a signal."""
SHRINK = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure with its 95 % interval."""

    value: float
    low: float
    high: float


class SignalVerdict(StrEnum):
    """What a table of reports says of a pair."""

    SIGNAL = "reported more often than expected"
    NONE = "not reported more often than expected"
    FEW = "too few reports"
    ABSENT = "not in the table"
    """No report names the drug, or none the event."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A drug and an event in a table of reports. A measure is None where a cell that it needs is empty.

    `stratified` is the ROR over strata, None where none were given.
    """

    drug: str
    event: str
    counts: Counts
    ror: Estimate | None
    prr: Estimate | None
    ic: Estimate | None
    stratified: Estimate | None
    verdict: SignalVerdict

    @property
    def told(self) -> str:
        """One sentence on it."""
        n = self.counts
        pair = f"{self.event} with {self.drug}"
        if self.verdict is SignalVerdict.ABSENT:
            named = " or ".join(self._absent)
            return f"None of the {n.total} reports names {named}, so that nothing can be compared."
        if self.verdict is SignalVerdict.FEW:
            return f"{n.a} of {n.total} reports name {pair}: too few to compare (fewer than {FEWEST})."
        shown = [
            _with_interval(name, one)
            for name, one in (("ROR", self.ror), ("PRR", self.prr), ("IC", self.ic))
            if one
        ]
        strata = (
            f" Over strata of sex and age: {_with_interval('ROR', self.stratified)}."
            if self.stratified
            else ""
        )
        return (
            f"Of {n.total} spontaneous reports {n.a} name {pair}, {self.verdict.value}: {', '.join(shown)}."
            f"{strata} Reports are no incidence and prove no cause."
        )

    @property
    def _absent(self) -> tuple[str, ...]:
        """What of drug and event no report names."""
        n = self.counts
        return (*([] if n.a + n.b else [self.drug]), *([] if n.a + n.c else [self.event]))


def _with_interval(name: str, one: Estimate) -> str:
    return f"{name} {one.value:.2f} (95 % {one.low:.2f} to {one.high:.2f})"


def signal_of(strata: Mapping[str, Counts], drug: str, event: str) -> Signal:
    """The signal of counts by stratum; one stratum stands for no strata."""
    counts = sum(strata.values(), Counts(0, 0, 0, 0))
    several = len(strata) > 1
    found = Signal(
        drug,
        event,
        counts,
        ror(counts),
        prr(counts),
        ic(counts),
        mantel_haenszel(list(strata.values())) if several else None,
        SignalVerdict.NONE,
    )
    return replace(found, verdict=_verdict(found))


def _verdict(one: Signal) -> SignalVerdict:
    """Reported more often: the lower ends of the ROR (over strata, where there are) and of the IC say so."""
    n = one.counts
    if not n.a + n.b or not n.a + n.c:
        return SignalVerdict.ABSENT
    if n.a < FEWEST:
        return SignalVerdict.FEW
    odds = one.stratified or one.ror
    higher = odds is not None and odds.low > 1 and one.ic is not None and one.ic.low > 0
    return SignalVerdict.SIGNAL if higher else SignalVerdict.NONE


def ror(n: Counts) -> Estimate | None:
    """The reporting odds ratio, (a d) / (b c)."""
    if 0 in (n.a, n.b, n.c, n.d):
        return None
    return _log_normal(n.a * n.d / (n.b * n.c), math.sqrt(1 / n.a + 1 / n.b + 1 / n.c + 1 / n.d))


def prr(n: Counts) -> Estimate | None:
    """The proportional reporting ratio, (a / (a + b)) / (c / (c + d))."""
    if 0 in (n.a, n.c):
        return None
    value = (n.a / (n.a + n.b)) / (n.c / (n.c + n.d))
    return _log_normal(value, math.sqrt(1 / n.a - 1 / (n.a + n.b) + 1 / n.c - 1 / (n.c + n.d)))


def ic(n: Counts) -> Estimate | None:
    """The information component, log2 of observed over expected reports, shrunk by a half."""
    if not n.total or not n.a + n.b or not n.a + n.c:
        return None
    expected = (n.a + n.b) * (n.a + n.c) / n.total
    value = math.log2((n.a + SHRINK) / (expected + SHRINK))
    low = value - 3.3 * (n.a + SHRINK) ** -0.5 - 2.0 * (n.a + SHRINK) ** -1.5
    high = value + 2.4 * (n.a + SHRINK) ** -0.5 - 0.5 * (n.a + SHRINK) ** -1.5
    return Estimate(value, low, high)


def mantel_haenszel(strata: Sequence[Counts]) -> Estimate | None:
    """The reporting odds ratio over strata; None where it has no value."""
    used = [one for one in strata if one.total]
    up = [one.a * one.d / one.total for one in used]
    down = [one.b * one.c / one.total for one in used]
    if not sum(up) or not sum(down):
        return None
    with_ = [(one.a + one.d) / one.total for one in used]
    against = [(one.b + one.c) / one.total for one in used]
    variance = (
        sum(p * r for p, r in zip(with_, up, strict=True)) / (2 * sum(up) ** 2)
        + sum(p * s + q * r for p, q, r, s in zip(with_, against, up, down, strict=True))
        / (2 * sum(up) * sum(down))
        + sum(q * s for q, s in zip(against, down, strict=True)) / (2 * sum(down) ** 2)
    )
    return _log_normal(sum(up) / sum(down), math.sqrt(variance))


def _log_normal(value: float, error: float) -> Estimate:
    return Estimate(value, value * math.exp(-Z * error), value * math.exp(Z * error))
