"""Which candidates are shown: the best of each idea, with close variants folded under it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.chemistry.diversity import ideas
from agents.design.lab import START, misses, molecule_of
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
    fits less well than the start comes last; what people voted for, where the votes have it. `kept` stand,
    and pinned ones.
    """
    if not floor.votes:
        return floor
    rows = {one.entry: one for one in sheet.rows}
    wished = {
        one.entry
        for ballot in floor.votes[-1].ballots
        for one in ballot.scores
        if ballot.voter.startswith(PERSON) and one.relevance
    }
    least = rows[START].desirability if START in rows else 0.0

    def short(name: str) -> tuple[bool, int]:
        if name in wished or name not in rows:
            return False, 0
        row, entry = rows[name], floor.entry(name)
        return row.desirability < least, len(misses(floor.task, row, entry.proposal.what)) if entry else 0

    places = sorted(floor.votes[-1].places, key=lambda one: (short(one.entry), -one.points, -one.score))
    told = grouped([one for place in places if (one := floor.entry(place.entry)) and one in floor.candidates])
    later = {each.id for one in told for each in one.variants}
    low = {one.entry for one in places if one.points < 0.5}
    names = [one.entry for one in places if floor.entry(one.entry) in floor.candidates]
    names.sort(key=lambda name: (short(name), name in low, name in later))
    stands = [one for at, one in enumerate(names) if at < kept or one in floor.pinned]
    return replace(floor, standing=tuple(stands))
