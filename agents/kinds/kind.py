"""One kind of run: what it is called, what it can be told, and what its runs do.

A kind is one value, `KIND` of its `kind.py`, and light: what needs more than the standard library is named by
`late` and imported when it is first used. docs/guide/new-kind.md shows how to add one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agents.kinds.values import Principal, RevisionRequest, ThreadContext, Understood, UserMessage, Watch
from agents.late import late, loaded
from agents.runs.records import Budget

if TYPE_CHECKING:
    from agents.evidence.looked import Looked
    from agents.house import House
    from agents.reports.graph import Graph
    from agents.reports.values import Report
    from agents.runs.records import StepRecord
    from agents.runs.run import Run
    from agents.tools.toolset import Toolset

I = TypeVar("I")  # noqa: E741  (the input)
O = TypeVar("O")  # noqa: E741  (the output)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class KindLimits:
    """Limits of a kind's runs: budget of one run, the queue they wait in, how many at a time (None: any)."""

    budget: Budget = Budget()
    queue: str = "pipeline"
    concurrency: int | None = None


Work = Callable[["Run", I], Awaitable[O]]
"""A pipeline with its tools bound."""
Opener = Callable[["House"], Callable[[Principal], Work[I, O]]]
"""Opens a kind's tools, once in a process; then gives the pipeline as a principal may use it."""


async def nothing_hinders(house: House) -> None:
    """The default of `RunKind.check`."""


def no_tools(house: House) -> Toolset:
    """The default of `RunKind.tools`."""
    from agents.tools.toolset import Toolset

    return Toolset("none")


async def nothing_to_ask(house: House, output: Any = None) -> tuple[str, ...]:
    """The default of `RunKind.suggest` and `RunKind.starters`."""
    return ()


@dataclass(frozen=True, slots=True)
class RunKind(Generic[I, O, M]):
    """One kind of run.

    name          identifies it in the ledger; never changed
    title         names it for people ("Questions to the archive")
    inputs        type of a run's input; `output` of its result; `memory` of what a thread keeps of it
    understand    a message as input, or None if the message is not meant for this kind; no I/O
    asked         what was asked, in one line
    plan          what a run will do, how long it takes and what it costs, told before; "" for little
    report        the output as a report; nobody gets it but through the gate (`agents.reports.gate`)
    remember      what the thread keeps after a run, given what it kept before; the same again changes nothing
    open          opens the tools and gives the pipeline
    tools         what this kind lends to models and to other programs, over MCP
    check         raises what hinders every run ("the archive is empty"), before one is started
    revise        the input of a run that writes one section anew; None: sections are revised by hand only
    files         suffixes of files that are words of a message for it
    with_files    the words of a message with the contents of such files among them
    takes_sources ids of sections whose `revise` takes texts that a person gives (`RevisionRequest.given`)
    stopped       writes the reason of an early end into a partial output
    looked        what a run looked at, read from its steps, for its trace
    suggest       questions that may be asked after a result, each of which the house can answer
    starters      questions to begin with, each of which the house can answer
    watch         what it can watch for a channel; None: nothing
    labels        names of the steps, by the first part of their names
    limits        budget, queue, concurrency
    commands      words that a message for this kind may begin with
    help          lines for the help card, in Markdown
    sections      ids of the sections and what each depends on, where that is fixed
    approvals     names of the steps that wait for a person
    request       what people call its input ("question"), and `result` its output ("answer")
    listens       whether its runs take in what is said in their thread (`Run.heard`)
    about         what it does, for a sentence that begins with "I"
    closest       what a report is called of which the gate left only passages; "" for what it was called
    drug_classes  words by which it knows classes of drugs; None: it knows none
    terminal      its commands in the terminal and what each does, in a line; module `adapters.cli.kinds.NAME`
    """

    name: str
    title: str
    inputs: type[I]
    output: type[O]
    understand: Callable[[UserMessage, ThreadContext[I, M]], Understood[I] | None]
    asked: Callable[[I], str]
    report: Callable[[O], Report]
    open: Opener[I, O]
    memory: type[M] | None = None
    remember: Callable[[O, M | None], M | None] = lambda output, before: None
    tools: Callable[[House], Toolset] = no_tools
    check: Callable[[House], Awaitable[None]] = nothing_hinders
    revise: Callable[[I, Report, RevisionRequest], I] | None = None
    stopped: Callable[[O, str], O] = late("agents.runs.pipeline:as_made")
    looked: Callable[[Sequence[StepRecord]], tuple[Looked, ...]] = lambda steps: ()
    suggest: Callable[[House, O], Awaitable[tuple[str, ...]]] = nothing_to_ask
    starters: Callable[[House], Awaitable[tuple[str, ...]]] = nothing_to_ask
    watch: Callable[[House], Watch | None] = lambda house: None
    labels: Mapping[str, str] = field(default_factory=dict)
    limits: KindLimits = KindLimits()
    commands: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    sections: Graph = field(default_factory=dict)
    approvals: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    with_files: Callable[[str, Sequence[str]], str] = lambda text, contents: text
    takes_sources: frozenset[str] = frozenset()
    plan: Callable[[I], str] = lambda inputs: ""
    request: str = "request"
    result: str = "report"
    listens: bool = False
    about: str = ""
    closest: str = ""
    terminal: Mapping[str, str] = field(default_factory=dict)
    drug_classes: Callable[[], Collection[str]] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.report, Gated):
            object.__setattr__(self, "report", Gated(self.report, self.closest))

    @property
    def heeds_channel(self) -> bool:
        """Whether its input takes what a channel wants, disputes and whom it asks: see `FromChannel`."""
        from agents.kinds.channel import FromChannel

        return issubclass(loaded(self.inputs), FromChannel)


class Gated:
    """A kind's own way to make a report, with the gate behind it. `closest` is as in `RunKind`."""

    def __init__(self, report: Callable[..., Report], closest: str = "") -> None:
        self.ungated = report
        self._closest = closest

    def __call__(self, output: object) -> Report:
        """The report of an output, gated."""
        from agents.reports.gate import gated

        return gated(self.ungated(output), self._closest)


AnyKind = RunKind[Any, Any, Any]
