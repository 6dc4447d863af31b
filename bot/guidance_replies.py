"""What each command about a channel's guidance does: show it, remember, forget, dispute a citation."""

from agents.kinds import RunView
from agents.runs.clock import stamp, utc_now
from bot import disputes, guidance
from bot.commands import section_and_text
from bot.editor import history_of, section_meant
from bot.errors import BadRequest
from bot.handler import Handler
from bot.ports import Conversations
from bot.values import Card, Command, CommandName, Incoming, ThreadRef


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
