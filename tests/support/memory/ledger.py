"""The whole ledger in memory: with the queue of runs and what is asked over all of them."""

from collections import Counter
from dataclasses import replace

from agents.ports import Ledger
from agents.runs import memory
from agents.runs.clock import between, stamp
from agents.runs.hashing import canonical_json
from agents.runs.limits import HANDED_OVER
from agents.runs.memory import _Trail
from agents.runs.polls import VOTED, Vote, ballots, closed
from agents.runs.records import InLine, Neglected, OpenRequest, Past, RunRecord, RunState, Spent
from agents.runs.requests import voted_detail
from agents.usage import Usage


class MemoryLedger(memory.MemoryLedger):
    """Implements `agents.ports.Ledger`; one event loop, one process."""

    async def run_of_request(self, request_key: str) -> RunRecord | None:
        """See the port."""
        return await self.run(self._requests.get(request_key, ""))

    async def runs(
        self, *, limit: int = 50, thread_id: str = "", state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        records = [trail.record for trail in reversed(self._trails.values())]
        chosen = [
            record
            for record in records
            if (not thread_id or record.thread_id == thread_id) and state in (None, record.state)
        ]
        return chosen[:limit]

    async def move(self, run_id: str, thread_id: str) -> None:
        """See the port."""
        trail = self._trail(run_id)
        trail.record = replace(trail.record, thread_id=thread_id)

    async def vote(self, run_id: str, name: str, vote: Vote) -> bool:
        """See the port."""
        trail = self._trail(run_id)
        asked = next((one for one in trail.open() if one.name == name), None)
        poll = asked.request.poll if asked else None
        if asked is None or poll is None or trail.record.state.over or "" < asked.due <= self._now():
            return False
        await self.append(run_id, VOTED, voted_detail(name, vote))
        votes = ((event.detail, event.at) for event in trail.events if event.kind == VOTED)
        if reason := closed(poll, ballots(poll, name, votes)):
            await self.decide(run_id, name, reason)
        return True

    async def overdue(self) -> list[OpenRequest]:
        """See the port."""
        unfinished = [t for t in self._trails.values() if not t.record.state.over and not t.stop]
        return [asked for trail in unfinished for asked in trail.open() if "" < asked.due <= self._now()]

    async def neglected(self, seconds: float) -> list[Neglected]:
        """See the port."""
        trails = [self._trails[one.run_id] for one in await self.line() if not one.held]
        return [
            Neglected(trail.record.run_id, trail.record.queue, bool(trail.enqueued))
            for trail in trails
            if self._is_neglected(trail, seconds)
        ]

    async def hand_on(self, run_id: str, seconds: float = 0.0) -> bool:
        """See the port."""
        trail = self._trail(run_id)
        taken = trail.record.state is not RunState.QUEUED
        if trail.enqueued > stamp(self._clock(), -seconds) if seconds else taken:
            return False
        trail.enqueued = self._now()
        return True

    async def not_handed_over(self) -> list[str]:
        """See the port."""
        over = [trail.record for trail in self._trails.values() if trail.record.state.over]
        return [record.run_id for record in over if record.thread_id and not record.handed_over]

    async def handed_over(self, record: RunRecord) -> bool:
        """See the port."""
        trail = self._trail(record.run_id)
        if trail.record != replace(record, handed_over=""):
            return False
        trail.record = replace(record, handed_over=self._now())
        await self.append(record.run_id, HANDED_OVER, canonical_json({"state": record.state}))
        return True

    async def line(self, queue: str = "") -> list[InLine]:
        """See the port."""
        records = [t.record for t in self._trails.values() if t.record.state.needs_worker]
        return [
            InLine(one.run_id, one.pipeline, one.thread_id, one.queue, not self._is_free(one.run_id))
            for one in records
            if queue in ("", one.queue)
        ]

    async def past(self, pipeline: str, latest: int = 50) -> list[Past]:
        """See the port."""
        runs = [trail.record for trail in reversed(self._trails.values())]
        done = [run for run in runs if (run.pipeline, run.state) == (pipeline, RunState.DONE)]
        return [
            Past(
                between(run.started, run.ended),
                sum((step.usage for step in await self.steps(run.run_id)), Usage()),
            )
            for run in done[:latest]
        ]

    async def counted(self) -> dict[tuple[str, RunState], int]:
        """See the port."""
        return Counter((t.record.pipeline, t.record.state) for t in self._trails.values())

    async def spent(self, since: str) -> list[Spent]:
        """See the port."""
        return [
            Spent(one.asked_by, one.thread_id, step.usage.tokens, step.usage.cost_usd)
            for one in (trail.record for trail in self._trails.values())
            if one.created >= since
            for step in await self.steps(one.run_id)
            if step.usage.calls
        ]

    def _is_free(self, run_id: str) -> bool:
        return not (run_id in self._leases and self._live(self._leases[run_id]))

    def _is_neglected(self, trail: _Trail, seconds: float) -> bool:
        if not trail.enqueued and trail.record.state is RunState.RUNNING:
            return True
        return (trail.enqueued or trail.record.created) <= stamp(self._clock(), -seconds)


async def unheld(ledger: Ledger) -> list[str]:
    """Ids of the runs in line that no worker holds."""
    return [one.run_id for one in await ledger.line() if not one.held]
