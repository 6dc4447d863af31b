"""Ballots of a panel that rates the same entries, their ranking, and how far the voters agree. Pure.

Agents score entries on relevance, feasibility and novelty (Indibator, section 2.2); people name those they
want. A ballot counts by its order alone, since voters use scales differently.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

AT_BEST = 10.0
"""The highest score of an objective; the lowest is 0."""
BEST = 3
"""So many entries of a ballot are its votes."""


@dataclass(frozen=True, slots=True)
class Score:
    """How a voter rates one entry, from 0 to 10 on each objective."""

    entry: str
    relevance: float
    feasibility: float
    novelty: float

    @property
    def mean(self) -> float:
        """The mean of the three objectives."""
        return mean((self.relevance, self.feasibility, self.novelty))


@dataclass(frozen=True, slots=True)
class Ballot:
    """What one voter says of the entries. A person's `weight` is a setting; an agent's is 1."""

    voter: str
    scores: tuple[Score, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """An entry in the ranking. `points` are 0 (last on every ballot) to 1 (first on every one), weighted;
    `score` is the mean score of those who scored it; `votes` names the voters who have it among their best.
    """

    entry: str
    points: float
    score: float
    votes: tuple[str, ...] = ()


def named_by(voter: str, chosen: Iterable[str], entries: Sequence[str], weight: float) -> Ballot:
    """The ballot of a person who wants some of the entries: these stand before all others."""
    wanted = set(chosen)
    high = {entry: AT_BEST if entry in wanted else 0.0 for entry in entries}
    return Ballot(voter, tuple(Score(entry, value, value, value) for entry, value in high.items()), weight)


def ranking(entries: Sequence[str], ballots: Sequence[Ballot]) -> tuple[Place, ...]:
    """The entries, best first, by the weighted mean of their Borda points; equal ones by their mean score.

    The first `BEST` entries of a ballot are its votes.
    """
    places = []
    ranked = [(ballot, _ranks(ballot, entries)) for ballot in ballots]
    total = sum(ballot.weight for ballot in ballots) or 1.0
    last = max(len(entries) - 1, 1)
    for entry in entries:
        points = sum(ballot.weight * (len(entries) - ranks[entry]) / last for ballot, ranks in ranked)
        scores = [score.mean for ballot in ballots for score in ballot.scores if score.entry == entry]
        votes = tuple(ballot.voter for ballot, ranks in ranked if ranks[entry] <= BEST)
        places.append(Place(entry, points / total, mean(scores) if scores else 0.0, votes))
    return tuple(sorted(places, key=lambda one: (-one.points, -one.score, entries.index(one.entry))))


def agreement(entries: Sequence[str], ballots: Sequence[Ballot]) -> float | None:
    """Kendall's coefficient of concordance W, corrected for ties: 0 is chance, 1 full agreement.

    None with fewer than two voters or two entries, or where nobody tells any two entries apart. Source:
    M. Kendall, J. D. Gibbons, Rank Correlation Methods, 5th edition, chapter 6.
    """
    voters, count = len(ballots), len(entries)
    if voters < 2 or count < 2:
        return None
    ranks = [_ranks(ballot, entries) for ballot in ballots]
    sums = [sum(one[entry] for one in ranks) for entry in entries]
    spread = sum((one - mean(sums)) ** 2 for one in sums)
    ties = sum(size**3 - size for one in ranks for size in _tied(one))
    possible = voters**2 * (count**3 - count) - voters * ties
    return 12 * spread / possible if possible else None


def _ranks(ballot: Ballot, entries: Sequence[str]) -> Mapping[str, float]:
    """The rank of each entry from 1; equal ones share the mean of theirs, what is not scored stands last."""
    given = {score.entry: score.mean for score in ballot.scores}
    scored = {entry: given.get(entry, -1.0) for entry in entries}
    ordered = sorted(scored.values(), reverse=True)
    return {entry: ordered.index(value) + (ordered.count(value) + 1) / 2 for entry, value in scored.items()}


def _tied(ranks: Mapping[str, float]) -> list[int]:
    """How many entries share each rank."""
    values = list(ranks.values())
    return [values.count(value) for value in set(values)]
