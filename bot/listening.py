"""What people write and react in the thread of a run that listens: kept for the run, and acknowledged.

A command stays a command, and an order that begins with a command word a new run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.kinds import Kinds
from agents.ports import Ledger
from agents.runs.clock import stamp, utc_now
from agents.runs.heard import HEARD, Said, everything_said, not_heard, said_detail
from agents.runs.records import RunRecord
from bot.cards import notice_card
from bot.emoji import named
from bot.ports import Outbox
from bot.values import Card, Incoming, ThreadRef

TOO_LATE = "The run ended before it could take this in."
LISTENS = "heard:"
"""What the slot begins with whose card tells that a run listens."""
QUOTED = 200
"""Characters of a message that is quoted."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Hands on to runs that listen what is said in their threads."""

    ledger: Ledger
    outbox: Outbox
    kinds: Kinds

    def listener(self, runs: Sequence[RunRecord]) -> RunRecord | None:
        """The newest of these runs that goes on and listens."""
        going = (run for run in runs if not run.state.over and run.pipeline in self.kinds)
        return next((run for run in going if self.kinds[run.pipeline].listens), None)

    async def take(self, incoming: Incoming, record: RunRecord, text: str = "", on: str = "") -> None:
        """Keep a message, or an emoji under the card of the section `on`, for a run. Safe to repeat."""
        now, emoji = stamp(utc_now()), incoming.reaction
        said = Said(incoming.user, now, incoming.key, text)
        if emoji:
            said = Said(incoming.user, now, incoming.key, "", named(emoji.emoji), emoji.removed, on)
        await self.ledger.append(record.run_id, HEARD, said_detail(said))
        run = await self.ledger.run(record.run_id)
        count = len(everything_said(await self.ledger.events(record.run_id)))
        told = f"Heard: {count} so far, the last from {said.who}. The run takes it in at its next step."
        if run is None or run.state.over:
            told = TOO_LATE
        thread = ThreadRef.parse(record.thread_id)
        await self.outbox.put(thread, f"{LISTENS}{record.run_id}", notice_card(told, record.run_id))

    async def missed(self, record: RunRecord) -> Card | None:
        """What was said to a run that is over and came too late for it; None for nothing."""
        if not self.listens(record):
            return None
        events, steps = await self.ledger.events(record.run_id), await self.ledger.steps(record.run_id)
        lines = [f"- {one.who}: {(one.text or one.emoji)[:QUOTED]}" for one in not_heard(events, steps)]
        told = "\n".join(("This came too late for the run, which is over:", "", *lines))
        return notice_card(told, record.run_id) if lines else None

    def listens(self, record: RunRecord) -> bool:
        """Whether a run is of a kind that listens."""
        return record.pipeline in self.kinds and self.kinds[record.pipeline].listens
