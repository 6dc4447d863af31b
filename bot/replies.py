"""What each command about a run does. Each takes the run that it is about and returns the card to show, or
None.
"""

import json
from collections.abc import Callable
from dataclasses import replace

from agents.kinds import RunView
from agents.runs import requests
from agents.runs.clock import stamp, utc_now
from agents.runs.execute import resume
from agents.runs.records import RunRecord
from bot import cards, disputes, guidance, report_cards, responsible
from bot.commands import DOCUMENT, NOT_KNOWN, export_format, section_and_text, verdict_and_comment
from bot.digests.orders import ORDERS, DigestOrders
from bot.editor import history_of, section_meant
from bot.errors import BadRequest
from bot.hand_on import hand_on_or_leave, stop
from bot.handler import Handler
from bot.polls import Polls
from bot.ports import Conversations, FileReader, NoFiles
from bot.section_replies import SectionReplies
from bot.services import Services
from bot.values import (
    EXPORTED,
    Card,
    Command,
    CommandName,
    Export,
    Feedback,
    Incoming,
    ThreadRef,
    progress_slot,
)

ExportPlace = Callable[[str, str], str]
"""From a run id and a format to a Markdown sentence that says where the file is."""
STOPPED = "stopped on request"
_ABOUT_THE_RUN = (
    CommandName.STATUS,
    CommandName.STOP,
    CommandName.RESUME,
    CommandName.ANSWER,
    CommandName.VOTE,
)
"""Commands about the work itself. Any other is about the report, also when a run that revises it
came last.
"""


class GuidanceReplies:
    """The commands about what the channel wants of its reports. Each takes a run of the kind it is about."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self.handlers: dict[CommandName, Handler] = {
            CommandName.GUIDANCE: self._guidance,
            CommandName.REMEMBER: self._remember,
            CommandName.FORGET: self._forget,
            CommandName.DISPUTE: self._dispute,
        }

    async def _guidance(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await self._listed(view)

    async def _remember(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        """Keep a wish for later reports: in words, or by a button that of a revision."""
        named, text = section_and_text(command)
        if incoming.action:
            lines = {f"#{line.number}": line for line in history_of(view).lines}
            if (line := lines.get(command.argument)) is None:
                raise BadRequest("That change is not known here any more.")
            named, text = line.section.id, line.why
        if not text:
            raise BadRequest("Say what later reports shall follow: `remember expression: name the unit`.")
        section = section_meant(view, named).id if named else ""
        new = guidance.Wish(section, text, incoming.user, stamp(utc_now()))
        await guidance.keep(self._conversations, ThreadRef.parse(view.record.thread_id), view.kind, new)
        return await self._listed(view, "Kept. The next report in this channel follows it.")

    async def _forget(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        thread = ThreadRef.parse(view.record.thread_id)
        gone = await guidance.forget(self._conversations, thread, view.kind, int(command.argument))
        return await self._listed(view, f"Forgotten: {gone}")

    async def _listed(self, view: RunView, told: str = "") -> Card:
        thread = ThreadRef.parse(view.record.thread_id)
        found = await guidance.wishes(view.kind).all(self._conversations, thread)
        doubted = await disputes.KEPT.all(self._conversations, thread)
        return guidance.guidance_card(found, doubted, view.record.run_id, told)

    async def _dispute(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await disputes.dispute(self._conversations, view, incoming, argument=command.argument)


def export_by_command(run_id: str, file_format: str) -> str:
    """The place of an export where no web page is served: the terminal."""
    return f"Take the file in a terminal: `pestle run export {run_id} {file_format}`."


class Replies:
    """The commands about runs. They are safe to repeat: each leaves the same state however often it comes."""

    def __init__(
        self,
        rooms: Services,
        export_place: ExportPlace = export_by_command,
        files: FileReader | None = None,
        orders: DigestOrders | None = None,
    ) -> None:
        self._orders = orders
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._queue, self._views = rooms.outbox, rooms.queue, rooms.views
        self._export_place = export_place
        self._polls = Polls(rooms)
        self._handlers: dict[CommandName, Handler] = {
            CommandName.STATUS: self._status,
            CommandName.STOP: self._stop,
            CommandName.RESUME: self._resume,
            CommandName.SOURCES: self._sources,
            CommandName.FEEDBACK: self._feedback,
            CommandName.EXPORT: self._export,
            CommandName.ANSWER: self._answer,
            CommandName.VOTE: self._vote,
            **SectionReplies(rooms, files or NoFiles()).handlers,
            **GuidanceReplies(rooms.conversations).handlers,
        }

    async def reply(self, incoming: Incoming, command: Command, record: RunRecord | None) -> Card | None:
        """Carry a command out. Raises `BadRequest` when there is nothing it could be about."""
        if command.name is CommandName.HELP:
            return cards.help_card(self._views.kinds)
        if command.name is CommandName.RESPONSIBLE:
            kept = (self._conversations, incoming.thread, self._views.kinds)
            return await responsible.order(*kept, command.argument)
        if command.name in ORDERS:
            return await self._order(incoming, command, record)
        if command.name not in self._handlers:
            raise BadRequest(NOT_KNOWN)
        if record is None:
            raise BadRequest("No question was asked in this thread yet. Ask one, or write `help`.")
        if record.revises and command.name not in _ABOUT_THE_RUN:
            view = await self._views.by_id(record.revises)
        else:
            view = await self._views.of(record)
        return await self._handlers[command.name](incoming, command, view)

    async def _order(self, incoming: Incoming, command: Command, record: RunRecord | None) -> Card:
        if self._orders is None:
            raise BadRequest("Digests are not kept here.")
        return await self._orders.reply(incoming, command, record)

    async def _status(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return cards.progress_card(view, await self._ledger.events(view.record.run_id))

    async def _stop(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        record = view.record
        if record.state.over:
            text = f"Nothing is running here: the last {view.kind.request} is finished."
            return cards.notice_card(text, record.run_id)
        for run in await self._unfinished(incoming, record):
            await stop(run, STOPPED, incoming.user, self._ledger, self._queue)
        if incoming.action:  # what the button stands on shows the end within two seconds
            return None
        return cards.notice_card("Stopping. What was found so far follows.", record.run_id)

    async def _unfinished(self, incoming: Incoming, record: RunRecord) -> list[RunRecord]:
        """A button stops its run; the word stops everything that runs in the thread."""
        if incoming.action:
            return [record]
        runs = await self._ledger.runs(thread_id=incoming.thread.thread_id)
        return [run for run in runs if not run.state.over]

    async def _resume(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        record, kind = view.record, view.kind
        if not record.state.over:
            return cards.notice_card(f"This {kind.request} is being worked on already.", record.run_id)
        if not await resume(record.run_id, self._ledger, incoming.user):
            text = f"There is nothing to resume: the {kind.result} is complete."
            return cards.notice_card(text, record.run_id)
        card = cards.started_card(record.run_id, view.asked)
        await self._outbox.put(incoming.thread, progress_slot(record.run_id), card)
        await self._hand_on(record)
        return None

    async def _sources(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        number = int(command.argument) if command.argument else None
        return report_cards.sources_card(view, history_of(view).standing, number)

    async def _feedback(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        verdict, comment = verdict_and_comment(command.argument)
        history_of(view)
        record, at = view.record, stamp(utc_now())
        await self._conversations.add_feedback(Feedback(record.run_id, incoming.user, verdict, comment, at))
        await self.show_feedback(view)
        if incoming.action:
            return None
        text = f"Thank you. Your judgement is kept with the {view.kind.result}."
        return cards.notice_card(text, record.run_id)

    async def show_feedback(self, view: RunView) -> None:
        """Show how a report was judged, below it."""
        record = view.record
        given = await self._conversations.feedback(record.run_id)
        slot, card = cards.ending_cards(view, given)[0]
        await self._outbox.put(ThreadRef.parse(record.thread_id), slot, card)

    async def _export(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        history_of(view)
        run_id, file_format = view.record.run_id, export_format(command.argument)
        told = {"by": incoming.user, "format": file_format}
        await self._ledger.append(run_id, EXPORTED, json.dumps(told))
        place = cards.notice_card(self._export_place(run_id, file_format), run_id)
        as_document = command.argument.strip().lower() in ("", DOCUMENT)
        return replace(place, file=Export(run_id, file_format, as_document))

    async def _answer(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        """Decide on what a run asks. A button names the request; words are for the oldest that they fit."""
        run_id = view.record.run_id
        if incoming.action:
            name, _, choice = command.argument.partition(" ")
        else:
            name, choice = await self._meant(run_id, command.argument)
        if not await requests.answer(run_id, name, choice, incoming.user, self._ledger):
            return cards.notice_card("Somebody was quicker: this was decided already.", run_id)
        await self._hand_on(view.record)
        return None

    async def _vote(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        return await self._polls.vote(incoming, command.argument, view.record)

    async def _meant(self, run_id: str, text: str) -> tuple[str, str]:
        """The open request that a typed answer is for, and the choice as the request writes it."""
        asked_now = await self._ledger.open_requests(run_id)
        waiting = [asked for asked in asked_now if asked.request.poll is None]
        for asked in waiting:
            options = {option.casefold(): option for option in asked.request.options}
            if not options or text.casefold() in options:
                return asked.name, options.get(text.casefold(), text)
        if not waiting:
            raise BadRequest("Nothing is asked here at the moment.")
        raise BadRequest(f"Choose one of: {', '.join(waiting[0].request.options)}.")

    async def _hand_on(self, record: RunRecord) -> None:
        await hand_on_or_leave(record, self._ledger, self._queue)
