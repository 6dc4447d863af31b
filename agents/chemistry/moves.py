"""Moves that turn molecules into others.

Mutation and crossover after Jensen's graph-based genetic search (Chem. Sci. 2019, 10, 3567); recombination
of BRICS fragments (Degen 2008); matched-pair transformations (Hussain and Rea 2010). A move gives a molecule
that can exist and that a chemist would look at (`plausible`), or None. The same chance gives the same one.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.chemistry.editing import EDITS, cut, grown, halves, joined, open_part
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
        ours, theirs = cut(one.mol, rng), cut(other.mol, rng)
        if ours is None or theirs is None:
            return None
        child = _checked(joined(rng.choice(ours), rng.choice(theirs)))
        if child is not None and child not in (one, other):
            return child
    return None


def fragments_of(molecules: Iterable[Molecule], most: int = 500) -> tuple[str, ...]:
    """Substituents of the molecules, the most frequent first, with a `*` where each was bound."""
    seen: Counter[str] = Counter()
    for molecule in molecules:
        seen.update({small for _, small in halves(molecule.smiles) if _atoms(small) <= SIDE_CHAIN})
    return tuple(sorted(seen, key=lambda part: (-seen[part], part))[:most])


@dataclass(frozen=True, slots=True)
class Transformation:
    """A substituent that chemists exchanged for another, and in how many pairs of molecules."""

    before: str
    after: str
    pairs: int


def mine(molecules: Iterable[Molecule]) -> tuple[Transformation, ...]:
    """The transformations between molecules that differ by one substituent, the most frequent first."""
    by_rest: defaultdict[str, set[str]] = defaultdict(set)
    for molecule in molecules:
        for rest, part in halves(molecule.smiles):
            if _atoms(part) <= SIDE_CHAIN:
                by_rest[rest].add(part)
    seen = Counter(
        (before, after)
        for parts in by_rest.values()
        for before in parts
        for after in parts
        if before != after
    )
    found = (Transformation(before, after, pairs) for (before, after), pairs in seen.items())
    return tuple(sorted(found, key=lambda one: (-one.pairs, one.before, one.after)))


def apply(known: Iterable[Transformation], molecule: Molecule, most: int = 50) -> tuple[Molecule, ...]:
    """What the transformations make of a molecule, the most frequent first."""
    rests: defaultdict[str, list[str]] = defaultdict(list)
    for rest, part in halves(molecule.smiles):
        rests[part].append(rest)
    made: dict[Molecule, None] = {}
    for one in known:
        for rest in rests.get(one.before, ()):
            made_of = joined(open_part(rest), open_part(one.after))
            if (changed := _checked(made_of)) is not None and changed != molecule:
                made.setdefault(changed)
        if len(made) >= most:
            break
    return tuple(made)[:most]


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
    if rng.random() < 0.6 and (parts := cut(molecule.mol, rng)):
        return joined(parts[0], open_part(part))
    return grown(molecule.mol, part, rng)


def _atoms(part: str) -> int:
    return int(parsed(part).GetNumHeavyAtoms())
