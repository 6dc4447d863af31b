"""The design table of a study by rules: groups, pairs, columns. It is decided once, before anything is
written: text, steps, sample sizes and tasks read it, and a revision reads it from its section.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from agents.protocol.whose import origin_of
from agents.reports.values import Block, Cell, Section, Table

SECTION = "study"
GROUPS, FACTS = ("group", "samples", "what is done to it"), ("", "design")
WITHIN, MODEL = "compared within", "model"
COLUMNS = {
    "column": "column of the groups",
    "time": "column of the times",
    "event": "column of the event",
    "only": "only rows with",
}
LISTS = {"times": "time points", "doses": "doses", "adjusted": "adjusted for"}
"""What else a design has, and how its table calls it: columns of a table at hand, and lists."""
INDEPENDENT = "nothing: the groups are independent"
_UNITS = (
    "animals|biopsies|cases|cultures|donors|individuals|litters|men|mice|participants|patients|people|pigs|rats"
    "|rabbits|recipients|samples|subjects|tumou?rs|volunteers|women"
)
_SIZE = re.compile(
    rf"(?<![\d.,])\b(\d{{1,4}})\s+(?:(?:[\w-]+\s+)?(?:{_UNITS})\s+(?:an?|per|in each|in every)"
    r"|per|in each|in every)\s+(?:[\w-]+\s+)?(?:group|arm|condition)\b",
    re.IGNORECASE,
)
"""A bare number in a group, or one of what designs count: neither wells, days nor volumes."""
_PAIRED = re.compile(
    r"\b(?:paired (?:design|samples?|analysis|comparison|(?:\w+ )?t?-?tests?)|matched pairs)\b", re.IGNORECASE
)
_UNPAIRED = re.compile(
    r"\b(?:unpaired|independent[- ](?:groups|samples?)[- ]t|two-sample t|Welch\W)[\w-]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Group:
    """A group, how many samples it has or is planned with (0: nobody says), and what is done to it."""

    name: str
    samples: Annotated[int, Field(ge=0)] = 0
    treatment: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """A comparison. `groups` has the reference first; without any, nobody says what is compared.

    Samples are compared `within` something ("donor"), "" where the groups are independent; they are `paired`
    if it has one sample of every group. `column` of a table at hand holds the groups; of a table of survival
    `time` and `event` are columns as well, and `adjusted` those of other variables in the model. `only` says
    which of its rows are meant ("nodes > 0").
    """

    groups: tuple[Group, ...] = ()
    within: str = ""
    paired: bool = False
    times: tuple[str, ...] = ()
    doses: tuple[str, ...] = ()
    column: str = ""
    time: str = ""
    event: str = ""
    adjusted: tuple[str, ...] = ()
    only: str = ""

    @property
    def text(self) -> str:
        """The comparison in words; "" without groups."""
        return " and ".join(f"{one.name} against {self.groups[0].name}" for one in self.groups[1:])

    @property
    def smallest(self) -> int:
        """Samples of the smallest group; 0 where nobody says."""
        return min((one.samples for one in self.groups), default=0)

    @property
    def unit(self) -> str:
        """What sample sizes count."""
        return f"pairs (within {self.within})" if self.paired else "independent samples a group"

    @property
    def model(self) -> str:
        """The formula of a linear model over the sample table."""
        outcome = f"Surv({self.time}, {self.event}) " if self.time else ""
        within = re.sub(r"\W+", "_", self.within)
        terms = (within, self.column if self.time else "group", *self.adjusted)
        return f"{outcome}~ {' + '.join(filter(None, dict.fromkeys(terms)))}"

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """All but the groups: names and values."""
        kind = "pairs" if self.paired else "blocks"
        lists = {label: getattr(self, name) for name, label in LISTS.items()}
        told = (
            (WITHIN, f"{self.within} ({kind})" if self.within else INDEPENDENT),
            (MODEL, self.model),
            *((label, getattr(self, name)) for name, label in COLUMNS.items()),
            *((label, ", ".join(some)) for label, some in lists.items()),
        )
        return tuple((name, value) for name, value in told if value)

    def __bool__(self) -> bool:
        """Whether it says what is compared, or what is followed."""
        return bool(self.groups or self.time)


def study_section(study: Study) -> Section:
    """The design table as a section."""
    rows = tuple((Cell(one.name), Cell(str(one.samples or "")), Cell(one.treatment)) for one in study.groups)
    facts = tuple((Cell(name), Cell(value)) for name, value in study.facts)
    origin = origin_of()
    blocks: tuple[Block, ...] = (
        Table("Groups, the reference first", GROUPS, rows, origin),
        Table("What holds for all", FACTS, facts, origin),
    )
    return Section(SECTION, "Design table", blocks)


def study_in(section: Section | None) -> Study | None:
    """The study of a section as it stands; None where there is none."""
    tables = [one.rows for one in section.blocks if isinstance(one, Table)] if section else []
    if len(tables) < 2:
        return None
    told = {name.text: value.text for name, value in tables[1]}
    within, _, kind = told.get(WITHIN, INDEPENDENT).partition(" (")
    return Study(
        tuple(Group(name.text, int(count.text or 0), treatment.text) for name, count, treatment in tables[0]),
        "" if within == INDEPENDENT else within,
        kind == "pairs)",
        **_values({name: told.get(label, "") for name, label in {**COLUMNS, **LISTS}.items()}),
    )


def altered(study: Study, asked: Mapping[str, str]) -> Study:
    """The study with other values: sizes by the names of groups, `paired` or `within`, columns and lists."""
    groups = tuple(
        replace(one, samples=int(size)) if (size := asked.get(one.name, "")).isdigit() else one
        for one in study.groups
    )
    paired = asked.get("paired", "")
    within = asked.get("within", paired or study.within)
    return replace(
        study,
        groups=groups,
        within="" if within in ("no", "none") else within,
        paired=paired not in ("no", "none") if paired else study.paired and "within" not in asked,
        **_values({name: asked[name] for name in (*COLUMNS, *LISTS) if name in asked}),
    )


def _values(told: Mapping[str, str]) -> dict[str, Any]:
    """Columns and lists from their words."""
    lists = {name: [one.strip() for one in told[name].split(",")] for name in told.keys() & LISTS.keys()}
    return {**told, **{name: tuple(filter(None, some)) for name, some in lists.items()}}


def differences(study: Study, text: str) -> Iterator[str]:
    """What a text says of sizes and pairing that differs from the study. A sample at each of the times is
    one more, not one more subject. Of groups in a table at hand sizes are facts: a text may tell those of
    another experiment.
    """
    if study.column:
        return
    visits = (1, max(1, len(study.times)))
    sizes = {one.samples * each for one in study.groups for each in visits}
    for found in _SIZE.finditer(text):
        if study.smallest and int(found[1]) not in sizes:
            told = ", ".join(f"{one.samples} {one.name}" for one in study.groups)
            yield f"“{found[0]}” differs from the design table: {told}."
    wrong = _UNPAIRED if study.paired else _PAIRED
    if study.groups and (unlike := wrong.search(text)):
        yield f"“{unlike[0]}” differs from the design table: {study.unit}."
