"""What a molecule shares with known ligands of its target, and what these carry where they differ from it.

A ligand is akin to the molecule where the largest part that both have (RDKit's Rascal, rings whole) holds a
good share of its atoms. What most of those akin have in common is taken for what binds; a place of it that
none of them uses stays free. These are statistics of what was published, no structure of a complex.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Chem import rdFMCS, rdRascalMCES
from rdkit.Chem.rdRGroupDecomposition import RGroupDecompose

from agents.chemistry.molecule import KEPT, Molecule, canonical, pattern
from agents.chemistry.similarity import Known, nearest

COMPARED, LEAST_ALIKE = 12, 0.2
"""Known ligands, the most similar first, that are laid over a molecule, and how alike (Rascal) is enough."""
AKIN = 0.4
"""Share of its atoms that a molecule has in common with what is akin to it."""
MOST, TOO_MUCH = 0.6, 0.8
"""Share of those akin that have the motif, and of the molecule that leaves nothing to change."""
LEAST_MOTIF, LEAST_AKIN = 6, 2
"""Atoms of a motif, and ligands akin that it takes."""
LARGEST_PART = 14
"""Atoms besides hydrogen of a part that is taken over."""
NAMED, LONGEST = 3, 400
"""Ligands that are named, and characters of a SMARTS that is read."""
Part = tuple[str, str]
"""A part that a molecule should not lose: as SMARTS, and in words, up to the first comma what it is, then
which ligands speak for it. Behind `GONE` it is one that a molecule should not have.
"""
GONE = "!"


@dataclass(frozen=True, slots=True)
class Graft:
    """A molecule with a part as a known ligand carries it, in place of what was there."""

    molecule: Molecule
    part: str
    before: str
    known: Known


def kept(start: Molecule, known: Sequence[Known]) -> tuple[Part, ...]:
    """What known ligands, the start itself not counted, say should stay of it; nothing without them."""
    akin = _akin(start, [one for one in known if one.molecule.inchikey[:14] != start.inchikey[:14]])
    overlays = []
    for one in akin if len(akin) >= LEAST_AKIN else ():
        both = (mol.GetSubstructMatch(common(start, one.molecule)) for mol in (start.mol, one.molecule.mol))
        overlays.append((one.molecule.mol, dict(zip(*both, strict=True))))
    often = Counter(at for _, pairs in overlays for at in pairs)
    for share in (MOST, 1.0):
        core = [at for at in often if often[at] >= share * len(akin)]
        if LEAST_MOTIF <= len(core) <= TOO_MUCH * start.heavy_atoms:
            overlays.append((start.mol, {at: at for at in core}))
            degrees = {
                at: max(mol.GetAtomWithIdx(pairs[at]).GetDegree() for mol, pairs in overlays if at in pairs)
                for at in core
            }
            symbols = [
                f"[#{one.GetAtomicNum()};{'a' if one.GetIsAromatic() else 'A'};D{{1-{degrees.get(at, 0)}}}]"
                for at, one in enumerate(start.mol.GetAtoms())
            ]
            written = Chem.MolFragmentToSmiles
            smarts = written(start.mol, core, atomSymbols=symbols, allBondsExplicit=True)
            told = f"`{written(start.mol, core)}`, which {_names(akin)} share"
            return ((smarts, f"{told}; what none of them substitutes stays free"),)
    return ()


def places(molecule: Molecule, smarts: str) -> list[set[int]] | None:
    """The atoms of each place where a molecule has a part; None where the SMARTS cannot be read."""
    with rdBase.BlockLogs():
        query = pattern(smarts) if len(smarts) <= LONGEST else None
    return None if query is None else [set(one) for one in molecule.mol.GetSubstructMatches(query)]


def without(molecule: Molecule, parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts that a molecule should have and has not, or should not have and has."""
    return tuple(
        (smarts, told)
        for smarts, told in parts
        if molecule.mol.HasSubstructMatch(pattern(smarts.lstrip(GONE))) == smarts.startswith(GONE)
    )


def grafts(molecule: Molecule, known: Sequence[Known], starts: Sequence[Molecule]) -> Iterator[Graft]:
    """What becomes of a molecule with one part of a ligand akin to it, at the place where that carries it.
    What was begun with lends none.
    """
    for one in _akin(molecule, [one for one in known if one.molecule not in starts]):
        core = common(molecule, one.molecule)
        with rdBase.BlockLogs():
            rows, _ = RGroupDecompose([core], [molecule.mol, one.molecule.mol])
        mine, theirs = rows if len(rows) > 1 else ({}, {})
        for place in [one for one in mine if one in theirs and one != "Core"]:
            part, before = _written(theirs[place]), _written(mine[place])
            small = theirs[place].GetNumHeavyAtoms() <= LARGEST_PART
            if part != before and small and "*=" not in part + before:
                product = _zipped({**mine, place: theirs[place]})
                if product is not None and product != molecule:
                    yield Graft(product, part, before, one)


def _written(part: Any) -> str:
    """A part as SMILES with a `*` where it is bound."""
    bare = Chem.Mol(part)
    for atom in bare.GetAtoms():
        atom.SetAtomMapNum(0)
    return f"`{Chem.MolToSmiles(bare)}`" if part.GetNumHeavyAtoms() else "hydrogen"


def _zipped(row: dict[str, Any]) -> Molecule | None:
    """The molecule of a core and its parts; None where a part is bound at two places."""
    try:
        with rdBase.BlockLogs():
            return canonical(Chem.RemoveHs(Chem.molzip(row), sanitize=False))
    except RuntimeError:
        return None


@lru_cache(KEPT)
def common(one: Molecule, other: Molecule) -> Any:
    """RDKit's query of the largest part that two molecules have in common, rings whole; empty for none."""
    for found in shared(one, other):
        found.largestFragmentOnly()
        return pattern(found.smartsString)
    return pattern("")


def shared(one: Molecule, other: Molecule) -> Any:
    """RDKit's results on what two molecules have in common, several parts of it too."""
    return rdRascalMCES.FindMCES(one.mol, other.mol, _comparison())


@cache
def _comparison() -> Any:
    options = rdRascalMCES.RascalOptions()
    options.similarityThreshold = LEAST_ALIKE
    options.ringMatchesRingOnly = options.completeSmallestRings = True
    options.timeout = 5  # s: of 467 pairs of ligands of one target three take longer, none of them akin
    return options


def _akin(start: Molecule, known: Sequence[Known]) -> list[Known]:
    least = AKIN * start.heavy_atoms
    near = nearest(start, known, COMPARED)
    return [one for one in near if common(start, one.molecule).GetNumAtoms() >= least]


def _names(known: Sequence[Known]) -> str:
    names = list(dict.fromkeys(one.name for one in known))
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


@lru_cache(KEPT)
def places_changed(one: Molecule, other: Molecule) -> int:
    """At how many places two molecules differ, laid over each other by the largest part of equal shape
    (RDKit's FMCS, any atom on any atom, rings whole). What joins there, or leaves, counts as one place; so do
    neighbouring atoms that are exchanged. Stereochemistry is passed over.
    """
    kinds, whole = rdFMCS.AtomCompare.CompareAny, {"ringMatchesRingOnly": True, "completeRingsOnly": True}
    found = rdFMCS.FindMCS([one.mol, other.mol], atomCompare=kinds, timeout=2, **whole)
    query = pattern(found.smartsString)
    theirs = other.mol.GetSubstructMatch(query)
    mine = one.mol.GetSubstructMatches(query, uniquify=False, maxMatches=200)
    return min((_groups(one.mol, other.mol, dict(zip(m, theirs, strict=True))) for m in mine), default=9)


def _groups(mol: Any, other: Any, pairs: dict[int, int]) -> int:
    """Groups of atoms that are exchanged or have no partner; those at one common atom are one group."""
    back = {theirs: mine for mine, theirs in pairs.items()}
    names = [
        {at.GetIdx(): at.GetIdx() for at in mol.GetAtoms()},
        {at.GetIdx(): back.get(at.GetIdx(), -1 - at.GetIdx()) for at in other.GetAtoms()},
    ]
    new = {at for at in names[0].values() if at not in pairs} | {at for at in names[1].values() if at < 0}
    swapped = {
        mine
        for mine, theirs in pairs.items()
        if _kind(mol.GetAtomWithIdx(mine)) != _kind(other.GetAtomWithIdx(theirs))
    }
    bonds = [
        {place[bond.GetBeginAtomIdx()], place[bond.GetEndAtomIdx()]}
        for place, part in zip(names, (mol, other), strict=True)
        for bond in part.GetBonds()
    ]
    held = set().union(*(ends for ends in bonds if ends & new)) | swapped
    groups = {at: {at} for at in new | swapped}
    for ends in bonds:
        if ends & new or (ends & swapped and ends <= held):
            joined = set().union(*(groups.get(at, {at}) for at in ends))
            groups |= dict.fromkeys(joined, joined)
    return len({id(one) for one in groups.values()})


def _kind(atom: Any) -> tuple[int, int, bool]:
    return atom.GetAtomicNum(), atom.GetFormalCharge(), atom.GetIsAromatic()
