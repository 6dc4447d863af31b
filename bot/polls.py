"""Votes in the polls that runs hold: by button, by word ("vote 2", "take back my vote"), by emoji."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.kinds import chosen
from agents.runs import requests
from agents.runs.polls import Poll, Vote
from agents.runs.records import OpenRequest, RunRecord, RunState
from bot.cards import notice_card
from bot.emoji import option_number
from bot.errors import BadRequest, NoPoll
from bot.hand_on import hand_on_or_leave
from bot.request_cards import polls_of, request_cards
from bot.services import Services
from bot.values import Card, Incoming, Reaction, ThreadRef, request_slot

UPDATED_S = 1.0
"""Shortest time between two updates of a poll's card."""
CLOSED = "This poll is closed, and your vote came too late to count."
_FOR = re.compile(r"(?:i )?vote(?: for)?:?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Open:
    """A poll that is open, and the run that holds it."""

    record: RunRecord
    asked: OpenRequest
    poll: Poll


class Polls:
    """Takes votes, and shows how a poll stands."""

    def __init__(self, rooms: Services) -> None:
        self._ledger, self._outbox, self._queue = rooms.ledger, rooms.outbox, rooms.queue

    async def vote(self, incoming: Incoming, argument: str, record: RunRecord) -> Card | None:
        """Take a vote for options by their numbers, or for none to take it back. A button names its poll;
        words are for the one that the thread was asked last. Raises `BadRequest`, `NoPoll`, `AgentError`.
        """
        name, numbers = "", argument
        if incoming.action:
            name, _, numbers = argument.partition(" ")
        held = await self._held(record, name, incoming.thread.thread_id)
        options = [_option(held.poll, int(one)) for one in re.findall(r"\d+", numbers) if int(one)]
        if len(options) > 1 and not held.poll.several:
            raise BadRequest("One choice is asked for here: write `vote` with one number.")
        pressed = bool(incoming.action and options and held.poll.several)
        dropped = () if pressed else held.poll.options
        await self._cast(held, Vote(incoming.user, tuple(options), dropped))
        if incoming.action:
            return None
        told = f"You vote for **{' and '.join(options)}**" if options else "Your vote is taken back"
        return notice_card(f"{told}: {held.poll.question}", record.run_id)

    async def reacted(self, incoming: Incoming, emoji: Reaction, record: RunRecord, name: str) -> bool:
        """Take a vote by an emoji under a poll, or take it back with the emoji; False for any other emoji or
        card. Raises `BadRequest`, `AgentError`.
        """
        poll = polls_of(await self._ledger.events(record.run_id)).get(name)
        number = option_number(emoji.emoji, len(poll.options)) if poll else 0
        if poll is None or not number:
            return False
        option = (_option(poll, number),)
        if emoji.removed and not await self._open(record, name):
            return True
        held = await self._held(record, name)
        change = Vote(incoming.user, (), option) if emoji.removed else Vote(incoming.user, option)
        await self._cast(held, change)
        return True

    async def meant(self, text: str, record: RunRecord) -> str:
        """The number of the option that words name in an open poll of a run; "" for none."""
        for asked in await self._open(record):
            if asked.request.poll and (option := chosen(_FOR.sub("", text, count=1), asked.request.options)):
                return str(asked.request.options.index(option) + 1)
        return ""

    async def _held(self, record: RunRecord, name: str, thread_id: str = "") -> _Open:
        """The open poll of this name; without a name the last one of the run, else of the thread."""
        others = await self._ledger.runs(thread_id=thread_id) if thread_id and not name else []
        for run in (record, *(one for one in others if not one.state.over)):
            for asked in reversed(await self._open(run, name)):
                if asked.request.poll:
                    return _Open(run, asked, asked.request.poll)
        raise NoPoll(CLOSED if name else "No poll is open in this thread.")

    async def _open(self, record: RunRecord, name: str = "") -> Sequence[OpenRequest]:
        if record.state.over:
            return ()
        return [one for one in await self._ledger.open_requests(record.run_id) if name in ("", one.name)]

    async def _cast(self, held: _Open, vote: Vote) -> None:
        record, name = held.record, held.asked.name
        if await requests.vote(record.run_id, name, vote, self._ledger):
            await hand_on_or_leave(record, self._ledger, self._queue)
        if record.state is not RunState.WAITING:  # whoever carries the run shows it
            return
        events = await self._ledger.events(record.run_id)
        shown = request_cards(record.run_id, await self._ledger.open_requests(record.run_id), events)
        slot = request_slot(record.run_id, name)
        await self._outbox.put(ThreadRef.parse(record.thread_id), slot, shown[slot], after=UPDATED_S)


def _option(poll: Poll, number: int) -> str:
    if not 1 <= number <= len(poll.options):
        raise BadRequest(f"Vote for a number from 1 to {len(poll.options)}.")
    return poll.options[number - 1]
