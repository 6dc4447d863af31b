"""Kinds of runs. A kind is one value: what the floors above must know, and how its pipeline is opened.

The bot, the workers and every skin read kinds through `Kinds` and know reports and nothing else. The list of
kinds stands in one place, `adapters/kinds.py`; docs/guide/new-kind.md shows how to add one.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from agents.errors import LedgerMismatch, UnknownKind
from agents.evidence.looked import Looked
from agents.house import House
from agents.reports.disputed import Disputed
from agents.reports.gate import Gated
from agents.reports.graph import Graph, ordered
from agents.reports.revisions import History, Revision
from agents.reports.values import Report
from agents.runs.encoding import decode
from agents.runs.open_points import Responsible
from agents.runs.pipeline import Pipeline, as_made
from agents.runs.records import Budget, RunRecord, RunState, StepRecord
from agents.runs.run import Run
from agents.tools.toolset import Toolset

I = TypeVar("I")  # noqa: E741  (the input)
O = TypeVar("O")  # noqa: E741  (the output)
M = TypeVar("M")


class Certainty(IntEnum):
    """How sure a kind is that a message is meant for it."""

    POSSIBLE = 1
    """Any text could be; the kind takes what no other claims."""
    LIKELY = 2
    SURE = 3
    """The message names what only this kind does."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What somebody wrote. `asked_for` is set when it began with one of the kind's command words."""

    text: str
    user: str
    asked_for: bool = False


@dataclass(frozen=True, slots=True)
class ThreadContext(Generic[I, M]):
    """What a thread knows, as one kind sees it.

    `remembered` is what the kind's last run left behind, None before any. `earlier` are the inputs of the
    kind's runs in this thread, newest first. `last` is the report of the thread's latest run, if that was of
    this kind. `subject` is what a digest above the thread is about, in words.
    """

    remembered: M | None = None
    earlier: tuple[I, ...] = ()
    last: Report | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Understood(Generic[I]):
    """A message as the input of a run, and how sure the kind is."""

    inputs: I
    certainty: Certainty = Certainty.POSSIBLE


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a run works: what this person may not read, the run does not read."""

    user: str
    thread_id: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """A text that a person gives to a section as a source. `date` is ISO 8601."""

    title: str
    text: str
    by: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class RevisionRequest:
    """A wish to have one section written anew. `instruction` is "" for a plain refresh; `given` are texts
    that come to its sources.
    """

    section_id: str
    instruction: str
    by: str
    given: tuple[Given, ...] = ()


@dataclass(frozen=True, slots=True)
class Guidance:
    """What people of a channel want of all its reports: of one section, or of the whole (section "")."""

    section: str
    text: str


UNFOLLOWED = "What this channel wants of all its answers was not followed: that takes a language model."
"""What an answer by rules says where they cannot follow what a channel wants."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What a kind can watch for a channel, from one day to the next.

    `key` gives what a person's words are on, as it is kept, or "" where they name nothing that is watched;
    `look` tells how that stands now, as text; `news` says in sentences what differs between two looks. `look`
    raises where nothing can be read: that is no change.
    """

    key: Callable[[str], str]
    look: Callable[[str], Awaitable[str]]
    news: Callable[[str, str], tuple[str, ...]]


def nothing_watched(house: House) -> Watch | None:
    """The default of `RunKind.watch`."""
    return None


@dataclass(frozen=True, slots=True)
class KindLimits:
    """Limits of a kind's runs: budget of one run, the queue they wait in, how many at a time (None: any)."""

    budget: Budget = Budget()
    queue: str = "pipeline"
    concurrency: int | None = None


Work = Callable[[Run, I], Awaitable[O]]
"""A pipeline with its tools bound."""
Opener = Callable[[House], Callable[[Principal], Work[I, O]]]
"""Opens a kind's tools, once in a process; then gives the pipeline as a principal may use it."""


def nothing_announced(inputs: Any) -> str:
    """The default of `RunKind.plan`."""
    return ""


async def nothing_hinders(house: House) -> None:
    """The default of `RunKind.check`."""


def no_tools(house: House) -> Toolset:
    """The default of `RunKind.tools`."""
    return Toolset("none")


def nothing_to_remember(output: Any, before: Any) -> None:
    """The default of `RunKind.remember`."""


async def nothing_to_ask(house: House, output: Any) -> tuple[str, ...]:
    """The default of `RunKind.suggest`."""
    return ()


def nothing_told(steps: Sequence[StepRecord]) -> tuple[Looked, ...]:
    """The default of `RunKind.looked`."""
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
    takes_sources ids of sections whose `revise` takes texts that a person gives (`RevisionRequest.given`)
    guided        the input with what a channel wants of all its reports; None: the kind follows no guidance
    doubting      the input with what a channel disputes, to be ranked lower; None: the kind ranks nothing
    asking        the input with who is asked what it leaves open; None: the kind asks nobody
    stopped       writes the reason of an early end into a partial output
    looked        what a run looked at, read from its steps, for its trace
    suggest       questions that may be asked after a result, each of which the house can answer
    watch         what it can watch for a channel; None: nothing
    labels        names of the steps, by the first part of their names
    limits        budget, queue, concurrency
    commands      words that a message for this kind may begin with
    help          lines for the help card, in Markdown
    sections      ids of the sections and what each depends on, where that is fixed
    approvals     names of the steps that wait for a person
    request       what people call its input ("question"), and `result` its output ("answer")
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
    remember: Callable[[O, M | None], M | None] = nothing_to_remember
    tools: Callable[[House], Toolset] = no_tools
    check: Callable[[House], Awaitable[None]] = nothing_hinders
    revise: Callable[[I, Report, RevisionRequest], I] | None = None
    guided: Callable[[I, tuple[Guidance, ...]], I] | None = None
    asking: Callable[[I, Responsible], I] | None = None
    doubting: Callable[[I, tuple[Disputed, ...]], I] | None = None
    stopped: Callable[[O, str], O] = as_made
    looked: Callable[[Sequence[StepRecord]], tuple[Looked, ...]] = nothing_told
    suggest: Callable[[House, O], Awaitable[tuple[str, ...]]] = nothing_to_ask
    watch: Callable[[House], Watch | None] = nothing_watched
    labels: Mapping[str, str] = field(default_factory=dict)
    limits: KindLimits = KindLimits()
    commands: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    sections: Graph = field(default_factory=dict)
    approvals: frozenset[str] = frozenset()
    takes_sources: frozenset[str] = frozenset()
    plan: Callable[[I], str] = nothing_announced
    request: str = "request"
    result: str = "report"

    def __post_init__(self) -> None:
        if not isinstance(self.report, Gated):
            object.__setattr__(self, "report", Gated(self.report))


AnyKind = RunKind[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as everything outside its kind sees it. `history` is None while the run has no result."""

    record: RunRecord
    kind: AnyKind
    asked: str
    history: History | None = None

    @property
    def report(self) -> Report | None:
        """The report as it stands, with all revisions."""
        return self.history.standing if self.history else None


class Kinds:
    """The kinds of a process, by name, in order of preference."""

    def __init__(self, kinds: Sequence[AnyKind]) -> None:
        """Raises `ValueError` for two kinds of one name or command, and for sections that form a circle."""
        self._kinds = {kind.name: kind for kind in kinds}
        words = [word for kind in kinds for word in kind.commands]
        if len(self._kinds) < len(kinds) or len(set(words)) < len(words):
            raise ValueError("two kinds of runs have the same name or the same command word")
        for kind in kinds:
            ordered(kind.sections)

    def __iter__(self) -> Iterator[AnyKind]:
        return iter(self._kinds.values())

    def __getitem__(self, name: str) -> AnyKind:
        """The kind of this name. Raises `UnknownKind`."""
        if name not in self._kinds:
            raise UnknownKind(
                f"This process knows no kind of run named {name!r} (it knows {', '.join(self._kinds)}). "
                "Use the version of Pestle that the run was started with."
            )
        return self._kinds[name]

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def view(self, record: RunRecord, lines: Sequence[Revision] = ()) -> RunView:
        """A run with what was asked and its report. `lines` are the report's revisions.

        A result that another version wrote in another form becomes a report that says so.
        Raises `UnknownKind`.
        """
        kind = self[record.pipeline]
        try:
            asked = wish(record) if record.revises else kind.asked(self.inputs(record))
            written = self._written(kind, record)
        except LedgerMismatch as error:
            written = Report("", "Not readable", str(error), False, not_found=(str(error),), kind=kind.name)
            asked = f"A {kind.request} of an earlier version"
        history = History(record.run_id, written, tuple(lines)) if written else None
        return RunView(record, kind, asked, history)

    def inputs(self, record: RunRecord) -> Any:
        """The input of a run. Raises `UnknownKind`, `LedgerMismatch`."""
        return decode(self[record.pipeline].inputs, record.inputs, "input of the run")

    def context(
        self, kind: AnyKind, remembered: str, earlier: Sequence[RunRecord], subject: str = ""
    ) -> ThreadContext[Any, Any]:
        """A thread as a kind sees it. `remembered` is JSON or ""; `earlier` are its runs, newest first;
        `subject` is in words.

        What an earlier version wrote in another form is left out.
        """
        inputs = [
            value
            for one in earlier
            if one.pipeline == kind.name
            for value in _readable(kind.inputs, one.inputs)
        ]
        kept = _readable(kind.memory, remembered) if kind.memory and remembered else []
        last = self.view(earlier[0]).report if earlier and earlier[0].pipeline == kind.name else None
        return ThreadContext(kept[0] if kept else None, tuple(inputs), last, subject)

    def remembered(self, record: RunRecord, before: str) -> str:
        """What the thread keeps after a run, as JSON; "" if nothing."""
        kind = self[record.pipeline]
        if kind.memory is None or not record.result:
            return ""
        kept = _readable(kind.memory, before) if before else []
        outputs = _readable(kind.output, record.result)
        value = kind.remember(outputs[0], kept[0] if kept else None) if outputs else None
        return "" if value is None else TypeAdapter(kind.memory).dump_json(value).decode()

    async def suggested(self, house: House, record: RunRecord) -> tuple[str, ...]:
        """Questions that may be asked after a run that is done."""
        if record.pipeline not in self or record.state is not RunState.DONE or record.revises:
            return ()
        kind = self[record.pipeline]
        outputs = _readable(kind.output, record.result)
        return await kind.suggest(house, outputs[0]) if outputs else ()

    def pipelines(self, house: House) -> Mapping[str, Pipeline]:
        """How each kind is executed. A kind's tools are opened when its first run begins."""
        return {kind.name: _pipeline(kind, house) for kind in self}

    def toolset(self, house: House) -> Toolset:
        """The tools of all kinds. Raises `ValueError` for two of one name."""
        return Toolset("pestle").joined(*(kind.tools(house) for kind in self))

    @staticmethod
    def _written(kind: AnyKind, record: RunRecord) -> Report | None:
        if not record.result:
            return None
        report: Report = kind.report(decode(kind.output, record.result, "result of the run"))
        return replace(report, kind=kind.name)


def chosen(text: str, options: Sequence[str]) -> str:
    """The option that a reply names, by its number or in its words; "" if it names none."""
    reply = text.strip().strip(".!").casefold()
    if reply.isdecimal() and 1 <= int(reply) <= len(options):
        return options[int(reply) - 1]
    return next((option for option in options if option.casefold() == reply), "")


def wish(record: RunRecord) -> str:
    """What a run that writes a section anew was asked for, in one line."""
    return (
        f"Revise {record.section}: {record.instruction}"
        if record.instruction
        else f"Refresh {record.section}"
    )


def _readable(type_: Any, text: str) -> list[Any]:
    """The value, in a list; an empty list if the text does not fit the type any more."""
    try:
        return [decode(type_, text, "value")]
    except LedgerMismatch:
        return []


def _pipeline(kind: AnyKind, house: House) -> Pipeline:
    opened: list[Callable[[Principal], Work[Any, Any]]] = []

    async def work(run: Run, inputs: Any) -> Any:
        if not opened:
            opened.append(kind.open(house))
        principal = Principal(run.record.asked_by, run.record.thread_id)
        return await opened[0](principal)(run, inputs)

    return Pipeline(work, kind.inputs, kind.output, kind.stopped, kind.limits.concurrency)
