"""What becomes of a run when its question is edited or deleted."""

from bot.cards import notice_card
from bot.hand_on import stop
from bot.services import Services
from bot.values import Button, Incoming, ThreadRef

DELETED = "the question was deleted"
LONGEST = 1_500
"""Characters of an edited question that a button can ask again."""


class ChangedMessages:
    """Follows what people do to their own messages."""

    def __init__(self, rooms: Services) -> None:
        self._ledger, self._outbox, self._queue = rooms.ledger, rooms.outbox, rooms.queue

    async def deleted(self, question: Incoming) -> str:
        """Stop the run of a question that is gone; its id, or "". The event id is that of the message."""
        record = await self._ledger.run_of_request(question.key)
        if record is None or record.state.over:
            return ""
        await stop(record, DELETED, question.user, self._ledger, self._queue)
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
