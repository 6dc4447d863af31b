"""How much of chemical space a set of molecules covers."""

from collections.abc import Sequence

from rdkit import DataStructs

from agents.chemistry.molecule import Molecule
from agents.chemistry.similarity import fingerprint, framework, similarities

ALIKE, ALIKE_AT_ALL = 0.55, 0.3
"""Similarity from which on two molecules are one idea: any two, and two of one framework."""


def internal_diversity(molecules: Sequence[Molecule]) -> float:
    """One minus the mean similarity of all pairs (IntDiv, Polykovskiy 2020); 0 for less than two."""
    if len(molecules) < 2:
        return 0.0
    total = sum(sum(similarities(one, molecules[:at])) for at, one in enumerate(molecules))
    return 1 - 2 * total / (len(molecules) * (len(molecules) - 1))


def ideas(molecules: Sequence[Molecule]) -> tuple[tuple[int, ...], ...]:
    """Places of molecules in groups, the best of each first: in the order given, each joins the first group
    whose best is the same idea, else it begins one.

    Butina's exclusion spheres (1999), led by a ranking (DISE, Gobbi and Lee 2003), with a lower bound for
    molecules of one framework, since fingerprints hold a nitrogen moved around a ring for another molecule.
    """
    groups: list[list[int]] = []
    for at, molecule in enumerate(molecules):
        bests = [molecules[group[0]] for group in groups]
        near = zip(bests, similarities(molecule, bests), strict=True)
        bounds = (
            (ALIKE_AT_ALL if framework(one) == framework(molecule) else ALIKE, like) for one, like in near
        )
        place = next((place for place, (bound, like) in enumerate(bounds) if like >= bound), None)
        if place is None:
            groups.append([at])
        else:
            groups[place].append(at)
    return tuple(map(tuple, groups))


def circles(molecules: Sequence[Molecule], distance: float) -> int:
    """How many molecules are further than `distance` (1 - similarity) from each other (#Circles, Xie 2023).

    Found greedily in the order given, as the authors do: a lower bound of the largest such set.
    """
    centres: list[object] = []
    for molecule in molecules:
        mine = fingerprint(molecule)
        alike = DataStructs.BulkTanimotoSimilarity(mine, centres) if centres else [0.0]
        if max(alike) < 1 - distance:
            centres.append(mine)
    return len(centres)
