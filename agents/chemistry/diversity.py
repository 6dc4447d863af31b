"""How much of chemical space a set of molecules covers."""

from collections.abc import Sequence

from rdkit.SimDivFilters.rdSimDivPickers import LeaderPicker

from agents.chemistry.molecule import Molecule
from agents.chemistry.similarity import fingerprint, similarities

DISTANCES = 0.75, 0.85
"""Between molecules that are counted apart, as usual."""


def internal_diversity(molecules: Sequence[Molecule]) -> float:
    """One minus the mean similarity of all pairs (IntDiv, Polykovskiy 2020); 0 for less than two."""
    if len(molecules) < 2:
        return 0.0
    total = sum(sum(similarities(one, molecules[:at])) for at, one in enumerate(molecules))
    return 1 - 2 * total / (len(molecules) * (len(molecules) - 1))


def coverage(molecules: Sequence[Molecule]) -> str:
    """How much of chemical space candidates cover, in words."""
    near, far = (f"{circles(molecules, distance)} at {distance}" for distance in DISTANCES)
    spread = internal_diversity(molecules)
    return f"{len(molecules)} candidates: IntDiv {spread:.2f}; #Circles {near}, {far}"


def circles(molecules: Sequence[Molecule], distance: float) -> int:
    """How many molecules are further than `distance` (1 - similarity) from each other (#Circles, Xie 2023).

    Found greedily in the order given, as the authors do: a lower bound of the largest such set.
    """
    fingerprints = [fingerprint(one) for one in molecules]
    pick = LeaderPicker().LazyBitVectorPick
    return len(pick(fingerprints, len(fingerprints), distance)) if fingerprints else 0
