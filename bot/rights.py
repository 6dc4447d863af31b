"""Who may read which collections of documents: people, groups of people, and places; and who may sign.

As long as there is no collection everybody reads everything. From the first one on nobody reads anything that
was not granted, the rest of the archive (`REST`) included. A channel reads what everybody in it may read.
As long as nobody is an expert everybody signs; then experts alone; and so administrators change the archive.
"""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from bot.errors import BadRequest
from bot.ports import Conversations
from bot.values import ThreadRef
from retrieval.collections import REST, Collection

EVERYBODY = "everybody"
"""To whom something is granted that is open to all."""
EXPERT = "expert"
"""What is granted as a collection is, to who may accept, lock and unlock sections of reports."""
ADMIN = "admin"
"""The same to who may change the archive: bring documents in, set them right, take them out."""
ROLES = (EXPERT, ADMIN)
NO_ADMIN = (
    "Administrators change the archive here, and you, {0}:{1}, are none. Who runs Pestle can make you one: "
    "`pestle access grant admin {0}:{1}`."
)
GROUP = "group:"
"""How a grant to a group begins; any other is to one person, such as slack:U024BE7LH."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}")
OF_PLATFORM = re.compile(r"group:(slack:S[A-Z0-9]{2,30}|teams:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})")
"""A user group of Slack and a group of Entra, by their ids: names can be given to others."""
PERSON = re.compile(r"(?!group:)[a-z]+:\S{1,200}")
TERMINAL, PAGE = "cli-", "web"
"""The platforms on which one person sees what is shown; a terminal's begin so."""
ALONE = "?alone"
"""Under which a channel keeps who is alone in it with the bot."""
KNOWN_S = 180.0
"""How long is remembered who is in a channel or group."""

Reads = frozenset[str] | None
"""Names of the collections that may be read; None is everything."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Collections, groups (name, members) and grants (collection, to whom); `number` counts its changes.

    `claimed` are groups as log-ins and platforms told them, which no change keeps.
    """

    number: int = 0
    collections: tuple[Collection, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grants: frozenset[tuple[str, str]] = frozenset()
    claimed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """Of all collections."""
        return frozenset({REST, *(one.name for one in self.collections)})

    def granted(self, person: str = "") -> Reads:
        """What a person may read; without one, what everybody may."""
        known = self._as_granted(person)
        mine = frozenset(name for name, who in self.grants if who in known) & self.names
        return None if not self.collections or mine == self.names else mine

    def may(self, role: str, person: str) -> bool:
        """Whether a person may do what a role of `ROLES` may; everybody does as long as nobody has it."""
        return not self.whom(role) or bool(self.through(role, person))

    def whom(self, name: str) -> frozenset[str]:
        """To whom a collection, or to be an expert, is granted."""
        return frozenset(who for granted, who in self.grants if granted == name)

    def through(self, name: str, person: str) -> frozenset[str]:
        """The grants by which a person has it: to themselves, to their groups, to everybody."""
        return self.whom(name) & self._as_granted(person)

    def _as_granted(self, person: str) -> frozenset[str]:
        """The names by which something is granted to a person."""
        all_groups = (*self.groups.items(), *self.claimed.items())
        groups = (f"{GROUP}{name}" for name, members in all_groups if person in members)
        return frozenset({EVERYBODY, person, *groups})

    def collected(self, collection: Collection) -> "Policy":
        """With a collection, in place of one of the same name. Raises `BadRequest`."""
        _checked(NAME, collection.name, "A collection's name has letters, digits, spaces, dots and dashes")
        if collection.name in (REST, *ROLES):
            raise BadRequest(f"{collection.name} cannot be made a collection: it has a meaning of its own.")
        others = [one for one in self.collections if one.name != collection.name]
        return replace(self, collections=(*others, collection))

    def grouped(self, name: str, members: tuple[str, ...]) -> "Policy":
        """With a group of these people; without anybody it is gone. Raises `BadRequest`."""
        _checked(NAME, name, "A group's name has letters, digits, spaces, dots and dashes")
        for person in members:
            check_person(person)
        had = sorted(granted for granted, who in self.grants if who == f"{GROUP}{name}")
        if had and not members:
            raise BadRequest(f"The group {name} is still granted {', '.join(had)}. Revoke that first.")
        groups = {one: people for one, people in {**self.groups, name: members}.items() if people}
        return replace(self, groups=groups)

    def granting(self, collection: str, who: str) -> "Policy":
        """With a grant. Raises `BadRequest`."""
        if collection not in (*self.names, *ROLES):
            raise BadRequest(
                f"{collection!r} cannot be granted, only {', '.join((*sorted(self.names), *ROLES))}."
            )
        if who.startswith(GROUP):
            name = who.removeprefix(GROUP)
            if name not in {*self.groups, *self.claimed} and not OF_PLATFORM.fullmatch(who):
                raise BadRequest(
                    f"There is no {who}. `pestle access group` makes one; those of Slack and Entra are "
                    "group:slack:S0614TZR7 and group:teams:ID, by their ids."
                )
        elif who != EVERYBODY:
            check_person(who)
        return replace(self, grants=self.grants | {(collection, who)})

    def revoking(self, collection: str, who: str) -> "Policy":
        """Without a grant. Raises `BadRequest` where there is none."""
        if (collection, who) not in self.grants:
            raise BadRequest(f"{who} was not granted {collection}. `pestle access` shows who was.")
        if collection in ROLES and len(self.whom(collection)) == 1:
            raise BadRequest(
                f"{who} is the last {collection}; without one everybody may do the same. Name another one "
                f"first, or let everybody: `pestle access drop {collection}`."
            )
        return replace(self, grants=self.grants - {(collection, who)})

    def without(self, name: str) -> "Policy":
        """Without a collection, or experts, and what was granted of it. Raises `BadRequest` where there is
        none.
        """
        if name not in {one.name for one in self.collections} and not (name in ROLES and self.whom(name)):
            raise BadRequest(f"There is no collection {name!r} to be dropped.")
        kept = tuple(one for one in self.collections if one.name != name)
        return replace(self, collections=kept, grants=frozenset(one for one in self.grants if one[0] != name))


class Policies(Protocol):
    """Where the policy is kept, every version of it. Contract: `tests/adapters/storage/test_policies.py`."""

    async def current(self) -> Policy:
        """The policy in force."""

    async def change(self, policy: Policy, by: str) -> bool:
        """Put a policy in force that was made of the one with its number; False if another change came
        first.
        """


class Members(Protocol):
    """Who is in channels and groups of one platform."""

    async def members(self, channel: str) -> frozenset[str] | None:
        """The platform's ids of everybody in it; None where that is not told, or not for sure."""

    async def group(self, group: str) -> frozenset[str] | None:
        """The same of a group, by its id."""


class Readers:
    """Says what may be read, by whom and where. `members` are asked by platform; `clock` counts seconds."""

    def __init__(
        self,
        policies: Policies,
        conversations: Conversations,
        members: Mapping[str, Members],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.policies = policies
        self._conversations = conversations
        self._members = members
        self._clock = clock
        self._known: dict[object, tuple[frozenset[str], float]] = {}
        self.operated: tuple[str, ...] = (TERMINAL,)
        """How the platforms begin on which only somebody asks who has the archive's files at hand."""

    async def policy(self) -> Policy:
        """The policy in force, with who is in the groups of platforms that something is granted to."""
        policy = await self.policies.current()
        granted = {who for _, who in policy.grants if OF_PLATFORM.fullmatch(who)}
        told = await asyncio.gather(*map(self._grouped, granted))
        return replace(policy, claimed={**policy.claimed, **dict(told)})

    async def _grouped(self, who: str) -> tuple[str, tuple[str, ...]]:
        """The name of a platform's group, and who is in it; nobody where that is not known."""
        _, platform, group = who.split(":")
        asked = self._members.get(platform)
        found = await self._lately(who, partial(asked.group, group)) if asked else ()
        return who.removeprefix(GROUP), tuple(sorted(f"{platform}:{one}" for one in found))

    async def of(self, place: ThreadRef, user: str = "", *, alone: bool = False) -> Reads:
        """What may be read in an answer at a place: by `user` where they are `alone` there or it is their own
        private conversation, else by everybody there. A doubt about who is there counts as no. The page
        shows each of its readers what they may see.
        """
        if place.platform.startswith(self.operated):
            return None
        policy = await self.policy()
        if not policy.collections:
            return None
        person = place.only or (user if alone or place.platform == PAGE else "")
        if person and alone and place.channel:
            await self._conversations.remember(place.whole_channel, ALONE, person)
        if person:
            return policy.granted(f"{place.platform}:{person}")
        here = await self._in(place)
        if not here:
            return policy.granted()
        each = [policy.granted(f"{place.platform}:{one}") for one in here | ({user} - {""})]
        known = [one for one in each if one is not None]
        return frozenset.intersection(*known) if known else None

    async def may_sign(self, place: ThreadRef, user: str) -> bool:
        """Whether somebody may accept, lock and unlock sections."""
        return await self._may(EXPERT, place, user)

    async def may_change(self, place: ThreadRef, user: str) -> bool:
        """Whether somebody may change the archive."""
        return await self._may(ADMIN, place, user)

    async def _may(self, role: str, place: ThreadRef, user: str) -> bool:
        operated = place.platform.startswith(self.operated)
        return operated or (await self.policy()).may(role, f"{place.platform}:{user}")

    async def _in(self, place: ThreadRef) -> frozenset[str]:
        """Who is in a channel; nobody where that is not known."""

        async def ask() -> frozenset[str] | None:
            if alone := (await self._conversations.remembered(place.whole_channel)).get(ALONE):
                return frozenset({alone})
            asked = self._members.get(place.platform)
            return await asked.members(place.channel) if asked else None

        return await self._lately(place.whole_channel, ask)

    async def _lately(
        self, what: object, ask: Callable[[], Awaitable[frozenset[str] | None]]
    ) -> frozenset[str]:
        """Who was in something a while ago, else is now; nobody where that is not known."""
        known, until = self._known.get(what, (frozenset[str](), 0.0))
        if self._clock() >= until:
            known = await ask() or frozenset()
            self._known[what] = (known, self._clock() + (KNOWN_S if known else 0.0))
        return known


def marked(reads: frozenset[str]) -> str:
    """What may be read, as a run's record has it."""
    return json.dumps(sorted(reads))


def within(reads: str, mine: Reads) -> bool:
    """Whether who may read `mine` may see what a run ended with that could read `reads`, as marked."""
    return mine is None or (reads != "" and set(json.loads(reads)) <= mine)


Permits = Callable[[ThreadRef, str], Awaitable[bool]]
"""Whether something is allowed at a place: that what a run ended with is shown, or that a user signs."""


async def allowed(place: ThreadRef, who_or_what: str) -> bool:
    """`Permits` of a house without rights."""
    return True


def check_person(text: str) -> None:
    """Raises `BadRequest` for what names no person."""
    _checked(PERSON, text, "A person is such as slack:U024BE7LH, teams:ID or web:NAME")


def _checked(form: re.Pattern[str], text: str, otherwise: str) -> None:
    """Raises `BadRequest`."""
    if not form.fullmatch(text):
        raise BadRequest(f"{text!r} cannot be taken. {otherwise}.")
