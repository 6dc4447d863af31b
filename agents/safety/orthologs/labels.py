"""Species' labels that cannot be right, seen from how far the chosen sequences are from each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from agents.safety.orthologs.align import align, paired_identity
from agents.safety.orthologs.family import Clock, distance
from agents.safety.orthologs.species import human, parted
from agents.safety.orthologs.values import Candidate, ProteinSequence, Reason, Rejection

NEAR = 0.5
"""The share of the expected distance below which two sequences do not fit their species."""
NEAREST = 0.3
"""The same where one of them is the human sequence, of which one misfit is enough."""
FAR_FROM_MAN = 60.0
"""Million years below which a sequence may be the human one: those of monkeys often are nearly."""
LONG = 25.0
"""Million years below which species are too near for the distance to say which of them it is."""
CERTAIN = 12.0
"""Differences that must be expected before too few of them say anything."""


@dataclass(frozen=True, slots=True)
class _Misfit:
    """Two sequences that do not fit their species, and how that is told."""

    pair: tuple[ProteinSequence, ProteinSequence]
    text: str


@dataclass(frozen=True, slots=True)
class Doubts:
    """What was found: labels that are refused, and those that are only doubted."""

    refused: dict[ProteinSequence, Rejection]
    doubted: dict[ProteinSequence, str]


def doubts(reference: ProteinSequence, chosen: Sequence[Candidate], family: Clock) -> Doubts:
    """Labels that do not fit.

    A sequence that misfits with several others, which fit each other, or with the human one, is refused; of
    two that misfit only with each other both are doubted.
    """
    if family.rate is None:
        return Doubts({}, {})
    every = [reference, *(one.sequence for one in chosen)]
    misfits = [misfit for pair in combinations(every, 2) if (misfit := _misfit(*pair, family.rate))]
    refused: dict[ProteinSequence, Rejection] = {}
    while worst := _worst(misfits, reference):
        own = [one for one in misfits if worst in one.pair]
        text = own[0].text
        refused[worst] = Rejection(Reason.SPECIES, f"{text}: its species' label is probably wrong")
        misfits = [one for one in misfits if one not in own]
    doubted = {each: one.text for one in misfits for each in one.pair}
    return Doubts(refused, doubted)


def _worst(misfits: Sequence[_Misfit], reference: ProteinSequence) -> ProteinSequence | None:
    """The sequence with most misfits: with two or more species that are far from each other, or with man.

    Partners that are close relatives of each other count once.
    """
    partners: dict[ProteinSequence, list[ProteinSequence]] = {}
    for first, second in (one.pair for one in misfits):
        for own, other in ((first, second), (second, first)):
            partners.setdefault(own, []).append(other)
    partners.pop(reference, None)
    count = {name: _independent(others) + (reference in others) for name, others in partners.items()}
    most = max(count.values(), default=0)
    worst = [name for name, number in count.items() if number == most]
    return worst[0] if most >= 2 and len(worst) == 1 else None


def _independent(sequences: Sequence[ProteinSequence]) -> int:
    """How many of them are of species far from each other."""
    kept: list[ProteinSequence] = []
    for one in sequences:
        if all((parted(one.species, other.species) or 0.0) >= LONG for other in kept):
            kept.append(one)
    return len(kept)


def _misfit(first: ProteinSequence, second: ProteinSequence, rate: float) -> _Misfit | None:
    years = parted(first.species, second.species)
    if not years or years < LONG:
        return None
    expected = rate * years
    same = paired_identity(first.residues, second.residues)
    found = distance(same)
    of_man = human() in (first.species, second.species)
    if of_man and years < FAR_FROM_MAN:
        return None
    near = found < (NEAREST if of_man else NEAR) * expected
    if not near or align(first.residues, second.residues).paired * expected < CERTAIN:
        return None
    text = (
        f"{first.accession} ({first.species.common}) and {second.accession} ({second.species.common}) are"
        f" {same:.1f} % identical, more than their species can be in this family"
    )
    return _Misfit((first, second), text)
