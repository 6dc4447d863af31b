"""The values between the steps of a safety report, and its output. All are frozen and fit for the ledger.

collect ──> Collected (a database's facts and their records)
              ├──> Finding (a fact that speaks for a risk) ──> Risk (one of the endpoints)
              └──> Part (a section before citation numbers) ──> Assessment
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import zip_longest
from typing import Annotated, Literal

from pydantic import Field

from agents.databases.facts import Fact, Response
from agents.databases.target import Target
from agents.evidence.values import Evidence
from agents.reports.values import Figure
from agents.safety.order import SafetyOrder
from agents.trust.values import Claim, Derivation


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A fact with the key of the record that carries it. `tool` gave it, `source` says whose data it is."""

    fact: Fact
    key: str
    tool: str
    source: str


def cites(facts: Iterable[CitedFact]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys and quotes that carry facts, each once: the first quote of each fact before all second ones,
    since few marks are shown.
    """
    told = tuple(facts)
    rows = zip_longest(*(one.fact.quotes for one in told))
    quotes = dict.fromkeys(quote for row in rows for quote in row if quote)
    return tuple(dict.fromkeys(one.key for one in told)), tuple(quotes)


@dataclass(frozen=True, slots=True)
class Collected:
    """What one tool replied. `missing` are whole sentences on what it could not tell, and why; `topics` are
    those that it tells of.
    """

    tool: str
    source: str
    facts: tuple[CitedFact, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    answer: Response = Response.FOUND


def missing_of(found: Iterable[Collected]) -> tuple[str, ...]:
    """What these tools could not tell, each once."""
    return tuple(dict.fromkeys(line for one in found for line in one.missing))


class Strength(IntEnum):
    """How strongly the evidence speaks for a risk, by the rule of `agents.safety.synthesis.risks`."""

    NONE = 0
    WEAK = 1
    MODERATE = 2
    STRONG = 3


class Severity(IntEnum):
    """How grave a harm is where it comes, however strong the evidence for it."""

    UNTOLD = 0
    MILD = 1
    MONITORABLE = 2
    SERIOUS = 3
    LIFE_THREATENING = 4

    @property
    def told(self) -> str:
        """In words: "life-threatening"; "" where nobody tells."""
        return self.name.lower().replace("_", "-") if self else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact that speaks for one endpoint.

    `endpoint` is the endpoint's key, "" for an organ system that none is about (the bladder);
    `effect` is what changes ("blood pressure"). `under` is what has to be done to the target for it:
    "inhibition", "activation", or "" where the evidence does not say. `inferred`: the fact tells of a
    signalling system, from which the effect only follows. `told`: of a harm that follows from a
    process, from which.
    """

    cited: CitedFact
    endpoint: str
    effect: str
    under: str
    systems: tuple[str, ...]
    strength: Strength
    inferred: bool = False
    told: str = ""


@dataclass(frozen=True, slots=True)
class Risk:
    """One endpoint of the integrated risk table. Without findings nothing was found that speaks for it.

    `direction` says with which change of the target it is to be expected: "inhibition", "activation", "both"
    or "" where the strongest evidence does not tell; `assumed`: it is read so, no source says it.
    """

    endpoint: str
    strength: Strength = Strength.NONE
    direction: str = ""
    findings: tuple[Finding, ...] = ()
    assumed: bool = False
    severity: Severity = Severity.UNTOLD


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements of sources that do not go together, and in one sentence what the conflict is."""

    what: str
    one: CitedFact
    other: CitedFact


@dataclass(frozen=True, slots=True)
class CellDraft:
    """A table cell with the evidence behind it."""

    text: str
    keys: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table; every row has as many cells as there are columns. `by` proposes its uncited cells; "" where
    rules make them. One that is `folded` is for the appendix.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[CellDraft, ...], ...]
    by: str = ""
    folded: bool = False
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Claims:
    """Statements with evidence: read one after the other, or as a list (`points`). `by` proposes those
    without; "" where all have some.
    """

    claims: tuple[Claim, ...]
    points: bool = False
    strong: bool = False
    by: str = ""
    kind: Literal["claims"] = "claims"


@dataclass(frozen=True, slots=True)
class Words:
    """A text without evidence of its own: a heading (`level` 2 or more), or a remark on the work (0)."""

    text: str
    level: int = 0
    kind: Literal["words"] = "words"


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart among the run's artefacts, with the evidence that it was drawn from."""

    figure: Figure
    keys: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    kind: Literal["picture"] = "picture"


DraftBlock = Annotated[TableDraft | Claims | Words | Picture, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Part:
    """A section as it was written, before citation numbers. `by` is the mind that wrote its prose."""

    id: str
    blocks: tuple[DraftBlock, ...] = ()
    derived: tuple[Derivation, ...] = ()
    notes: tuple[str, ...] = ()
    by: str = "rules"


@dataclass(frozen=True, slots=True)
class Assessment:
    """The output of a run: sections, the integrated risks, and all evidence that these cite.

    `ask_back` is set instead where the target is not certain, with `options` to choose from.
    """

    order: SafetyOrder
    target: Target | None = None
    parts: tuple[Part, ...] = ()
    risks: tuple[Risk, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ask_back: str = ""
    options: tuple[str, ...] = ()
    partial: str = ""
    sources: tuple[str, ...] = field(default=())
    """Names of the databases that were asked."""
    key: tuple[str, ...] = ()
    """The conclusion, and the key risks of the strongest kind of source in short."""
    unread: str = ""
    """The labels that may change the conclusion, and were not read."""
    releases: tuple[str, ...] = ()
    """The states of their data, as they say them."""
    drugs: tuple[str, ...] = ()
    """Names of the medicines on the target."""
