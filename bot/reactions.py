"""What an expert's emoji under a card does, and how taking it off undoes that.

Every meaning is a command that could be written too, and is carried out as one (`bot.replies`). What it
started or wrote is known under the key of its event, so that it can be found again when the emoji goes.
"""

from dataclasses import replace

from agents.errors import AgentError
from agents.runs.clock import stamp, utc_now
from agents.runs.records import RunRecord
from bot import cards, disputes
from bot.editor import history_of, section_meant
from bot.emoji import GRAMMAR, Meaning, meaning_of
from bot.errors import BadRequest, NotAllowed
from bot.listening import Listening
from bot.polls import Polls
from bot.replies import Replies
from bot.services import Services
from bot.values import Card, Command, CommandName, Incoming, Reacted, Reaction, Shown, about, polled

COMMANDS: dict[Meaning, tuple[CommandName, str]] = {
    Meaning.ACCEPT: (CommandName.ACCEPT, "{section}"),
    Meaning.HELPFUL: (CommandName.FEEDBACK, "up {section}"),
    Meaning.REJECT: (CommandName.FEEDBACK, "down {section}"),
    Meaning.DEEPER: (
        CommandName.REVISE,
        "{section}: Go into more depth: methods, numbers and limits, as far as the sources tell them.",
    ),
    Meaning.SHORTER: (
        CommandName.REVISE,
        "{section}: Make it shorter: keep what decides, leave the rest out.",
    ),
    Meaning.MORE_SOURCES: (
        CommandName.REVISE,
        "{section}: Look for more sources, and cite those that add something.",
    ),
    Meaning.AGAIN: (CommandName.REFRESH, "{section}"),
    Meaning.STOP: (CommandName.STOP, ""),
}
"""The command that each meaning stands for; a dispute is carried out by `bot.disputes`."""
JUDGED = {Meaning.HELPFUL: "up", Meaning.REJECT: "down"}
STANDS = "It has changed since, and stands as it is: `history` tells what was done, `undo` takes that back."


class Reactions:
    """Carries reactions out and answers each once, in a card that changes when the emoji is taken off."""

    def __init__(self, rooms: Services, replies: Replies, listening: Listening) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._views = rooms.outbox, rooms.views
        self._replies = replies
        self._listening, self._polls = listening, Polls(rooms)

    async def take(self, incoming: Incoming, refused: str = "") -> str:
        """Do what an emoji means, or undo it; the id of the run it is about, "" where it is about none.

        Safe to repeat. An emoji that means nothing, or stands under no card of a run, is passed over.
        `refused` says why this person may not ask here.
        """
        reaction = incoming.reaction
        if reaction is None:
            return ""
        meaning = meaning_of(reaction.emoji)
        shown = await self._outbox.showing(incoming.thread, reaction.message_id)
        record = await self._ledger.run(about(shown.slot)[0]) if shown else None
        if shown is None or record is None:
            return ""
        asked = replace(incoming, thread=shown.thread, reaction=None)
        name = polled(shown.slot)
        listens = not record.state.over and self._listening.listens(record) and meaning is not Meaning.STOP
        if meaning is None and not name and not listens:
            return ""
        if refused:
            await self._tell(asked, refused)
            return ""
        if name and await self._voted(asked, reaction, record, name):
            return record.run_id
        if listens:
            await self._listening.take(
                replace(incoming, thread=shown.thread), record, on=about(shown.slot)[1]
            )
            return record.run_id
        if meaning and (card := await self._carried_out(asked, reaction, meaning, shown, record)):
            await self._outbox.put(shown.thread, f"reaction:{shown.slot}:{asked.user}:{meaning}", card)
        return record.run_id

    async def _voted(self, asked: Incoming, reaction: Reaction, record: RunRecord, name: str) -> bool:
        """Take an emoji under a poll as a vote; False if it is none."""
        try:
            return await self._polls.reacted(asked, reaction, record, name)
        except (BadRequest, AgentError) as error:
            await self._tell(asked, str(error))
            return True

    async def _tell(self, asked: Incoming, refused: str) -> None:
        card = cards.refusal_card(refused, asked.event_id)
        await self._outbox.put(asked.thread, f"reply:{asked.key}", card)

    async def _carried_out(
        self, asked: Incoming, reaction: Reaction, meaning: Meaning, shown: Shown, record: RunRecord
    ) -> Card | None:
        """What became of it; None for a second emoji of one meaning."""
        given = await self._conversations.reactions(shown)
        mine = (one for one in given if (one.user, one.meaning) == (asked.user, meaning))
        known = next(mine, None)
        section = about(shown.slot)[1] or record.section
        try:
            if reaction.removed:
                if known is None or known.emoji != reaction.emoji or known.removed not in ("", asked.key):
                    return None
                await self._conversations.note_reaction(replace(known, removed=asked.key))
                return cards.with_note(
                    await self._undone(asked, known, record, section), f"{GRAMMAR[meaning][0]} taken off."
                )
            if known and not known.removed and known.event != asked.key:
                return None
            if known is None or known.event != asked.key:
                await self._note(asked, reaction, meaning, shown, record)
            return cards.with_note(
                await self._done(asked, meaning, record, section), _how(meaning, asked.user)
            )
        except (BadRequest, NotAllowed, AgentError) as error:
            return cards.refusal_card(str(error), asked.event_id)

    async def _note(
        self, asked: Incoming, reaction: Reaction, meaning: Meaning, shown: Shown, record: RunRecord
    ) -> None:
        """Keep who reacted how and when, and the judgement that this replaces."""
        judged = await self._conversations.feedback(record.revises or record.run_id)
        before = next((f"{one.verdict} {one.comment}" for one in judged if one.user == asked.user), "")
        now = stamp(utc_now())
        new = Reacted(shown, asked.user, meaning, reaction.emoji, now, asked.key, before.strip())
        await self._conversations.note_reaction(new)

    async def _done(self, asked: Incoming, meaning: Meaning, record: RunRecord, section: str) -> Card:
        """Carry the meaning out as the command that it stands for."""
        if meaning is Meaning.DISPUTE:
            view = await self._views.by_id(record.revises or record.run_id)
            return await disputes.dispute(self._conversations, view, asked, section)
        if meaning is Meaning.STOP:  # as its button: this run alone
            asked = replace(asked, action="stop")
        name, argument = COMMANDS[meaning]
        command = Command(name, argument.format(section=section).strip())
        card = await self._replies.reply(asked, command, record)
        stops = "Stopping. What was found so far follows."
        said = stops if meaning is Meaning.STOP else "It is written anew."
        return card or cards.notice_card(said, record.run_id)

    async def _undone(self, asked: Incoming, known: Reacted, record: RunRecord, section: str) -> Card:
        """Undo what the reaction did, as far as it stands."""
        meaning = Meaning(known.meaning)
        if meaning is Meaning.DISPUTE:
            return await disputes.withdrawn(self._conversations, asked.thread, known.event, record.run_id)
        if meaning in JUDGED:
            return await self._unjudged(asked, known, record)
        if meaning is Meaning.STOP:
            resume = replace(asked, action="resume")
            card = await self._replies.reply(resume, Command(CommandName.RESUME), record)
            return card or cards.notice_card("It goes on.", record.run_id)
        return await self._unwritten(asked, known, record, section)

    async def _unjudged(self, asked: Incoming, known: Reacted, record: RunRecord) -> Card:
        """The judgement before this one is back, unless the person has judged anew since."""
        run_id = record.revises or record.run_id
        given = await self._conversations.feedback(run_id)
        verdict = next((one.verdict for one in given if one.user == asked.user), "")
        if verdict != JUDGED[Meaning(known.meaning)]:
            return cards.notice_card("Your judgement has changed since, and stands.", run_id)
        if known.before:
            again = Command(CommandName.FEEDBACK, known.before)
            await self._replies.reply(replace(asked, action="feedback"), again, record)
            return cards.notice_card("Your earlier judgement counts again.", run_id)
        await self._conversations.withdraw_feedback(run_id, asked.user)
        await self._replies.show_feedback(await self._views.by_id(run_id))
        return cards.notice_card("Your judgement is taken back.", run_id)

    async def _unwritten(self, asked: Incoming, known: Reacted, record: RunRecord, section: str) -> Card:
        """A run that writes anew is stopped; a sign-off or what a run wrote is undone, if nobody has done
        anything to the section since.
        """
        anew = await self._ledger.run_of_request(known.event)
        if anew and not anew.state.over:
            await self._replies.reply(replace(asked, action="stop"), Command(CommandName.STOP), anew)
            return cards.notice_card("Stopping: the section stays as it was.", anew.run_id)
        view = await self._views.by_id(record.revises or record.run_id)
        meant = section_meant(view, section).id
        lines = [line for line in history_of(view).lines if line.section.id == meant]
        signed = known.meaning == Meaning.ACCEPT
        back = "The sign-off is taken back." if signed else "What was there before is back."
        if lines and lines[-1].event == asked.key:
            return cards.notice_card(back, view.record.run_id)
        is_ours = lines and (lines[-1].event == known.event or (anew and lines[-1].run_id == anew.run_id))
        if not is_ours:
            return cards.notice_card(STANDS, view.record.run_id)
        undoing = CommandName.UNLOCK if signed else CommandName.UNDO
        await self._replies.reply(asked, Command(undoing, meant), record)
        return cards.notice_card(back, view.record.run_id)


def _how(meaning: Meaning, user: str) -> str:
    """Who asked for it, and how it is undone."""
    return f"{GRAMMAR[meaning][0]} by {user}. Take it off to undo this."
