"""A debate of several minds (Indibator, section 2.2): proposal, critique in two stages, vote, in rounds.

    floor = await debate(run, panel, room, Floor(task), Rules(rounds=3))

Debaters propose; reconsider their own proposals with tools; criticise those of others; answer what people
said; and vote. The highest ranked entries go on to the next round. Every call of a debater is a step of the
run, so that the ledger holds each message. What debaters debate about is their own business: a proposal is a
text in a form in which two of them can be compared, and the `Room` says which ones are admitted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from agents.minds.ballots import Ballot, Place, agreement, ranking
from agents.minds.minded import RULES
from agents.runs.run import Run

T = TypeVar("T")
MOST_ROUNDS = 20
"""Of any debate, as in the paper."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a debater proposes, and why. `parent` is the entry it was made from, "" for none; `change` says
    what was changed; `by_mind` is "rules" or the model's name; `sources` are keys of what it rests on; `idea`
    is the hypothesis that it tests, in a few words, and `cost` what it may bring with it.
    """

    by: str
    what: str
    why: str
    parent: str = ""
    change: str = ""
    by_mind: str = RULES
    sources: tuple[str, ...] = ()
    idea: str = ""
    cost: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """A proposal that was not admitted, and why."""

    proposal: Proposal
    reason: str


@dataclass(frozen=True, slots=True)
class Critique:
    """What a debater says of an entry. `better` is what it would rather have, "" for nothing."""

    by: str
    entry: str
    text: str
    better: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a person said in the thread, and, once somebody answered, who did and what."""

    who: str
    text: str
    answered_by: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An admitted proposal under its id, and the round it came in."""

    id: str
    proposal: Proposal
    round: int


@dataclass(frozen=True, slots=True)
class Vote:
    """How a round ended: the ranking of what stood, the ballots, and Kendall's W of the voters."""

    round: int
    places: tuple[Place, ...]
    ballots: tuple[Ballot, ...] = ()
    agreement: float | None = None


@dataclass(frozen=True, slots=True)
class Floor(Generic[T]):
    """All that was said, as every debater sees it.

    `standing` are ids of the entries that go on, best first. `pinned` ones always do, `vetoed` ones never.
    `liked` names entries that people want, by person; `waiting` are proposals of theirs that come in with the
    next round. `over` says why the debate was ended by people.
    """

    task: T
    round: int = 0
    entries: tuple[Entry, ...] = ()
    standing: tuple[str, ...] = ()
    returned: tuple[Returned, ...] = ()
    critiques: tuple[Critique, ...] = ()
    remarks: tuple[Remark, ...] = ()
    votes: tuple[Vote, ...] = ()
    pinned: tuple[str, ...] = ()
    vetoed: tuple[str, ...] = ()
    liked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    waiting: tuple[Proposal, ...] = ()
    over: str = ""

    def entry(self, name: str) -> Entry | None:
        """The entry of this id, or None."""
        return next((one for one in self.entries if one.id == name), None)

    def line(self, entry: Entry) -> tuple[Entry, ...]:
        """What an entry was made from, the oldest first, and the entry."""
        parent = self.entry(entry.proposal.parent)
        return (*(self.line(parent) if parent else ()), entry)

    def without(self, names: Sequence[str]) -> "Floor[T]":
        """The floor on which these are vetoed, off it at once."""
        pinned, standing = _less(self.pinned, names), _less(self.standing, names)
        return replace(self, vetoed=_joined(self.vetoed, names), pinned=pinned, standing=standing)

    def freed(self, names: Sequence[str]) -> "Floor[T]":
        """The floor on which these are neither pinned nor vetoed; vetoed ones stand again."""
        standing = _joined(self.standing, (one for one in names if one in self.vetoed))
        pinned, vetoed = _less(self.pinned, names), _less(self.vetoed, names)
        return replace(self, pinned=pinned, vetoed=vetoed, standing=standing)

    def with_pins(self, names: Sequence[str]) -> "Floor[T]":
        """The floor on which these always go on."""
        return replace(self, pinned=_joined(self.pinned, names), standing=_joined(self.standing, names))

    def with_likes(self, who: str, names: Sequence[str], *, gone: bool = False) -> "Floor[T]":
        """The floor on which a person wants these, or no longer does."""
        liked = dict(self.liked)
        before = liked.get(who, ())
        liked[who] = _less(before, names) if gone else _joined(before, names)
        return replace(self, liked=tuple(liked.items()))

    @property
    def candidates(self) -> tuple[Entry, ...]:
        """The entries that nobody vetoed, in the order they came."""
        return tuple(one for one in self.entries if one.id not in self.vetoed)

    @property
    def ranked(self) -> tuple[Entry, ...]:
        """The entries that stand, best first."""
        return tuple(one for name in self.standing if (one := self.entry(name)))


def _joined(some: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*some, *more)))


def _less(some: Iterable[str], gone: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in some if one not in gone)


class Debater(Protocol[T]):
    """One who takes part. Whoever asks it gives the floor; it keeps nothing between two calls."""

    name: str

    async def propose(self, floor: Floor[T], count: int) -> tuple[Proposal, ...]:
        """At most `count` proposals. `floor.returned` has what was not admitted before, with reasons."""

    async def reconsider(self, floor: Floor[T], proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
        """Its own proposals after it has looked at them with its tools."""

    async def criticise(self, floor: Floor[T]) -> tuple[Critique, ...]:
        """What it has to say of entries of others that stand."""

    async def answer(self, floor: Floor[T], remark: Remark) -> str:
        """An answer to what a person said."""

    async def vote(self, floor: Floor[T]) -> Ballot:
        """Its scores of all entries that stand."""


class Room(Protocol[T]):
    """What a kind of run adds to a debate: which proposals are admitted, and its people."""

    async def opened(self, floor: Floor[T]) -> Floor[T]:
        """The floor with what people said since the last round."""

    async def admit(self, floor: Floor[T], proposal: Proposal) -> tuple[Proposal, str]:
        """The proposal in its comparable form, and "" or the reason why it is not admitted."""

    async def closed(self, floor: Floor[T]) -> Floor[T]:
        """The floor after a vote: the room shows it to people, and may let them vote."""

    def ballots(self, floor: Floor[T]) -> tuple[Ballot, ...]:
        """The ballots of people."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`wanted` admitted entries or `rounds` end a debate, or 20 rounds. `proposals` are those of one debater
    in a round, `kept` the entries that go on to the next one. Without `critique` or `vote` that phase is left
    out (for ablations).
    """

    rounds: int = 3
    wanted: int = 1_000
    proposals: int = 3
    kept: int = 8
    critique: bool = True
    vote: bool = True


@dataclass(slots=True)
class _Round(Generic[T]):
    """One round in the making. The run, the debaters and the room stay; the floor moves on."""

    run: Run
    panel: Sequence[Debater[T]]
    room: Room[T]
    rules: Rules
    floor: Floor[T]

    async def asked(
        self, phase: str, work: Callable[[Debater[T]], Any], given: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What debaters say to the floor, side by side, each a step: all of them, or those that are `given`
        something besides.
        """
        panel = [one for one in self.panel if given is None or given.get(one.name)]
        calls = [
            self.run.call(
                f"{phase}:{self.floor.round}:{one.name}",
                work(one),
                self.floor,
                *([given[one.name]] if given else []),
            )
            for one in panel
        ]
        said = await self.run.gather(*calls)
        return {one.name: each for one, each in zip(panel, said, strict=True)}

    async def proposed(self) -> None:
        """Proposals are made and reconsidered. What is not admitted goes back once, with the reason."""
        before = len(self.floor.returned)
        for proposal in self.floor.waiting:
            await self.admitted(proposal)
        self.floor = replace(self.floor, waiting=())
        await self.made("propose", {one.name: self.rules.proposals for one in self.panel})
        if back := Counter(one.proposal.by for one in self.floor.returned[before:]):
            await self.made("repropose", back)

    async def made(self, phase: str, counts: Mapping[str, int]) -> None:
        """So many proposals of each debater, reconsidered where there is critique, come before the room."""
        some = await self.asked(phase, lambda one: one.propose, counts)
        if self.rules.critique:
            some = await self.asked(f"reconsider:{phase}", lambda one: one.reconsider, some)
        for proposal in chain.from_iterable(some.values()):
            await self.admitted(proposal)

    async def admitted(self, proposal: Proposal) -> None:
        """Take a proposal in, or note why not."""
        floor = self.floor
        proposal, reason = await self.room.admit(floor, proposal)
        for one in floor.entries:
            if one.proposal.what == proposal.what:
                reason = reason or f"it is {one.id} already"
        if reason:
            self.floor = replace(floor, returned=(*floor.returned, Returned(proposal, reason)))
            return
        entry = Entry(f"M{len(floor.entries) + 1}", proposal, floor.round)
        standing = (*floor.standing, entry.id)
        self.floor = replace(floor, entries=(*floor.entries, entry), standing=standing)

    async def criticised(self) -> None:
        """Debaters criticise what stands; what they would rather have comes in as a proposal of theirs."""
        said = await self.asked("criticise", lambda one: one.criticise)
        critiques = [one for some in said.values() for one in some if self.floor.entry(one.entry)]
        self.floor = replace(self.floor, critiques=(*self.floor.critiques, *critiques))
        for one in critiques:
            if one.better:
                why = f"Changed after the critique of {one.entry}: {one.text}"
                await self.admitted(Proposal(one.by, one.better, why, one.entry, one.change))

    async def answered(self) -> None:
        """Each remark of a person gets an answer, from the debaters in turn."""
        remarks = list(self.floor.remarks)
        for number, remark in enumerate(remarks):
            if not remark.answered_by:
                one = self.panel[number % len(self.panel)]
                step = f"answer:{self.floor.round}:{number}:{one.name}"
                text = await self.run.step(step, one.answer, self.floor, remark)
                remarks[number] = replace(remark, answered_by=one.name, answer=text)
        self.floor = replace(self.floor, remarks=tuple(remarks))

    async def voted(self) -> None:
        """Ballots of debaters and people are counted; the best go on, and what is pinned."""
        floor = self.floor
        names = tuple(name for name in floor.standing if name not in floor.vetoed)
        self.floor = floor = replace(floor, standing=names)
        cast = await self.asked("vote", lambda one: one.vote) if self.rules.vote else {}
        self.floor = counted(floor, (*cast.values(), *self.room.ballots(floor)), self.rules.kept)


def counted(floor: Floor[T], ballots: Sequence[Ballot], kept: int) -> Floor[T]:
    """The floor with the outcome of a vote over what stands."""
    names = floor.standing
    places = ranking(names, ballots)
    going_on = [one.entry for number, one in enumerate(places) if number < kept or one.entry in floor.pinned]
    vote = Vote(floor.round, places, tuple(ballots), agreement(names, ballots))
    return replace(floor, standing=tuple(going_on), votes=(*floor.votes, vote))


async def debate(
    run: Run,
    panel: Callable[[T], Sequence[Debater[T]]],
    room: Room[T],
    floor: Floor[T],
    rules: Rules,
    then: Callable[[Floor[T]], None] = lambda floor: None,
) -> Floor[T]:
    """Rounds until there are enough entries, the rounds are used up, or people end it.

    `panel` gives the debaters for a task, which people may change between rounds; `then` gets the floor after
    each round. Raises what stops the run.
    """
    while floor.round < min(rules.rounds, MOST_ROUNDS) and len(floor.entries) < rules.wanted:
        floor = await room.opened(replace(floor, round=floor.round + 1))
        if floor.over:
            return replace(floor, round=floor.round - 1)
        held = _Round(run, panel(floor.task), room, rules, floor)
        await held.proposed()
        if rules.critique:
            await held.criticised()
        await held.answered()
        await held.voted()
        floor = await room.closed(held.floor)
        then(floor)
    return floor
