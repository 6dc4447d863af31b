"""Species' labels that cannot be right, seen from how far the chosen sequences are from each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from agents.safety.orthologs.align import align, paired_identity
from agents.safety.orthologs.family import Clock, distance
from agents.safety.orthologs.species import parted
from agents.safety.orthologs.values import Candidate, ProteinSequence, Reason, Rejection

NEAR, FAR = 0.5, 2.5
"""Shares of the expected distance below and above which two sequences do not fit their species."""
LONG = 25.0
"""Million years below which species are too near for the distance to say which of them it is."""
CERTAIN = 12.0
"""Differences that must be expected before too few of them say anything."""


@dataclass(frozen=True, slots=True)
class _Misfit:
    """Two sequences that do not fit their species, and how that is told."""

    pair: tuple[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Doubts:
    """What was found: labels that are refused, and those that are only doubted, by accession."""

    refused: dict[str, Rejection]
    doubted: dict[str, str]


def doubts(human: ProteinSequence, chosen: Sequence[Candidate], family: Clock) -> Doubts:
    """Labels that do not fit.

    A sequence that misfits with several others, which fit each other, or with the human one, is refused; of
    two that misfit only with each other both are doubted.
    """
    if family.rate is None:
        return Doubts({}, {})
    every = [human, *(one.sequence for one in chosen)]
    misfits = [misfit for pair in combinations(every, 2) if (misfit := _misfit(*pair, family.rate))]
    refused: dict[str, Rejection] = {}
    while worst := _worst(misfits, human.accession):
        text = next(one.text for one in misfits if worst in one.pair)
        refused[worst] = Rejection(Reason.SPECIES, f"{text}: its species' label is probably wrong")
        misfits = [one for one in misfits if worst not in one.pair]
    doubted = {name: one.text for one in misfits for name in one.pair}
    return Doubts(refused, doubted)


def _worst(misfits: Sequence[_Misfit], human: str) -> str | None:
    """The accession with most misfits: two or more of them, or one with the human sequence."""
    count: dict[str, int] = {}
    for one in misfits:
        for name in one.pair:
            count[name] = count.get(name, 0) + (2 if human in one.pair else 1)
    count.pop(human, None)
    most = max(count.values(), default=0)
    worst = [name for name, number in count.items() if number == most]
    return worst[0] if most >= 2 and len(worst) == 1 else None


def _misfit(first: ProteinSequence, second: ProteinSequence, rate: float) -> _Misfit | None:
    years = parted(first.species, second.species)
    if not years or years < LONG:
        return None
    expected = rate * years
    same = paired_identity(first.residues, second.residues)
    found = distance(same)
    near = found < NEAR * expected and align(first.residues, second.residues).paired * expected >= CERTAIN
    if not near and found <= FAR * expected + 0.1:
        return None
    text = (
        f"{first.accession} ({first.species.common}) and {second.accession} ({second.species.common}) are"
        f" {same:.1f} % identical, {'more' if near else 'less'} than their species can be in this family"
    )
    return _Misfit((first.accession, second.accession), text)
