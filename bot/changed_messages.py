"""What becomes of a run when its question is edited or deleted, or the bot is taken out of its channel."""

import json
from collections.abc import Callable

from agents.runs.records import RunRecord, RunState
from bot.cards import notice_card
from bot.hand_on import hand_on_or_leave
from bot.replies import STOP_ASKED
from bot.services import Services
from bot.values import Button, Incoming, ThreadRef

DELETED = "the question was deleted"
LONGEST = 1_500
"""Characters of an edited question that a button can ask again."""
LATEST = 200
"""Runs of a channel whose people are told."""
LEFT = (
    "{why} I can post nothing there any more. {what} `pestle runs` lists it for who runs Pestle; take me "
    "back into the channel, and what could not be posted is tried again for a day."
)


class ChangedMessages:
    """Follows what people do to their own messages, and admins to channels."""

    def __init__(self, rooms: Services) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._queue = rooms.outbox, rooms.queue

    async def deleted(self, question: Incoming) -> str:
        """Stop the run of a question that is gone; its id, or "". The event id is that of the message."""
        record = await self._ledger.run_of_request(question.key)
        if record is None or record.state.over:
            return ""
        await self._ledger.append(record.run_id, STOP_ASKED, json.dumps({"by": question.user}))
        await self._ledger.request_stop(record.run_id, DELETED)
        if record.state is RunState.WAITING:  # no worker carries it; one has to end it
            await hand_on_or_leave(record, self._ledger, self._queue)
        told = notice_card("The question was deleted, so its run is being stopped.", record.run_id)
        await self._outbox.put(ThreadRef.parse(record.thread_id), f"deleted:{record.run_id}", told)
        return record.run_id

    async def edited(self, question: Incoming) -> str:
        """Ask whether to run a question as it reads now; the id of its run, or ""."""
        record = await self._ledger.run_of_request(question.key)
        text = " ".join(question.text.split())
        if record is None or record.asked_by != question.user or not text:
            return ""
        again = Button("Ask it as it reads now", "ask", f"{record.run_id} {text}", "primary")
        stop = () if record.state.over else (Button("Stop the first", "stop", record.run_id),)
        told = "You edited the question after it was asked. What was asked first stands as it was."
        if len(text) > LONGEST:
            told, buttons = f"{told} Send it once more to ask it as it reads now.", stop
        else:
            buttons = (again, *stop)
        thread = ThreadRef.parse(record.thread_id)
        await self._outbox.put(thread, f"edited:{record.run_id}", notice_card(told, record.run_id, buttons))
        return record.run_id

    async def left(self, platform: str, channel: str, why: str, direct: Callable[[str], ThreadRef]) -> int:
        """Tell all whose runs go on in a channel that the bot is out of, or whose answers are not posted.

        `direct` is where a person is spoken to alone. Returns how many runs were told of.
        """
        runs = await self._conversations.runs(ThreadRef(platform, channel, ""), limit=LATEST)
        found = [run for run in runs if run.asked_by and (not run.state.over or await self._waits(run))]
        for run in found:
            what = (
                "Your run there goes on." if not run.state.over else "What you asked there is not posted yet."
            )
            told = notice_card(LEFT.format(why=why, what=what), run.run_id)
            await self._outbox.put(direct(run.asked_by), f"left:{channel}:{run.run_id}", told)
        return len(found)

    async def _waits(self, run: RunRecord) -> bool:
        """Whether a card of the run waits to be posted."""
        unposted = await self._outbox.unposted([ThreadRef.parse(run.thread_id)])
        return any(one.run_id == run.run_id for one in unposted)
