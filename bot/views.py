"""Runs as the conversation sees them: what was asked, the report as it stands, and what their kind allows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.errors import UnknownRun
from agents.kinds import Kinds, RunView
from agents.ports import Ledger
from agents.reports.computed import only_kept
from agents.reports.gate import gated
from agents.reports.revisions import Revisions
from agents.runs.records import RunRecord


@dataclass(frozen=True, slots=True)
class Views:
    """Reads runs through their kinds and the store of revisions."""

    kinds: Kinds
    ledger: Ledger
    revisions: Revisions

    async def of(self, record: RunRecord) -> RunView:
        """A run with its report as it stands. Raises `UnknownKind`."""
        lines = await self.revisions.of(record.run_id) if record.result else ()
        view = self.kinds.view(record, lines)
        if view.history is None or not any(one.computations for one in view.history.written.sections):
            return view
        steps = await self.ledger.steps(record.run_id)
        written = gated(only_kept(view.history.written, steps))
        return replace(view, history=replace(view.history, written=written))

    async def whole(self, record: RunRecord) -> RunView:
        """The report that a run belongs to: of one that writes a section anew, the report it revises.

        Raises `UnknownRun`, `UnknownKind`.
        """
        return await self.by_id(record.revises) if record.revises else await self.of(record)

    async def all(self, records: Sequence[RunRecord]) -> list[RunView]:
        """Several runs; those of a kind that is not known here are left out."""
        return [await self.of(record) for record in records if record.pipeline in self.kinds]

    async def by_id(self, run_id: str) -> RunView:
        """The run with this id. Raises `UnknownRun`, `UnknownKind`."""
        record = await self.ledger.run(run_id)
        if record is None:
            raise UnknownRun(f"There is no run {run_id}. List the runs to find its id.")
        return await self.of(record)
