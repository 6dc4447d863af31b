"""Where conversations are: the house's threads and those of Teams, and where the bot writes to them.

Teams tells with every activity at which address the bot answers (its conversation reference). That is kept
with the conversation, so that a card can be shown after a restart, or when nobody has asked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from adapters.teams.mentions import Mentioned
from bot.ports import Conversations
from bot.values import ThreadRef

PLATFORM = "teams"
KEPT = "teams.reference"
"""Under which a conversation keeps its reference."""
PERSONAL, CHANNEL = "personal", "channel"
FLAT = "chat"
"""The thread of a chat with one person or a group: there all messages follow one another."""
_ROOT = ";messageid="
_PERSON = "person|"
_MET = "teams.person"
"""Under which it is kept how a person is written to alone."""
_NAMED = "teams.named"
"""Under which a channel keeps whom somebody named as responsible."""
_OF_OTHERS = "19:"
"""How the ids of conversations between people begin, also of those between two alone."""


@dataclass(frozen=True, slots=True)
class Reference:
    """How the bot writes to a conversation: the address of the service, and as whom.

    `roster` is what is asked for who reads it: the chat, or the team of a channel; "" where that tells not
    everybody.
    """

    service_url: str
    bot: str
    roster: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """How the bot writes to a person alone: as `bot`, at the service's address, to `member` of a tenant.

    `chat` is the conversation of the two, or "" where none was seen yet.
    """

    service_url: str
    bot: str
    member: str
    tenant: str = ""
    chat: str = ""


def alone(user: str) -> ThreadRef:
    """The thread in which a person is spoken to alone, wherever their chat with the bot is."""
    return ThreadRef(PLATFORM, f"{_PERSON}{user}", FLAT)


def user_of(thread: ThreadRef) -> str:
    """Whom a thread speaks to alone, by `alone`; "" for any other thread."""
    return thread.channel.removeprefix(_PERSON) if thread.channel.startswith(_PERSON) else ""


def with_bot(kind: str | None, conversation_id: str) -> bool:
    """Whether a conversation is a chat of one person with the bot, and none of two people."""
    return kind == PERSONAL and not conversation_id.startswith(_OF_OTHERS)


def thread_of(conversation_id: str, *, channel: bool, message_id: str = "") -> ThreadRef:
    """The thread of an activity's conversation. `message_id` begins one in a channel."""
    place, _, root = conversation_id.partition(_ROOT)
    return ThreadRef(PLATFORM, place, (root or message_id) if channel else FLAT)


def conversation_of(thread: ThreadRef) -> str:
    """The conversation of a thread. Without a thread it is the channel: what is sent there begins one."""
    if thread.thread in ("", FLAT):
        return thread.channel
    return f"{thread.channel}{_ROOT}{thread.thread}"


class Places:
    """The references of all conversations that the bot was spoken to in."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._known: dict[str, Reference] = {}
        self._met: dict[str, Person] = {}

    async def keep(self, thread: ThreadRef, reference: Reference) -> None:
        """Remember how to write to a conversation; written where it changed."""
        if await self.find(thread) == reference:
            return
        await self._conversations.remember(_all_of(thread), KEPT, json.dumps(asdict(reference)))
        self._known[thread.channel] = reference

    async def find(self, thread: ThreadRef) -> Reference | None:
        """How to write to a thread; None where nobody of this place ever wrote to the bot."""
        if thread.channel not in self._known:
            kept = (await self._conversations.remembered(_all_of(thread))).get(KEPT)
            if not kept:
                return None
            self._known[thread.channel] = _reference(json.loads(kept))
        return self._known[thread.channel]

    async def name(self, thread: ThreadRef, people: Sequence[Mentioned]) -> None:
        """Remember who was mentioned by which name in a channel; a later mention of the name counts."""
        known = await self.named(thread)
        if any(known.get(one.name) != one for one in people):
            kept = {one.name: one.member for one in (*known.values(), *people)}
            await self._conversations.remember(_all_of(thread), _NAMED, json.dumps(kept, ensure_ascii=False))

    async def named(self, thread: ThreadRef) -> Mapping[str, Mentioned]:
        """Who was mentioned in a channel, by name."""
        kept = json.loads((await self._conversations.remembered(_all_of(thread))).get(_NAMED) or "{}")
        return {name: Mentioned(name, member) for name, member in kept.items()}

    async def part(self, user: str) -> None:
        """Forget the chat with a person, who took the app away from themselves."""
        known = await self.person(user)
        if known and known.chat:
            self._met[user] = replace(known, chat="")
            await self._conversations.remember(
                _all_of(alone(user)), _MET, json.dumps(asdict(self._met[user]))
            )

    async def meet(self, user: str, person: Person) -> None:
        """Remember how to write to a person alone; written where it changed. A chat stays known."""
        known = await self.person(user)
        if known and not person.chat:
            person = replace(person, chat=known.chat)
        if known != person:
            await self._conversations.remember(_all_of(alone(user)), _MET, json.dumps(asdict(person)))
            self._met[user] = person

    async def person(self, user: str) -> Person | None:
        """How to write to a person alone; None for one who never wrote to the bot."""
        if user not in self._met:
            kept = (await self._conversations.remembered(_all_of(alone(user)))).get(_MET)
            if not kept:
                return None
            self._met[user] = Person(**json.loads(kept))
        return self._met[user]


def _all_of(thread: ThreadRef) -> ThreadRef:
    """A channel as a whole: its threads are written to at the same address."""
    return ThreadRef(PLATFORM, thread.channel, "")


def _reference(kept: Mapping[str, str]) -> Reference:
    return Reference(**kept)
