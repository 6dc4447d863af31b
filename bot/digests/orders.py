"""What people say about digests: order, list, preview, mute, edit, delete; pin a question, watch labels."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.kinds import Watch
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.records import RunRecord
from bot.cards import notice_card
from bot.digests.card import digest_card, list_card
from bot.digests.contents import Gatherer
from bot.digests.ports import Digests
from bot.digests.schedule import Schedule, next_tick, parse, render_moment
from bot.digests.values import PINS, WATCHES, Digest, Pin, Watched
from bot.errors import BadRequest
from bot.ports import Conversations
from bot.threads import ORDERED
from bot.values import Card, Command, CommandName, Incoming, ThreadRef
from bot.views import Views

ORDERS = frozenset({CommandName.DIGEST, CommandName.PIN, CommandName.WATCH})
"""Commands that are about a channel, not about a run; a pin takes the thread's last question."""
MOST = 20
"""Digests of a channel."""
WATCHING = "every day 07:00"
"""When a channel without a digest is told of what it watches."""
NOT_PINNED = "No question is pinned here. `pin` in a thread pins its last one."
NOT_WATCHED = "Nothing is watched here. `watch ACE inhibitors for angioedema` watches their labels."
_QUOTED = re.compile(r"[\"'“”‘’«»„](?P<schedule>[^\"“”«»„]+?)[\"'“”‘’«»]\s*(?P<rest>.*)", re.DOTALL)
_VERB = re.compile(
    r"(?P<verb>preview|mute|unmute|edit|delete|heartbeat)\b\s*#?(?P<number>\d{1,9})?\s*(?P<rest>.*)",
    re.DOTALL,
)
_HEARTBEAT = re.compile(r"[,;]?\s*\b(?:with (?:a )?)?heartbeat\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DigestOrders:
    """Carries orders out. They are safe to repeat: each leaves the same state however often it comes."""

    digests: Digests
    conversations: Conversations
    views: Views
    gatherer: Gatherer
    watches: Mapping[str, Watch]
    clock: Clock = utc_now

    async def reply(self, incoming: Incoming, command: Command, record: RunRecord | None) -> Card:
        """What became of an order. `record` is the thread's last run. Raises `BadRequest`."""
        if command.name is CommandName.PIN:
            return await self._pin(incoming, command.argument, record)
        if command.name is CommandName.WATCH:
            return await self._watch(incoming, command.argument)
        text = command.argument.strip()
        if not text or text == "list":
            return await self._list(incoming.thread)
        if found := _VERB.fullmatch(text):
            return await self._changed(incoming, found["verb"], found["number"] or "", found["rest"].strip())
        return await self._add(incoming, re.sub(r"^add\b\s*", "", text))

    async def _add(self, incoming: Incoming, text: str) -> Card:
        schedule_text, about, heartbeat = understood(text)
        schedule = parse(schedule_text)
        if len(await self.digests.of(incoming.thread)) >= MOST:
            raise BadRequest(f"A channel has up to {MOST} digests. `digest delete 1` drops one.")
        number = await self._kept(incoming, schedule, about, heartbeat=heartbeat)
        first = render_moment(next_tick(schedule, self.clock()), schedule)
        subject = f" about {about}" if about else ""
        everybody = incoming.thread.everybody
        place = "in this thread" if everybody.thread else "in this channel"
        if everybody.channel == "terminal":
            place = f"in no channel (`--in` names one): `pestle digest preview {number}` shows it"
        return notice_card(
            f"Digest {number}{subject} comes {schedule.text}, first on {first}, {place}."
            " It tells new documents, pinned questions whose answer changed (`pin`), watched labels "
            "(`watch … for …`) and what waits for people; where nothing is new it says nothing."
        )

    async def _kept(
        self, incoming: Incoming, schedule: Schedule, about: str = "", *, heartbeat: bool = False
    ) -> int:
        """A new digest of the channel, which tells what comes from now on; its number."""
        now, place = self.clock(), incoming.thread.everybody
        digest = Digest(
            place,
            schedule,
            incoming.user,
            incoming.key,
            stamp(next_tick(schedule, now)),
            about,
            created=stamp(now),
            heartbeat=heartbeat,
            baseline=await self.gatherer.baseline(incoming.thread, stamp(now)),
        )
        await self.conversations.remember(place, ORDERED, stamp(now))
        return await self.digests.add(digest)

    async def _list(self, thread: ThreadRef, said: str = "") -> Card:
        return list_card(await self.digests.of(thread), said)

    async def _changed(self, incoming: Incoming, verb: str, named: str, rest: str) -> Card:
        digest = await self._meant(incoming.thread, named)
        number = digest.number
        if verb == "preview":
            now = self.clock()
            contents, _ = await self.gatherer.gathered(digest, stamp(now), {})
            card = digest_card(digest, contents, now, preview=True)
            pinned = len(await PINS.all(self.conversations, digest.thread))
            note = f"{pinned} pinned question(s) will be asked again at its time." if pinned else ""
            assert card is not None, "a preview is never silent"
            return replace(card, notes=(*card.notes, note)) if note else card
        if verb == "delete":
            await self.digests.delete(number)
            return await self._list(incoming.thread, f"Digest {number} is deleted.")
        if verb == "edit":
            return await self._edited(incoming, digest, rest)
        if verb == "heartbeat":
            digest = replace(digest, heartbeat=rest.casefold() not in ("off", "no"))
        else:
            digest = replace(digest, muted=verb == "mute")
        await self.digests.change(digest)
        return await self._list(incoming.thread, f"Digest {number} is changed.")

    async def _edited(self, incoming: Incoming, digest: Digest, rest: str) -> Card:
        """Another schedule, another subject, or both."""
        if not rest:
            raise BadRequest(
                f'Say what to change: `digest edit {digest.number} "every monday 9:00" about …`.'
            )
        if found := re.fullmatch(r"about\b(.*)", rest, re.IGNORECASE | re.DOTALL):
            digest = replace(digest, about=found[1].strip())
        else:
            schedule_text, about, heartbeat = understood(rest)
            schedule = parse(schedule_text)
            due = stamp(next_tick(schedule, self.clock()))
            digest = replace(
                digest,
                schedule=schedule,
                due=due,
                about=about or digest.about,
                heartbeat=heartbeat or digest.heartbeat,
            )
        await self.digests.change(digest)
        return await self._list(incoming.thread, f"Digest {digest.number} is changed.")

    async def _meant(self, thread: ThreadRef, named: str) -> Digest:
        """The digest of this channel with a number; the only one without. Raises `BadRequest`."""
        found = await self.digests.of(thread)
        if not named and len(found) == 1:
            return found[0]
        if digest := next((one for one in found if str(one.number) == named), None):
            return digest
        known = ", ".join(str(one.number) for one in found) or "none"
        raise BadRequest(f"Name a digest of this channel by its number: {known}.")

    async def _pin(self, incoming: Incoming, argument: str, record: RunRecord | None) -> Card:
        """Pin the question that was answered last in the thread, list the pins, or drop one."""
        if argument and argument != "list":
            gone = await PINS.drop(self.conversations, incoming.thread, int(argument))
            return await self._pins(incoming.thread, f"No longer pinned: {gone.asked}")
        if argument == "list":
            return await self._pins(incoming.thread)
        if record is None or not record.result:
            raise BadRequest("Pin a question where it was answered: write `pin` in its thread.")
        view = await self.views.by_id(record.revises or record.run_id)
        of = view.record
        new = Pin(of.run_id, of.pipeline, of.inputs, view.asked, incoming.user, stamp(self.clock()))
        await PINS.add(self.conversations, incoming.thread, new)
        return await self._pins(
            incoming.thread, "Pinned: digests ask it again and tell when its answer changes."
        )

    async def _pins(self, thread: ThreadRef, said: str = "") -> Card:
        return _numbered(said, await PINS.all(self.conversations, thread), NOT_PINNED, "unpin")

    async def _watch(self, incoming: Incoming, argument: str) -> Card:
        """Watch what a person's words are on, list what is watched, or drop one."""
        if argument == "list":
            return await self._watched(incoming.thread)
        if argument.isdecimal():
            gone = await WATCHES.drop(self.conversations, incoming.thread, int(argument))
            return await self._watched(incoming.thread, f"No longer watched: {gone.asked}")
        found = ((name, key) for name, watch in self.watches.items() if (key := watch.key(argument)))
        name, key = next(found, ("", ""))
        if not key:
            raise BadRequest("Say what to watch for what: `watch ACE inhibitors for angioedema`.")
        new = Watched(name, key, argument, incoming.user, stamp(self.clock()))
        await self.watches[name].look(key)  # what cannot be read is told at once
        await WATCHES.add(self.conversations, incoming.thread, new)
        said = "Watched: digests of this channel tell when it changes."
        if not await self.digests.of(incoming.thread):
            number = await self._kept(incoming, parse(WATCHING))
            said += (
                f" It had none, so digest {number} comes {WATCHING} UTC; `digest edit {number} …` changes it."
            )
        return await self._watched(incoming.thread, said)

    async def _watched(self, thread: ThreadRef, said: str = "") -> Card:
        return _numbered(said, await WATCHES.all(self.conversations, thread), NOT_WATCHED, "unwatch")


def understood(text: str) -> tuple[str, str, bool]:
    """Schedule, subject, and whether a line is wanted also where nothing is new."""
    heartbeat = bool(_HEARTBEAT.search(text))
    text = _HEARTBEAT.sub("", text).strip()
    if found := _QUOTED.fullmatch(text):
        return found["schedule"].strip(), _subject(found["rest"]), heartbeat
    schedule, about, rest = re.split(r"(\babout\b|$)", text, maxsplit=1, flags=re.IGNORECASE)[:3]
    return schedule.strip(), _subject(about + rest), heartbeat


def _subject(text: str) -> str:
    return re.sub(r"^(?:about|on)\b", "", text.strip(), flags=re.IGNORECASE).strip(" :,.")


def _numbered(said: str, found: Sequence[Pin | Watched], none: str, drop: str) -> Card:
    """What a channel keeps, with the numbers by which it is dropped."""
    lines = [f"{number}. {one.asked} ({one.by}, {one.at[:10]})" for number, one in enumerate(found, start=1)]
    parts = (said, "\n".join(lines) or none, f"`{drop} 1` drops one." if lines else "")
    return notice_card("\n\n".join(filter(None, parts)))
