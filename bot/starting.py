"""How a message that asks for something becomes a run: written once, shown, handed on."""

from collections.abc import Callable

from agents.kinds import AnyKind
from agents.runs.pipeline import new_run
from agents.runs.records import Budget
from bot import cards
from bot.guidance import guided
from bot.hand_on import NewRuns
from bot.receipts import Receipt
from bot.routing import Routed
from bot.services import Services
from bot.steps import label
from bot.threads import DOUBTFUL, Thread
from bot.values import CommandName, Incoming
from bot.waits import Waits

BudgetOf = Callable[[AnyKind], Budget]


def approvals_note(kind: AnyKind) -> str:
    """Which of its steps a run will ask a person about; "" if none."""
    named = sorted(label(step, kind.labels) for step in kind.approvals)
    return f"It will ask before: {', '.join(named)}." if named else ""


def kind_budget(kind: AnyKind) -> Budget:
    """The budget that a kind gives its runs."""
    return kind.limits.budget


class Starting:
    """Starts runs. When the queue is down a run stays written, and a worker's sweeper finds it."""

    def __init__(self, rooms: Services, budget: BudgetOf, waits: Waits | None = None) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._new_runs = NewRuns(rooms.ledger, rooms.queue)
        self._budget = budget
        self._waits = waits or Waits(rooms.ledger)

    async def start(self, incoming: Incoming, thread: Thread, routed: Routed) -> Receipt:
        """Write the run with its first progress card, and begin to enqueue it; once for each event.

        Raises `WrongOrder` where the month's budget is spent.
        """
        kind = routed.kind
        waits = await self._waits.notes(kind, incoming.thread, incoming.user)
        inputs = await guided(self._conversations, incoming.thread, kind, routed.inputs)
        record = new_run(
            kind.name,
            inputs,
            incoming.key,
            thread_id=incoming.thread.thread_id,
            asked_by=incoming.user,
            budget=self._budget(kind),
            queue=kind.limits.queue,
        )
        asked = kind.asked(routed.inputs)
        notes = (*waits, kind.plan(routed.inputs), approvals_note(kind))
        card = cards.started_card(record.run_id, asked, tuple(filter(None, notes)))
        if not await self._conversations.start(record, incoming.thread, card):
            known = await self._ledger.run_of_request(record.request_key)
            return Receipt(CommandName.ASK, known.run_id if known else "", duplicate=True)
        if thread.doubtful("text"):
            await self._conversations.remember(incoming.thread, DOUBTFUL, "")
        self._new_runs.hand_on(record)
        return Receipt(CommandName.ASK, record.run_id)

    async def settle(self) -> None:
        """Wait for what goes on after a run was started."""
        await self._new_runs.settle()
        await self._waits.settle()
