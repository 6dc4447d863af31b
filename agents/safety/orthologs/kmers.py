"""How alike two sequences are, quickly: the words of four residues that they share."""

from collections.abc import Iterable
from functools import lru_cache

from agents.safety.orthologs.values import ProteinSequence

WORD = 4


@lru_cache(maxsize=8192)
def words(residues: str) -> frozenset[str]:
    """All words of a sequence, without those with an unknown residue."""
    every = (residues[at : at + WORD] for at in range(len(residues) - WORD + 1))
    return frozenset(word for word in every if "X" not in word)


@lru_cache(maxsize=1 << 17)
def likeness(first: str, second: str) -> float:
    """Shared words / words of the one that has fewer; 0 to 1. Of unrelated proteins it is below 0.05."""
    one, other = words(first), words(second)
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def most_alike(
    residues: str, sequences: Iterable[ProteinSequence], most: int, least: float = 0.05
) -> tuple[ProteinSequence, ...]:
    """The sequences that are most alike, best first, none below `least`."""
    scored = [(likeness(residues, one.residues), one) for one in sequences]
    kept = sorted(
        (pair for pair in scored if pair[0] >= least), key=lambda pair: (-pair[0], pair[1].accession)
    )
    return tuple(one for _, one in kept[:most])
