"""The values of a molecule design: the brief, the scientists, and what came of their debate."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from typing import Literal

from pydantic import BaseModel, Field

from agents.evidence.values import Evidence
from agents.json_answers import at_most
from agents.kinds.channel import FromChannel
from agents.minds.debate import Floor
from agents.minds.parts import Parts
from agents.reports.values import Computation, Figure


class Measure(StrEnum):
    """What a goal is set on; the value is how a table calls it."""

    QED = "QED"
    SA = "SA"
    LOGP = "logP"
    TPSA = "TPSA"
    MW = "MW"
    HBD = "HBD"
    LOGS = "logS"
    CNS_MPO = "CNS MPO"
    PKA = "basic pKa"
    ALERTS = "alerts"
    LIKE = "similarity"
    UNLIKE = "similarity to avoid"
    ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Goal:
    """A window of a measure, None for an open end, how much it counts, and the value that is wished most
    (None: `agents.design.brief.best_of`). `step` is how far beyond the start's value the window of a wish
    that compares begins (0: the wish has a window of its own alone).
    """

    measure: Measure
    low: float | None = None
    high: float | None = None
    weight: float = 1.0
    best: float | None = None
    step: float = 0.0

    def room(self, value: float) -> float:
        """How far inside the window a value lies; below 0 outside."""
        ends = (self.low is not None and value - self.low, self.high is not None and self.high - value)
        return min((end for end in ends if end is not False), default=inf)

    def holds(self, value: float) -> bool:
        """Whether a value lies in the window."""
        return self.room(value) >= 0

    @property
    def window(self) -> str:
        """The window in words: "1 to 3", "at most 90"."""
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        return f"at least {self.low:g}" if self.low is not None else f"at most {self.high or 0:g}"


@dataclass(frozen=True, slots=True)
class Brief:
    """What is designed: the aim in words, molecules to start from and to keep away from (SMILES), goals.

    `target` is a gene or protein as it was written, "" for none; `names` are its other names. `liabilities`
    are sentences of the archive and of databases on what the start, or what hit its target, failed by, `kept`
    parts that no candidate may lose (or have), as SMARTS and in words (`agents.chemistry.recognition`).
    """

    aim: str
    target: str = ""
    names: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    goals: tuple[Goal, ...] = ()
    liabilities: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    """What a language model read besides, by what it is: how the start binds, what no measure tells."""
    keeps: bool = False
    """Whether a candidate has to meet what the start meets, since the start came of a debate before."""

    def goal(self, measure: Measure) -> Goal | None:
        """The goal on a measure, or None."""
        return next((one for one in self.goals if one.measure is measure), None)

    def with_goal(self, goal: Goal) -> "Brief":
        """The brief with this goal in place of the one on its measure."""
        goals = {one.measure: one for one in self.goals} | {goal.measure: goal}
        return replace(self, goals=tuple(goals.values()))


@dataclass(frozen=True, slots=True)
class Order(FromChannel):
    """A wish for molecules. `text` is all of it in words; `names` shows scientists by name; `voters` people
    are waited for in a poll at the end; `unasked` starts without asking anybody to approve the brief,
    `wanted` candidates end the debate early.
    """

    text: str
    start: tuple[str, ...] = ()
    rounds: int = 3
    scientists: int = 4
    proposals: int = 3
    names: bool = False
    voters: int = 0
    unasked: bool = False
    wanted: int = 1_000
    without: tuple[str, ...] = ()
    brief: Brief | None = None
    """The brief of the design before, where this one goes on from it."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A paper of a scientist: `text` is title and abstract, `hits` counts the task's words in it."""

    pmid: str
    title: str
    text: str
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Published:
    """A molecule that a paper reports."""

    smiles: str
    name: str
    pmid: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Role:
    """How a built-in scientist works: what it minds more than others, and its rules, for readers."""

    name: str
    focus: str
    rules: tuple[str, ...]
    minds: tuple[tuple[str, float], ...] = ()
    """Measures, and by how much their weights are multiplied when it judges."""
    prefers: tuple[str, ...] = ()
    """Purposes of changes that it makes first (`agents/chemistry/transforms.toml`)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A scientist agent's profile (Indibator, section 2.1): publications and molecules of one person, a
    member's own description, or a built-in role, which is no person.

    `name` is what readers see ("Scientist A"), `person` the name of who the publications are by.
    """

    name: str
    person: str = ""
    publications: tuple[Publication, ...] = ()
    molecules: tuple[Published, ...] = ()
    role: Role | None = None
    described: str = ""
    version: str = ""
    """Hash of the articles and molecules that it was made of, "" for what is not of the literature."""
    date: str = ""
    """Day on which this version was made first, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was computed of one candidate: its values by measure, and the desirability of all together."""

    entry: str
    values: tuple[tuple[Measure, float], ...]
    desirability: float
    alerts: tuple[str, ...] = ()
    nearest: str = ""
    """The nearest known molecule and how similar it is, in words; "" without a table of known ones."""
    doubt: str = ""
    """How sure the oracle is of its value, in words; "" where it does not say, or there is none."""
    hints: tuple[tuple[str, str], ...] = ()
    """What rules of thumb say, in words, by what they are about (`agents.chemistry.hints`)."""

    def value(self, measure: Measure) -> float | None:
        """The value of a measure, or None."""
        return dict(self.values).get(measure)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was computed of several candidates, and the computation that a report can name."""

    rows: tuple[Weighed, ...]
    computed: Computation

    def row(self, entry: str) -> Weighed | None:
        """What was computed of an entry, or None."""
        return next((one for one in self.rows if one.entry == entry), None)


class Aim(BaseModel):
    """What a brief claims of a molecule: the limit that it asks for, and where the start stands."""

    claim: str
    asked: str
    start: str = ""


class Odds(BaseModel):
    """What a molecule is expected to have of an aim, and how likely it meets it, in tenths."""

    claim: str
    value: str = ""
    tenths: int = Field(ge=0, le=10)


class Member(BaseModel):
    """A molecule of a designed set: what differs from its `parent` ("start", or another of the set), by which
    `lever` it is meant to reach the aim, its question, what is expected of it, what it may cost, and how it
    is made. `takes` are proposals that it comes from, `after` is the result on which it waits ("" for the
    first batch); `reaches` says how likely it reaches the whole aim, in tenths.
    """

    id: str
    smiles: str
    parent: str = "start"
    change: str
    kind: Literal["single change", "combination", "control"]
    lever: str = ""
    question: str
    expected: str
    cost: str = ""
    how: str = ""
    after: str = ""
    odds: list[Odds] = Field(default=[], json_schema_extra=at_most(6))
    reaches: int = Field(default=0, ge=0, le=10)
    takes: list[str] = Field(default=[], json_schema_extra=at_most(4))


class Reading(BaseModel):
    """A result, and what follows from it."""

    result: str
    then: str


class Assay(BaseModel):
    """An assay, the limits from which on a molecule goes on or stops, what would mislead, and for which
    molecules.
    """

    assay: str
    go: str
    stop: str = ""
    pitfall: str = ""
    molecules: str = ""


class Asked(BaseModel):
    """What a brief asks besides molecules, answered in points."""

    question: str
    points: list[str] = Field(json_schema_extra=at_most(12))


class Answered(BaseModel):
    """What a criticism, a remark or molecule of the team, or a fault found by code changed; or why not."""

    to: str
    answer: str


class Designed(Parts):
    """The set as one mind designs it, in the order in which it is made; without members no model did."""

    argument: list[str] = Field(default=[], json_schema_extra=at_most(8))
    aims: list[Aim] = Field(default=[], json_schema_extra=at_most(6))
    members: list[Member] = Field(default=[], json_schema_extra=at_most(12))
    readings: list[Reading] = Field(default=[], json_schema_extra=at_most(6))
    making: str = ""
    assays: list[Assay] = Field(default=[], json_schema_extra=at_most(8))
    asked: list[Asked] = Field(default=[], json_schema_extra=at_most(4))
    left_out: list[str] = Field(default=[], json_schema_extra=at_most(8))
    not_met: list[str] = Field(default=[], json_schema_extra=at_most(6))
    answers: list[Answered] = Field(default=[], json_schema_extra=at_most(30))
    dropped: list[str] = Field(default=[], json_schema_extra=at_most(12))


@dataclass(frozen=True, slots=True)
class Design:
    """What came of an order. `problem` says instead why nothing was begun.

    `figures` are pictures and `files` the candidates as SDF, CSV and SMILES, with the transcript.
    """

    order: Order
    brief: Brief | None = None
    panel: tuple[Profile, ...] = ()
    floor: Floor[Brief] | None = None
    sheet: Sheet | None = None
    figures: tuple[Figure, ...] = ()
    files: tuple[Figure, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    papers: tuple[tuple[str, str], ...] = ()
    """Keys of the evidence by PubMed id."""
    liabilities: tuple[tuple[str, str], ...] = ()
    """Sentences on what the start failed by, with the keys of their evidence."""
    known: int = 0
    """How many known ligands novelty was judged against."""
    approved_by: str = ""
    designed: Designed = field(default_factory=Designed)
    """The set as a chair designs it, where a model does."""
    notes: tuple[str, ...] = ()
    problem: str = ""
    partial: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a thread keeps of a design: its brief, and its molecules by id, best first."""

    brief: Brief
    molecules: tuple[tuple[str, str], ...]
