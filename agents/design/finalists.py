"""Which candidates are shown: the best, few of those that began with a change at one place."""

from collections import Counter
from dataclasses import replace

from agents.chemistry.molecule import Molecule
from agents.chemistry.similarity import similarities
from agents.design.lab import START, betters, misses, molecule_of
from agents.design.people import PERSON
from agents.design.values import Brief, Sheet
from agents.minds.debate import Entry, Floor

LED, ALIKE = 2, 0.7
"""Candidates that stand of those whose first change was at one place, and the similarity to one that stands
from which a candidate adds nothing: mostly a methyl or a halogen more.
"""


def question(change: str) -> str:
    """What a change asks about: the part that it puts another for, else its name."""
    return change.partition(" of ")[0].rpartition(" for ")[2]


def idea(floor: Floor[Brief], entry: Entry) -> str:
    """What the first change on the way to an entry asks about; its first molecule where that was proposed."""
    first = floor.line(entry)[0]
    return question(first.proposal.change) or first.id


def different(floor: Floor[Brief], sheet: Sheet, kept: int) -> Floor[Brief]:
    """The floor on which what misses the fewest goals and groups of the start stands first, as the last vote
    ranks it, what the vote has in its lower half later. What is no better than the start does not stand, nor
    what is `ALIKE` to one that stands, nor more than `LED` that began at one place; what people voted for
    does, where the votes have it. `kept` stand, and pinned ones. Where nothing is better than the start, what
    is about as good stands as a backup.
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

    def better(one: Entry, *, backup: bool) -> bool:
        judged = {START, one.id} <= rows.keys()
        return not judged or betters(floor.task, rows[START], rows[one.id], backup=backup)

    entries = [one for place in places if (one := floor.entry(place.entry)) and one in floor.candidates]
    low = {one.entry for one in places if one.points < 0.5}
    entries.sort(key=lambda one: (short(one), one.id in low))
    for backup in (False, True):
        stands: list[str] = []
        stood: list[Molecule] = []
        begun: Counter[str] = Counter()
        for one in entries:
            root, mine = idea(floor, one).casefold(), molecule_of(one.proposal.what)
            new = max(similarities(mine, stood), default=0.0) < ALIKE and begun[root] < LED
            wanted = one.id in free or (new and better(one, backup=backup))
            if one.id in floor.pinned or (len(stands) < kept and wanted):
                stands.append(one.id)
                stood.append(mine)
                begun[root] += 1
        if stands:
            break
    return replace(floor, standing=tuple(stands))
