"""Polls: several people answer what a run asks, one ballot each, until a rule closes it. Pure.

Votes are events of the run's trail, so that it tells who said what and when; a ballot is what a person's
votes leave. A person is who their platform says: the same one on two platforms has two ballots.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

VOTED = "poll.voted"
"""Event of a vote."""
MOST = 10
"""Options of a poll: there are no more emoji to vote with."""


class Closing(StrEnum):
    """What closes a poll before its time is over."""

    ALL = "all"
    """Every named voter has a ballot."""
    QUORUM = "quorum"
    """As many ballots as the quorum."""
    MAJORITY = "majority"
    """A quorum, and one option that more than half want: of the named voters, or of those who voted."""
    DEADLINE = "deadline"
    """Nothing but the time."""


@dataclass(frozen=True, slots=True)
class Poll:
    """A question to several people. `voters` are those who may vote, as their platform names them; none is
    anybody. After `seconds` it closes in any case; a result counts with `quorum` ballots. With `several` a
    ballot may hold more than one option.

    Raises `ValueError` for one that could never close, or has too few or too many options.
    """

    question: str
    options: tuple[str, ...]
    closes: Closing = Closing.QUORUM
    voters: tuple[str, ...] = ()
    quorum: int = 1
    seconds: float | None = None
    several: bool = False

    def __post_init__(self) -> None:
        if not 2 <= len(set(self.options)) == len(self.options) <= MOST:
            raise ValueError(f"a poll has 2 to {MOST} different options")
        if self.quorum < 1 or (self.voters and self.quorum > len(self.voters)):
            raise ValueError("the quorum of a poll is at least 1, and at most all of its voters")
        if self.closes is Closing.ALL and not self.voters:
            raise ValueError("a poll that closes when all have voted names its voters")
        if self.closes is Closing.DEADLINE and self.seconds is None:
            raise ValueError("a poll that closes at its deadline has one")

    def admits(self, person: str) -> bool:
        """Whether this person may vote."""
        return not self.voters or _plain(person) in map(_plain, self.voters)


@dataclass(frozen=True, slots=True)
class Vote:
    """A change of a person's ballot: options that are `chosen`, and others that are `dropped`.

    Where a ballot holds one option only, what is chosen takes its place.
    """

    by: str
    chosen: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ballot:
    """What a person wants, and since when (ISO 8601, UTC)."""

    by: str
    choices: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class PollResult:
    """What a poll ended with: who voted what, and what closed it."""

    poll: Poll
    ballots: tuple[Ballot, ...]
    closed: Closing

    @property
    def quorate(self) -> bool:
        """Whether there are as many ballots as the quorum."""
        return len(self.ballots) >= self.poll.quorum

    @property
    def tally(self) -> dict[str, int]:
        """Ballots by option, in the order of the options."""
        return tally(self.poll, self.ballots)

    @property
    def winner(self) -> str:
        """The option that most want; "" for a tie, or without a quorum."""
        counts = self.tally
        leading = [option for option in self.poll.options if counts[option] == max(counts.values())]
        return leading[0] if len(leading) == 1 and self.quorate else ""


def tally(poll: Poll, cast: Sequence[Ballot]) -> dict[str, int]:
    """Ballots by option, in the order of the options."""
    counts = Counter(choice for ballot in cast for choice in ballot.choices)
    return {option: counts[option] for option in poll.options}


def ballots(poll: Poll, name: str, votes: Iterable[tuple[str, str]]) -> tuple[Ballot, ...]:
    """The ballots of the poll of this name, from the details and times of `VOTED` events in their order."""
    cast: dict[str, Ballot] = {}
    for detail, at in votes:
        vote = json.loads(detail)
        if vote["name"] != name:
            continue
        by, chosen = vote["by"], vote["chosen"]
        had = cast[by].choices if by in cast and (poll.several or not chosen) else ()
        kept = {*chosen, *(option for option in had if option not in vote["dropped"])}
        cast[by] = Ballot(by, tuple(option for option in poll.options if option in kept), at)
    return tuple(ballot for ballot in cast.values() if ballot.choices)


def closed(poll: Poll, cast: Sequence[Ballot]) -> Closing | None:
    """What closes the poll with these ballots; None while it stays open."""
    enough = len(cast) >= poll.quorum
    if poll.closes is Closing.ALL and len({_plain(one.by) for one in cast}) >= len(poll.voters):
        return Closing.ALL
    if poll.closes is Closing.QUORUM and enough:
        return Closing.QUORUM
    most = max(tally(poll, cast).values())
    if poll.closes is Closing.MAJORITY and enough and most * 2 > (len(poll.voters) or len(cast)):
        return Closing.MAJORITY
    return None


def _plain(person: str) -> str:
    """A person's id, without how a mention of it is written."""
    return person.strip("<@> ").casefold()
