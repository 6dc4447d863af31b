"""Moves that turn molecules into others.

Mutation and crossover after Jensen's graph-based genetic search (Chem. Sci. 2019, 10, 3567); recombination
of BRICS fragments (Degen 2008); matched-pair transformations (Hussain and Rea 2010). A move gives a molecule
that can exist and that a chemist would look at (`plausible`), or None. The same chance gives the same one.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from agents.chemistry.editing import EDITS, cut, grown, halves, joined, open_part
from agents.chemistry.molecule import KEPT, Molecule, canonical, parsed
from agents.chemistry.transforms import matching

SMALLEST, LARGEST = 5, 50
"""Atoms besides hydrogen that a move may make."""
LARGEST_RING = 7
TRIES = 8
"""How often a move tries another place before it gives up."""
EXCHANGED, SIDE_CHAIN = 10, 13
"""Atoms besides hydrogen of the largest fragment that is exchanged for a usual one, and that is mined."""
SIZE = 4
"""Atoms by which a usual one may be smaller or larger."""


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


def carried(molecules: Iterable[Molecule]) -> Mapping[str, Mapping[str, int]]:
    """How many molecules carry each substituent on an atom of a kind ("c", "N on carbon"), by that kind."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for molecule in molecules:
        for kind, part in {(_end(rest), part) for rest, part in halves(molecule.smiles)}:
            if _atoms(part) <= EXCHANGED:
                found[kind][part] += 1
    return found


def exchanged(
    molecule: Molecule, usual: Mapping[str, Mapping[str, int]], least: int
) -> Iterator[tuple[Molecule, str, str, int]]:
    """What a molecule becomes with one substituent in place of another, where at least so many others carry
    it on an atom of that kind; no aromatic ring comes or goes. Given are the molecule, what was there, what
    came, and how many carry it.
    """
    for rest, part in halves(molecule.smiles):
        if _atoms(part) > EXCHANGED or _aromatic(part):
            continue
        for other, count in usual.get(_end(rest), {}).items():
            near = abs(_atoms(other) - _atoms(part)) <= SIZE and not _aromatic(other)
            if count >= least and other != part and near:
                made = _checked(joined(open_part(rest), open_part(other)))
                if made is not None and made != molecule:
                    yield made, part, other, count


@lru_cache(KEPT)
def _end(rest: str) -> str:
    """The kind of atom that a part is bound to."""
    mol = parsed(rest)
    star = next(atom for atom in mol.GetAtoms() if not atom.GetAtomicNum())
    end = star.GetNeighbors()[0]
    return f"{end.GetSymbol()}{end.GetIsAromatic():d}{end.GetHybridization()}"


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


def _aromatic(part: str) -> bool:
    return any(atom.GetIsAromatic() for atom in parsed(part).GetAtoms())


def _atoms(part: str) -> int:
    return int(parsed(part).GetNumHeavyAtoms())
