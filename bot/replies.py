"""What each command but `ask` does. Each takes the run it is about and returns the card to show, or None."""

import json
from collections.abc import Awaitable, Callable

from agents.archive.answer import Answer
from agents.ports import Ledger
from agents.runs.clock import stamp, utc_now
from agents.runs.records import RunRecord, RunState
from bot import cards
from bot.commands import export_format, verdict_and_comment
from bot.errors import BadRequest
from bot.ports import Conversations, JobQueue, Outbox
from bot.threads import answer_of, question_of
from bot.values import Card, Command, CommandName, Feedback, Incoming, ThreadRef, answer_slot, progress_slot

ExportPlace = Callable[[str, str], str]
"""From a run id and a format to a Markdown sentence that says where the file is."""

STOPPED = "stopped on request"
STOP_ASKED = "run.stop_asked"
"""Event that keeps who asked; the reason shown names nobody, as platforms have ids for names."""
_UNFINISHED = (RunState.QUEUED, RunState.RUNNING, RunState.WAITING)


def export_by_command(run_id: str, file_format: str) -> str:
    """The place of an export where no web page is served: the terminal."""
    return f"Take the file in a terminal: `pestle run export {run_id} --format {file_format}`."


class Replies:
    """The commands about runs. They are safe to repeat: each leaves the same state however often it comes."""

    def __init__(
        self,
        ledger: Ledger,
        conversations: Conversations,
        outbox: Outbox,
        queue: JobQueue,
        export_place: ExportPlace = export_by_command,
    ) -> None:
        self._ledger = ledger
        self._conversations = conversations
        self._outbox = outbox
        self._queue = queue
        self._export_place = export_place
        self._handlers: dict[
            CommandName, Callable[[Incoming, Command, RunRecord], Awaitable[Card | None]]
        ] = {
            CommandName.STATUS: self._status,
            CommandName.STOP: self._stop,
            CommandName.RESUME: self._resume,
            CommandName.SOURCES: self._sources,
            CommandName.FEEDBACK: self._feedback,
            CommandName.EXPORT: self._export,
        }

    async def reply(self, incoming: Incoming, command: Command, record: RunRecord | None) -> Card | None:
        """Carry a command out. Raises `BadRequest` when there is nothing it could be about."""
        if command.name is CommandName.HELP:
            return cards.help_card()
        if record is None:
            raise BadRequest("No question was asked in this thread yet. Ask one, or write `help`.")
        return await self._handlers[command.name](incoming, command, record)

    async def _status(self, incoming: Incoming, command: Command, record: RunRecord) -> Card:
        return cards.progress_card(record, question_of(record).text, await self._ledger.events(record.run_id))

    async def _stop(self, incoming: Incoming, command: Command, record: RunRecord) -> Card:
        if record.state not in _UNFINISHED:
            return cards.notice_card("Nothing is running here: the last question is finished.", record.run_id)
        for run in await self._unfinished(incoming, record):
            await self._ledger.append(run.run_id, STOP_ASKED, json.dumps({"by": incoming.user}))
            await self._ledger.request_stop(run.run_id, STOPPED)
            if run.state is RunState.WAITING:  # no worker carries it; one has to end it
                await self._queue.enqueue(run.run_id)
        return cards.notice_card(
            "Stopping after the step in hand. What was found so far follows.", record.run_id
        )

    async def _unfinished(self, incoming: Incoming, record: RunRecord) -> list[RunRecord]:
        """A button stops its run; the word stops everything that runs in the thread."""
        if incoming.action:
            return [record]
        runs = await self._ledger.runs(thread_id=incoming.thread.thread_id)
        return [run for run in runs if run.state in _UNFINISHED]

    async def _resume(self, incoming: Incoming, command: Command, record: RunRecord) -> Card | None:
        if record.state in _UNFINISHED:
            return cards.notice_card("This question is being worked on already.", record.run_id)
        if record.state is RunState.DONE:
            return cards.notice_card("There is nothing to resume: the answer is complete.", record.run_id)
        await self._ledger.set_state(record.run_id, RunState.QUEUED)
        card = cards.started_card(record.run_id, question_of(record).text)
        await self._outbox.put(incoming.thread, progress_slot(record.run_id), card)
        await self._queue.enqueue(record.run_id)
        return None

    async def _sources(self, incoming: Incoming, command: Command, record: RunRecord) -> Card:
        answer = await self._answer(record)
        number = int(command.argument) if command.argument else None
        return cards.sources_card(record.run_id, answer, number)

    async def _feedback(self, incoming: Incoming, command: Command, record: RunRecord) -> Card | None:
        verdict, comment = verdict_and_comment(command.argument)
        await self._answer(record)
        at = stamp(utc_now())
        await self._conversations.add_feedback(Feedback(record.run_id, incoming.user, verdict, comment, at))
        given = await self._conversations.feedback(record.run_id)
        thread = ThreadRef.parse(record.thread_id)
        card = cards.ending_card(record, given)
        await self._outbox.put(thread, answer_slot(record.run_id), card)
        if incoming.action:
            return None
        return cards.notice_card("Thank you. Your judgement is kept with the answer.", record.run_id)

    async def _export(self, incoming: Incoming, command: Command, record: RunRecord) -> Card:
        await self._answer(record)
        place = self._export_place(record.run_id, export_format(command.argument))
        return cards.notice_card(place, record.run_id)

    async def _answer(self, record: RunRecord) -> Answer:
        if answer := answer_of(record):
            return answer
        raise BadRequest("There is no answer here yet. Write `status` to see how far the work is.")
