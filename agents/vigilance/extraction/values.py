"""The values of extraction."""

from dataclasses import dataclass, field
from enum import StrEnum


class SectionKind(StrEnum):
    """What a section of a label is for, as far as extraction cares."""

    ADVERSE = "adverse reactions"
    WARNINGS = "warnings and precautions"
    BOXED = "boxed warnings"
    OTHER = "other"


def kind_of(section: str) -> SectionKind:
    """The kind of a section by its name, in openFDA's form ("boxed_warning") or any other."""
    name = section.lower().replace("_", " ")
    if "boxed" in name:
        return SectionKind.BOXED
    if "adverse" in name or "undesirable" in name or "side effect" in name:
        return SectionKind.ADVERSE
    if "warning" in name or "precaution" in name:
        return SectionKind.WARNINGS
    return SectionKind.OTHER


@dataclass(frozen=True, slots=True)
class Annotated:
    """A mention that an expert marked: as written, its preferred term, and a synonym of that ("" for none).

    `human` is False for findings in animals and statements about a class of drugs only.
    """

    mention: str
    term: str
    synonym: str = ""
    human: bool = True


@dataclass(frozen=True, slots=True)
class LabelSection:
    """A section of a drug's label; `annotated` where experts marked its events."""

    label: str
    name: str
    text: str
    annotated: tuple[Annotated, ...] = ()

    @property
    def gold(self) -> frozenset[str]:
        """The preferred terms of events in people."""
        return frozenset(one.term for one in self.annotated if one.human)


@dataclass(frozen=True, slots=True)
class Event:
    """An adverse event found in a text: its preferred term, the first mention verbatim and where it begins.

    `score` in [0, 1] is how surely the text says that the drug does it; 1 by the generic rule, which has no
    measure.
    """

    term: str
    mention: str
    start: int
    score: float = field(default=1.0)
