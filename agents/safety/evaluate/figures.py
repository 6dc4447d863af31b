"""Recall and precision against curated targets, macro-averaged over groups of like targets."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found of a target and what is curated, as sets of anything."""

    group: str
    found: frozenset[Any]
    gold: frozenset[Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over groups; None where no group has any.

    Recall is over targets with curated items, precision over targets for which something was found.
    """

    recall: float | None
    precision: float | None
    found: float
    """Items found a target, on average."""

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        if not self.recall or not self.precision:
            return None
        return 2 * self.recall * self.precision / (self.recall + self.precision)

    def as_fields(self) -> dict[str, float | None]:
        """The figures by name, rounded."""
        fields = {**asdict(self), "f1": self.f1}
        return {name: None if value is None else round(value, 4) for name, value in fields.items()}


def figures(compared: Sequence[Compared]) -> Figures:
    """The figures of some targets."""
    return Figures(
        _macro(compared, lambda one: _share(one.found & one.gold, one.gold)),
        _macro(compared, lambda one: _share(one.found & one.gold, one.found)),
        fmean(len(one.found) for one in compared) if compared else 0.0,
    )


def _share(part: frozenset[Any], whole: frozenset[Any]) -> float | None:
    return len(part) / len(whole) if whole else None


def _macro(compared: Iterable[Compared], share: Callable[[Compared], float | None]) -> float | None:
    groups: dict[str, list[float]] = defaultdict(list)
    for one in compared:
        if (value := share(one)) is not None:
            groups[one.group].append(value)
    return fmean(fmean(values) for values in groups.values()) if groups else None
