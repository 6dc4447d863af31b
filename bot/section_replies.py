"""What each command about one section of a report does: revise, edit, sign, undo, compare."""

from agents.kinds import Given, RevisionRequest, RunView, wish
from agents.reports.revisions import Action
from agents.reports.values import SectionState
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord
from bot import cards, history_cards
from bot.commands import section_and_text
from bot.editor import Editor, history_of, section_meant
from bot.errors import BadRequest, NotAllowed
from bot.given import given_with
from bot.guidance import guided
from bot.hand_on import hand_on_or_leave
from bot.handler import Handler
from bot.ports import FileReader
from bot.services import Services
from bot.values import Card, Command, CommandName, Incoming, ThreadRef

_SIGNS = {
    CommandName.ACCEPT: Action.ACCEPTED,
    CommandName.LOCK: Action.LOCKED,
    CommandName.UNLOCK: Action.REOPENED,
}
NO_EXPERT = (
    "Experts accept, lock and unlock sections here, and you, {0}:{1}, are none. Who runs Pestle can make you "
    "one: `pestle access grant expert {0}:{1}`."
)


class SectionReplies:
    """The commands about sections; each is given the run whose report they are of."""

    def __init__(self, rooms: Services, files: FileReader) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._queue, self._views = rooms.queue, rooms.views
        self._files, self._may_sign = files, rooms.may_sign
        self._editor = Editor(rooms.views, rooms.conversations, rooms.outbox)
        self.handlers: dict[CommandName, Handler] = {
            CommandName.REVISE: self._revise,
            CommandName.REFRESH: self._revise,
            CommandName.GIVE: self._revise,
            CommandName.EDIT: self._write,
            CommandName.APPEND: self._write,
            CommandName.UNDO: self._undo,
            CommandName.ACCEPT: self._sign,
            CommandName.LOCK: self._sign,
            CommandName.UNLOCK: self._sign,
            CommandName.CHANGES: self._changes,
            CommandName.HISTORY: self._history,
        }

    async def _revise(self, incoming: Incoming, command: Command, view: RunView) -> Card | None:
        """Start a run that writes one section anew; its end takes the section in."""
        named, text = section_and_text(command)
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
            await hand_on_or_leave(anew, self._ledger, self._queue)
        return None

    async def _latest(self, record: RunRecord, section: str) -> RunRecord:
        """The run that wrote a section last: what it was given, the next one has too."""
        runs = await self._ledger.runs(thread_id=record.thread_id)
        anew = (run for run in runs if run.revises == record.run_id and run.section == section)
        return next(anew, record)

    async def _write(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        """Put a person's words in place of a section, or below it."""
        named, text = section_and_text(command, needed=command.name)
        write = self._editor.edit if command.name is CommandName.EDIT else self._editor.append
        return await write(view, named, text, incoming)

    async def _undo(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return await self._editor.undo(view, command.argument, incoming)

    async def _sign(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        if not await self._may_sign(incoming.thread, incoming.user):
            raise NotAllowed(NO_EXPERT.format(incoming.thread.platform, incoming.user))
        return await self._editor.sign(view, command.argument, _SIGNS[command.name], incoming)

    async def _changes(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        """The last change of a section; of the report where none is named."""
        history = history_of(view)
        wanted = section_meant(view, command.argument).id if command.argument else ""
        lines = [one for one in history.lines if one.section.id == wanted or not wanted]
        if not lines:
            return cards.notice_card("Nothing was changed since it was written.", view.record.run_id)
        return history_cards.changes_card(history, lines[-1], follows=view.kind.heeds_channel)

    async def _history(self, incoming: Incoming, command: Command, view: RunView) -> Card:
        return history_cards.history_card(history_of(view))
