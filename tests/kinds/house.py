"""A world with one kind of run, and a worker for it in this process that may die at any call of a port."""

from typing import Any, cast

from agents.kinds import AnyKind, Kinds
from agents.ports import Ledger
from agents.reports.revisions import Revisions
from agents.runs.pipeline import Pipeline
from bot.ports import Conversations, Outbox
from bot.views import Views
from tests.bot.world import World
from tests.workers.test_crash import Life
from workers.executor import Executor


class KindHouse:
    """The world, and a worker that outlives it."""

    def __init__(self, kind: AnyKind, inputs: Any, output: Any) -> None:
        self.kind, self._forms = kind, (inputs, output)
        self.world = World(kinds=Kinds([kind]))
        self.worker = self.executor(Life(1_000_000), "w1")

    def executor(self, life: Life, owner: str) -> Executor:
        world = self.world
        ledger = cast(Ledger, life.of(world.ledger))
        views = Views(world.kinds, ledger, cast(Revisions, life.of(world.revisions)))
        work = self.kind.open(None)(None)  # type: ignore[arg-type]
        return Executor(
            ledger,
            cast(Conversations, life.of(world.conversations)),
            cast(Outbox, life.of(world.outbox)),
            {self.kind.name: Pipeline(work, *self._forms, self.kind.stopped)},
            views,
            owner=owner,
            progress_every_s=60,
        )

    async def say(self, text: str) -> str:
        """Say it and let the worker do what follows; the id of the run that it began."""
        receipt = await self.world.say(text)
        await self.work()
        return receipt.run_id

    async def work(self) -> None:
        while self.world.queue.run_ids:
            await self.worker.execute(self.world.queue.run_ids.pop(0))
