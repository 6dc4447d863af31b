"""What each command about a run does. Each takes the run that it is about and returns the card to show, or
None.
"""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

from agents.kinds import Given, RevisionRequest, RunView, wish
from agents.ports import Ledger
from agents.reports.revisions import Action
from agents.reports.values import SectionState
from agents.runs import requests
from agents.runs.clock import stamp, utc_now
from agents.runs.execute import resume
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord, RunState
from bot import cards, disputes, guidance, report_cards, responsible
from bot.commands import export_format, verdict_and_comment
from bot.digests.orders import ORDERS, DigestOrders
from bot.editor import Editor, history_of, section_meant
from bot.errors import BadRequest
from bot.given import given_with
from bot.guidance import guided
from bot.hand_on import hand_on_or_leave
from bot.ports import Conversations, FileReader, JobQueue, NoFiles, Outbox
from bot.values import Card, Command, CommandName, Export, Feedback, Incoming, ThreadRef, progress_slot
from bot.views import Views

ExportPlace = Callable[[str, str], str]
"""From a run id and a format to a Markdown sentence that says where the file is."""

STOPPED = "stopped on request"
STOP_ASKED = "run.stop_asked"
"""Event that keeps who asked; the reason shown names nobody, as platforms have ids for names."""
_ABOUT_THE_RUN = (CommandName.STATUS, CommandName.STOP, CommandName.RESUME, CommandName.ANSWER)
"""Commands about the work itself. Any other is about the report, also when a run that revises it
came last.
"""
_SIGNS = {
    CommandName.ACCEPT: Action.ACCEPTED,
    CommandName.LOCK: Action.LOCKED,
    CommandName.UNLOCK: Action.REOPENED,
}
_TOLD = re.compile(r"(?P<section>[^:\n]{0,80}?)\s*:\s*(?P<text>.*)", re.DOTALL)

Handler = Callable[[Incoming, Command, RunView], Awaitable[Card | None]]


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
        views: Views,
        export_place: ExportPlace = export_by_command,
        files: FileReader | None = None,
        orders: DigestOrders | None = None,
    ) -> None:
        self._orders = orders
        self._ledger = ledger
        self._conversations = conversations
        self._outbox = outbox
        self._queue = queue
        self._views = views
        self._export_place = export_place
        self._files = files or NoFiles()
        self._editor = Editor(views, conversations, outbox)
        self._handlers: dict[CommandName, Handler] = {
            CommandName.STATUS: self._status,
            CommandName.STOP: self._stop,
            CommandName.RESUME: self._resume,
            CommandName.SOURCES: self._sources,
            CommandName.FEEDBACK: self._feedback,
            CommandName.EXPORT: self._export,
            CommandName.ANSWER: self._answer,
            CommandName.REVISE: self._revise,
            CommandName.REFRESH: self._revise,
            CommandName.GIVE: self._revise,
            CommandName.EDIT: self._edit,
            CommandName.APPEND: self._append,
            CommandName.UNDO: self._undo,
            CommandName.ACCEPT: self._sign,
            CommandName.LOCK: self._sign,
            CommandName.UNLOCK: self._sign,
            CommandName.CHANGES: self._changes,
            CommandName.COMPARE: self._compare,
            CommandName.HISTORY: self._history,
            CommandName.GUIDANCE: self._guidance,
            CommandName.REMEMBER: self._remember,
            CommandName.FORGET: self._forget,
            CommandName.DISPUTE: self._dispute,
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
            await self._ledger.append(run.run_id, STOP_ASKED, json.dumps({"by": incoming.user}))
            await self._ledger.request_stop(run.run_id, STOPPED)
            if run.state is RunState.WAITING:  # no worker carries it; one has to end it
                await self._hand_on(run)
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

    async def _dispute(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await disputes.dispute(self._conversations, view, incoming, argument=command.argument)

    async def _export(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        history_of(view)
        run_id, file_format = view.record.run_id, export_format(command.argument)
        place = cards.notice_card(self._export_place(run_id, file_format), run_id)
        return replace(place, file=Export(run_id, file_format))

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

    async def _meant(self, run_id: str, text: str) -> tuple[str, str]:
        """The open request that a typed answer is for, and the choice as the request writes it."""
        waiting = await self._ledger.open_requests(run_id)
        for asked in waiting:
            options = {option.casefold(): option for option in asked.request.options}
            if not options or text.casefold() in options:
                return asked.name, options.get(text.casefold(), text)
        if not waiting:
            raise BadRequest("Nothing is asked here at the moment.")
        raise BadRequest(f"Choose one of: {', '.join(waiting[0].request.options)}.")

    async def _revise(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        """Start a run that writes one section anew; its end takes the section in."""
        named, text = _section_and_text(incoming, command)
        section, kind = section_meant(view, named), view.kind
        if section.state is SectionState.LOCKED:
            raise BadRequest(f"{section.title} is locked ({section.signed}). Unlock it first.")
        if kind.revise is None:
            raise BadRequest(
                f"A section of this {kind.result} is changed by hand: write `edit {section.id}: …`."
            )
        if not text and command.name is CommandName.REVISE:
            raise BadRequest(f"Say what to change: `revise {section.id}: shorter, and name the species`.")
        record = view.record
        given: tuple[Given, ...] = ()
        if command.name is CommandName.GIVE:
            given, text = await given_with(incoming, text, kind, self._files), ""
        request = RevisionRequest(section.id, text, incoming.user, given)
        thread = ThreadRef.parse(record.thread_id)
        latest = await self._latest(record, section.id)
        before = await guided(self._conversations, thread, kind, self._views.kinds.inputs(latest))
        inputs = kind.revise(before, history_of(view).standing, request)
        anew = new_run(
            kind.name,
            inputs,
            incoming.key,
            thread_id=record.thread_id,
            asked_by=incoming.user,
            budget=record.budget,
            queue=record.queue,
            revises=record.run_id,
            section=section.id,
            instruction=text,
        )
        others = f"Only {section.title} changes; what was written from it is marked stale."
        notes = (*(f"It reads {one.title}." for one in given), kind.plan(inputs), others)
        card = cards.started_card(anew.run_id, wish(anew), tuple(filter(None, notes)))
        if await self._conversations.start(anew, thread, card):
            await self._hand_on(anew)
        return None

    async def _latest(self, record: RunRecord, section: str) -> RunRecord:
        """The run that wrote a section last: what it was given, the next one has too."""
        runs = await self._ledger.runs(thread_id=record.thread_id)
        anew = (run for run in runs if run.revises == record.run_id and run.section == section)
        return next(anew, record)

    async def _edit(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        named, text = _section_and_text(incoming, command, needed="edit")
        return await self._editor.edit(view, named, text, incoming)

    async def _append(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        named, text = _section_and_text(incoming, command, needed="append")
        return await self._editor.append(view, named, text, incoming)

    async def _undo(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await self._editor.undo(view, command.argument, incoming)

    async def _sign(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await self._editor.sign(view, command.argument, _SIGNS[command.name], incoming)

    async def _changes(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        section, history = section_meant(view, command.argument), history_of(view)
        lines = [one for one in history.lines if one.section.id == section.id]
        if not lines:
            return cards.notice_card("Nothing was changed since it was written.", view.record.run_id)
        return report_cards.changes_card(history, lines[-1], follows=view.kind.guided is not None)

    async def _compare(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        """Two versions of a section by the numbers of the history; 0 is what the run wrote."""
        history = history_of(view)
        first, second = sorted(int(number) for number in re.findall(r"\d+", command.argument))
        if not 0 <= first < second <= len(history.lines):
            raise BadRequest(f"The history has versions 0 to {len(history.lines)}: write `compare 0 1`.")
        return report_cards.comparison_card(history, first, second)

    async def _history(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return report_cards.history_card(history_of(view))

    async def _guidance(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await self._wishes(view)

    async def _remember(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        """Keep a wish for later reports: in words, or by a button that of a revision."""
        named, text = _section_and_text(incoming, command)
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
        return await self._wishes(view, "Kept. The next report in this channel follows it.")

    async def _forget(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        thread = ThreadRef.parse(view.record.thread_id)
        gone = await guidance.forget(self._conversations, thread, view.kind, int(command.argument))
        return await self._wishes(view, f"Forgotten: {gone}")

    async def _wishes(self, view: RunView, told: str = "") -> Card:
        thread = ThreadRef.parse(view.record.thread_id)
        found = await guidance.wishes(self._conversations, thread, view.kind)
        doubted = await disputes.disputes(self._conversations, thread)
        return guidance.guidance_card(found, doubted, view.record.run_id, told)

    async def _hand_on(self, record: RunRecord) -> None:
        await hand_on_or_leave(record, self._ledger, self._queue)


def _section_and_text(incoming: Incoming, command: Command, needed: str = "") -> tuple[str, str]:
    """The section that a command names, and what follows the colon.

    Raises `BadRequest` where a text is needed and missing.
    """
    if ":" not in command.argument:
        named, text = command.argument, ""
    else:
        told = _TOLD.fullmatch(command.argument)
        named, text = (told["section"].strip(), told["text"].strip()) if told else ("", command.argument)
    if needed and not text:
        raise BadRequest(f"Write the text after a colon: `{needed} SECTION: …`.")
    return named, text
