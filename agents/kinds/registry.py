"""The kinds of a process, and runs as everything outside their kinds sees them.

The bot, the workers and every skin read kinds through `Kinds` and know reports and nothing else. The list of
kinds stands in one place, `adapters/kinds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.errors import LedgerMismatch, UnknownKind
from agents.kinds.kind import AnyKind, Work
from agents.kinds.values import Principal, ThreadContext
from agents.late import loaded
from agents.reports.graph import ordered
from agents.runs.records import RunRecord, RunState

if TYPE_CHECKING:
    from agents.house import House
    from agents.reports.revisions import History, Revision
    from agents.reports.values import Report
    from agents.runs.pipeline import Pipeline
    from agents.runs.run import Run
    from agents.tools.toolset import Toolset


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
        from agents.reports.revisions import History

        kind = self[record.pipeline]
        try:
            asked = wish(record) if record.revises else kind.asked(self.inputs(record))
            written = self._written(kind, record)
        except LedgerMismatch as error:
            written = _not_readable(kind, str(error))
            asked = f"A {kind.request} of an earlier version"
        history = History(record.run_id, written, tuple(lines)) if written else None
        return RunView(record, kind, asked, history)

    def inputs(self, record: RunRecord) -> Any:
        """The input of a run. Raises `UnknownKind`, `LedgerMismatch`."""
        return _decoded(self[record.pipeline].inputs, record.inputs, "input of the run")

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
        own = bool(earlier) and earlier[0].pipeline == kind.name
        last = self.view(earlier[0]).report if own or (earlier and kind.files) else None
        drawn = _drawn(last) if last and kind.files else ()
        return ThreadContext(kept[0] if kept else None, tuple(inputs), last if own else None, subject, drawn)

    def remembered(self, record: RunRecord, before: str) -> str:
        """What the thread keeps after a run, as JSON; "" if nothing."""
        kind = self[record.pipeline]
        if kind.memory is None or not record.result:
            return ""
        from agents.runs.encoding import encode

        kept = _readable(kind.memory, before) if before else []
        outputs = _readable(kind.output, record.result)
        value = kind.remember(outputs[0], kept[0] if kept else None) if outputs else None
        return "" if value is None else encode(loaded(kind.memory), value)[0]

    async def suggested(self, house: House, record: RunRecord) -> tuple[str, ...]:
        """Questions that may be asked after a run that is done."""
        if record.pipeline not in self or record.state is not RunState.DONE or record.revises:
            return ()
        kind = self[record.pipeline]
        outputs = _readable(kind.output, record.result)
        return await kind.suggest(house, outputs[0]) if outputs else ()

    async def starters(self, house: House) -> tuple[str, ...]:
        """Questions to begin with, of all kinds."""
        return tuple([question for kind in self for question in await kind.starters(house)])

    def pipelines(self, house: House) -> Mapping[str, Pipeline]:
        """How each kind is executed. A kind is imported, and its tools opened, when its first run begins."""
        return _Pipelines(self, house)

    def toolset(self, house: House) -> Toolset:
        """The tools of all kinds. Raises `ValueError` for two of one name."""
        from agents.tools.toolset import Toolset

        return Toolset("pestle").joined(*(kind.tools(house) for kind in self))

    @staticmethod
    def _written(kind: AnyKind, record: RunRecord) -> Report | None:
        if not record.result:
            return None
        report: Report = kind.report(_decoded(kind.output, record.result, "result of the run"))
        return replace(report, kind=kind.name)


class _Pipelines(Mapping[str, "Pipeline"]):
    """The pipelines of kinds, each made when it is first asked for."""

    def __init__(self, kinds: Kinds, house: House) -> None:
        self._kinds, self._house = kinds, house
        self._made: dict[str, Pipeline] = {}

    def __getitem__(self, name: str) -> Pipeline:
        if name not in self._kinds:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = _pipeline(self._kinds[name], self._house)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return (kind.name for kind in self._kinds)

    def __len__(self) -> int:
        return len(list(iter(self)))


def wish(record: RunRecord) -> str:
    """What a run that writes a section anew was asked for, in one line."""
    return (
        f"Revise {record.section}: {record.instruction}"
        if record.instruction
        else f"Refresh {record.section}"
    )


def _drawn(report: Report) -> tuple[str, ...]:
    """SMILES of the molecules that a report shows."""
    from agents.reports.values import Structure

    return tuple(block.smiles for block in report.blocks if isinstance(block, Structure))


def _readable(type_: Any, text: str) -> list[Any]:
    """The value, in a list; an empty list if the text does not fit the type any more."""
    try:
        return [_decoded(type_, text, "value")]
    except LedgerMismatch:
        return []


def _decoded(type_: Any, text: str, what: str) -> Any:
    from agents.runs.encoding import decode

    return decode(loaded(type_), text, what)


def _not_readable(kind: AnyKind, why: str) -> Report:
    from agents.reports.values import Report

    return Report("", "Not readable", why, False, not_found=(why,), kind=kind.name)


def _pipeline(kind: AnyKind, house: House) -> Pipeline:
    from agents.runs.pipeline import Pipeline

    opened: list[Callable[[Principal], Work[Any, Any]]] = []

    async def work(run: Run, inputs: Any) -> Any:
        if not opened:
            opened.append(kind.open(house))
        principal = Principal(run.record.asked_by, run.record.thread_id)
        return await opened[0](principal)(run, inputs)

    return Pipeline(work, loaded(kind.inputs), loaded(kind.output), kind.stopped, kind.limits.concurrency)
