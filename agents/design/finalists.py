"""Which candidates are shown: the best of each idea, with close variants folded under it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.chemistry.diversity import ideas
from agents.design.lab import START, betters, misses, molecule_of
from agents.design.people import PERSON
from agents.design.values import Brief, Sheet
from agents.minds.debate import Entry, Floor


@dataclass(frozen=True, slots=True)
class Idea:
    """The best ranked candidate of an idea, and its close variants."""

    best: Entry
    variants: tuple[Entry, ...] = ()


def grouped(entries: Sequence[Entry]) -> tuple[Idea, ...]:
    """Entries as ideas, in the order given."""
    groups = ideas([molecule_of(one.proposal.what) for one in entries])
    return tuple(Idea(entries[first], tuple(entries[at] for at in rest)) for first, *rest in groups)


def different(floor: Floor[Brief], sheet: Sheet, kept: int) -> Floor[Brief]:
    """The floor on which what misses the fewest goals and groups of the start stands first; of these the best
    of each idea, as the last vote ranks them, then variants, then what the vote has in its lower half. What
    is no better than the start does not stand, nor the same change twice; what people voted for does, where
    the votes have it. `kept` stand, and pinned ones.
    """
    if not floor.votes:
        return floor
    places = floor.votes[-1].places
    rows = {one.entry: one for one in sheet.rows}
    free = {
        one.entry
        for ballot in floor.votes[-1].ballots
        for one in ballot.scores
        if ballot.voter.startswith(PERSON) and one.relevance
    }

    def short(one: Entry) -> int:
        row = None if one.id in free else rows.get(one.id)
        return len(misses(floor.task, row, one.proposal.what)) if row else 0

    entries = [one for place in places if (one := floor.entry(place.entry)) and one in floor.candidates]
    entries.sort(key=short)
    later = {each.id for one in grouped(entries) for each in one.variants}
    low = {one.entry for one in places if one.points < 0.5}
    entries.sort(key=lambda one: (short(one), one.id in low, one.id in later))
    stands: list[str] = []
    done: set[str] = set()
    for one in entries:
        change = one.proposal.change.partition(" of ")[0] or one.id
        better = not {START, one.id} <= rows.keys() or betters(floor.task, rows[START], rows[one.id])
        if one.id in floor.pinned or (
            len(stands) < kept and (one.id in free or (better and change not in done))
        ):
            stands.append(one.id)
            done |= {change} - {"a substituent", "a part"}
    return replace(floor, standing=tuple(stands))
