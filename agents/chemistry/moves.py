"""Moves that turn molecules into others.

Mutation and crossover after Jensen's graph-based genetic search (Chem. Sci. 2019, 10, 3567); matched-pair
transformations (Hussain and Rea 2010). A move gives a molecule
that can exist and that a chemist would look at (`plausible`), or None. The same chance gives the same one.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from agents.chemistry.editing import EDITS, grown, halves, joined, open_part
from agents.chemistry.molecule import Molecule, canonical, parsed
from agents.chemistry.transforms import matching

SMALLEST, LARGEST = 5, 50
"""Atoms besides hydrogen that a move may make."""
LARGEST_RING = 7
TRIES = 8
"""How often a move tries another place before it gives up."""
SIDE_CHAIN = 13
"""Atoms besides hydrogen of the largest fragment that is mined."""


def mutate(molecule: Molecule, rng: random.Random, fragments: Sequence[str] = ()) -> Molecule | None:
    """A molecule with one thing changed: an atom, a bond, a ring, or a substituent.

    `fragments` are substituents with a `*` where they are bound, as `fragments_of` finds them; with them,
    every second mutation puts one in place of a hydrogen or of another substituent.
    """
    for _ in range(TRIES):
        if fragments and rng.random() < 0.5:
            made = _substituted(molecule, rng, fragments)
        else:
            made = rng.choice(EDITS)(molecule.mol, rng)
        if (changed := _checked(made)) is not None and changed != molecule:
            return changed
    return None


def crossover(one: Molecule, other: Molecule, rng: random.Random) -> Molecule | None:
    """A molecule of a part of each, joined where single bonds outside rings were cut."""
    for _ in range(TRIES):
        cuts = halves(one.smiles), halves(other.smiles)
        if not all(cuts):
            return None
        child = _checked(joined(*(open_part(rng.choice(rng.choice(each))) for each in cuts)))
        if child is not None and child not in (one, other):
            return child
    return None


def fragments_of(molecules: Iterable[Molecule], most: int = 500) -> tuple[str, ...]:
    """Substituents of the molecules, the most frequent first, with a `*` where each was bound."""
    seen: Counter[str] = Counter()
    for molecule in molecules:
        seen.update({small for _, small in halves(molecule.smiles) if _atoms(small) <= SIDE_CHAIN})
    return tuple(sorted(seen, key=lambda part: (-seen[part], part))[:most])


def matched_pairs(molecules: Iterable[Molecule]) -> Counter[tuple[str, str]]:
    """Which substituent chemists exchanged for which, and in how many pairs of molecules."""
    by_rest: defaultdict[str, set[str]] = defaultdict(set)
    for molecule in molecules:
        for rest, part in halves(molecule.smiles):
            if _atoms(part) <= SIDE_CHAIN:
                by_rest[rest].add(part)
    return Counter(pair for parts in by_rest.values() for pair in permutations(sorted(parts), 2))


def exchanged(molecule: Molecule, pairs: Counter[tuple[str, str]]) -> Iterator[tuple[Molecule, str, str]]:
    """What matched pairs make of a molecule, with what was there and what is, the most frequent first."""
    for (before, after), _ in pairs.most_common():
        for rest, part in halves(molecule.smiles):
            product = _checked(joined(open_part(rest), open_part(after))) if part == before else None
            if product is not None and product != molecule:
                yield product, before, after


def plausible(molecule: Molecule) -> bool:
    """Whether a molecule of a usual size has no ring and no group that does not last."""
    mol = molecule.mol
    if not SMALLEST <= mol.GetNumHeavyAtoms() <= LARGEST:
        return False
    if any(len(ring) > LARGEST_RING for ring in mol.GetRingInfo().AtomRings()):
        return False
    if "[" in molecule.smiles and any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms()):
        return False
    return next(matching("unstable", molecule), None) is None


def _checked(mol: Any) -> Molecule | None:
    if mol is None or not SMALLEST <= mol.GetNumHeavyAtoms() <= LARGEST:
        return None
    molecule = canonical(mol)
    return molecule if molecule is not None and plausible(molecule) else None


def _substituted(molecule: Molecule, rng: random.Random, fragments: Sequence[str]) -> Any:
    """A fragment in place of a substituent or of a hydrogen."""
    part = rng.choice(fragments)
    if rng.random() < 0.6 and (parts := halves(molecule.smiles)):
        return joined(open_part(rng.choice(parts)[0]), open_part(part))
    return grown(molecule.mol, part, rng)


def _atoms(part: str) -> int:
    return int(parsed(part).GetNumHeavyAtoms())
