"""Edits of one molecular graph: atoms, bonds and substituents changed, and parts joined.

An edit takes RDKit's molecule and a source of chance and gives a changed, unchecked one, or None where the
molecule has no place for it. The kinds of edit are those of Jensen's graph-based genetic search (2019).
"""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from rdkit import Chem, rdBase

from agents.chemistry.molecule import KEPT, parsed

Edit = Callable[[Any, random.Random], Any]
Part = tuple[Any, int, int]
"""RDKit's molecule with one `*` where it was cut, and the indices of the `*` and of its neighbour."""
NEW_ATOMS = ("C",) * 5 + ("N",) * 3 + ("O",) * 3 + ("F", "F", "Cl", "S")
"""Elements of an added atom, by how often they are tried."""
OTHER_ELEMENTS = {
    "C": ("N", "O"),
    "N": ("C", "O"),
    "O": ("C", "N", "S"),
    "S": ("O", "C"),
    "F": ("Cl", "C", "O"),
    "Cl": ("F", "Br", "C"),
    "Br": ("Cl", "C"),
}
RING_SIZES = (5, 6)
"""Sizes of rings that are closed."""
Single, Double, Triple = Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE


def append_atom(mol: Any, rng: random.Random) -> Any:
    """An atom in place of a hydrogen."""
    if (place := _any(rng, _with_hydrogen(mol))) is None:
        return None
    edited = Chem.RWMol(mol)
    added = edited.AddAtom(Chem.Atom(rng.choice(NEW_ATOMS)))
    _bond(edited, place, added)
    return edited


def insert_atom(mol: Any, rng: random.Random) -> Any:
    """An atom between two atoms that a single bond joins."""
    singles = [bond for bond in mol.GetBonds() if bond.GetBondType() == Single]
    if (bond := _any(rng, singles)) is None:
        return None
    edited = Chem.RWMol(mol)
    added = edited.AddAtom(Chem.Atom(rng.choice(("C", "C", "N", "O"))))
    edited.RemoveBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    edited.AddBond(bond.GetBeginAtomIdx(), added, Single)
    edited.AddBond(added, bond.GetEndAtomIdx(), Single)
    return edited


def delete_atom(mol: Any, rng: random.Random) -> Any:
    """An atom less; its two neighbours, if it has two, are joined."""
    loose = [
        atom
        for atom in mol.GetAtoms()
        if not atom.GetIsAromatic()
        and atom.GetDegree() in (1, 2)
        and all(bond.GetBondType() == Single for bond in atom.GetBonds())
    ]
    if (atom := _any(rng, loose)) is None:
        return None
    beside = [other.GetIdx() for other in atom.GetNeighbors()]
    edited = Chem.RWMol(mol)
    if len(beside) == 2:
        if edited.GetBondBetweenAtoms(*beside):
            return None
        edited.AddBond(*beside, Single)
    for one in beside:
        _freed(edited.GetAtomWithIdx(one), atom)
    edited.RemoveAtom(atom.GetIdx())
    return edited


def change_element(mol: Any, rng: random.Random) -> Any:
    """An atom of another element, in a ring too."""
    if (atom := _any(rng, [atom for atom in mol.GetAtoms() if not atom.GetFormalCharge()])) is None:
        return None
    choices = OTHER_ELEMENTS.get(atom.GetSymbol(), ("C",))
    if atom.GetIsAromatic():
        choices = {"C": ("N",), "N": ("C",), "O": ("S",), "S": ("O",)}.get(atom.GetSymbol(), ("C",))
    edited = Chem.RWMol(mol)
    swapped = edited.GetAtomWithIdx(atom.GetIdx())
    swapped.SetAtomicNum(Chem.GetPeriodicTable().GetAtomicNumber(rng.choice(choices)))
    swapped.SetNumExplicitHs(0)
    swapped.SetNoImplicit(False)
    swapped.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return edited


def change_bond(mol: Any, rng: random.Random) -> Any:
    """A bond of another order."""
    bonds = [bond for bond in mol.GetBonds() if not bond.GetIsAromatic()]
    if (bond := _any(rng, bonds)) is None:
        return None
    edited = Chem.RWMol(mol)
    orders = [order for order in (Single, Single, Double, Triple) if order != bond.GetBondType()]
    if bond.IsInRing():
        orders = [order for order in orders if order != Triple]
    changed = edited.GetBondBetweenAtoms(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    changed.SetBondType(rng.choice(orders))
    changed.SetStereo(Chem.BondStereo.STEREONONE)
    return edited


def close_ring(mol: Any, rng: random.Random) -> Any:
    """A bond between two atoms that makes a ring of five or six."""
    free = _with_hydrogen(mol)
    distances = Chem.GetDistanceMatrix(mol)
    pairs = [
        (one, other)
        for at, one in enumerate(free)
        for other in free[:at]
        if distances[one][other] + 1 in RING_SIZES
        and not (mol.GetAtomWithIdx(one).IsInRing() and mol.GetAtomWithIdx(other).IsInRing())
    ]
    if (pair := _any(rng, pairs)) is None:
        return None
    edited = Chem.RWMol(mol)
    _bond(edited, *pair)
    return edited


def open_ring(mol: Any, rng: random.Random) -> Any:
    """A ring bond less."""
    bonds = [bond for bond in mol.GetBonds() if bond.IsInRing() and bond.GetBondType() == Single]
    if (bond := _any(rng, bonds)) is None:
        return None
    edited = Chem.RWMol(mol)
    edited.RemoveBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    return edited


def aromatise(mol: Any, rng: random.Random) -> Any:
    """A saturated ring of six atoms made aromatic."""
    rings = [
        ring
        for ring in mol.GetRingInfo().AtomRings()
        if len(ring) == 6 and not any(mol.GetAtomWithIdx(at).GetIsAromatic() for at in ring)
    ]
    if (ring := _any(rng, rings)) is None:
        return None
    edited = Chem.RWMol(mol)
    inside = [
        bond for bond in edited.GetBonds() if bond.GetBeginAtomIdx() in ring and bond.GetEndAtomIdx() in ring
    ]
    for bond in inside:
        bond.SetBondType(Chem.BondType.AROMATIC)
        bond.SetIsAromatic(True)
    for at in ring:
        edited.GetAtomWithIdx(at).SetIsAromatic(True)
        edited.GetAtomWithIdx(at).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return edited


EDITS: tuple[Edit, ...] = (
    append_atom,
    append_atom,
    insert_atom,
    delete_atom,
    delete_atom,
    change_element,
    change_element,
    change_element,
    change_bond,
    close_ring,
    open_ring,
    aromatise,
)
"""Kinds of edit, by how often they are tried."""


@lru_cache(KEPT)
def halves(smiles: str) -> tuple[tuple[str, str], ...]:
    """Both parts for each single bond outside rings, each with a `*` where it was cut; larger part first."""
    mol, made = parsed(smiles), []
    for bond in mol.GetBonds():
        if bond.IsInRing() or bond.GetBondType() != Single:
            continue
        cut = Chem.FragmentOnBonds(mol, [bond.GetIdx()], dummyLabels=[(0, 0)])
        parts = Chem.GetMolFrags(cut, asMols=True, sanitizeFrags=False)
        if len(parts) == 2:
            large, small = sorted(parts, key=lambda part: -part.GetNumAtoms())
            made.append((str(Chem.MolToSmiles(large)), str(Chem.MolToSmiles(small))))
    return tuple(made)


@lru_cache(KEPT)
def open_part(smiles: str) -> Part | None:
    """The part that a SMILES with one `*` describes, or None."""
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(smiles)
    stars = [atom for atom in mol.GetAtoms() if atom.GetAtomicNum() == 0] if mol is not None else []
    ends = [(mol, one.GetIdx(), one.GetNeighbors()[0].GetIdx()) for one in stars if one.GetDegree() == 1]
    return ends[0] if len(stars) == len(ends) == 1 else None


def joined(mine: Part | None, yours: Part | None) -> Any:
    """Two parts bound to each other where each was cut, their stereo kept; None if there is only one."""
    if mine is None or yours is None:
        return None
    whole = Chem.CombineMols(mine[0], yours[0])
    for star in (mine[1], mine[0].GetNumAtoms() + yours[1]):
        whole.GetAtomWithIdx(star).SetAtomMapNum(1)
    return Chem.molzip(whole)


def grown(mol: Any, part: str, rng: random.Random) -> Any:
    """A part with a `*` in place of a hydrogen."""
    place, added = _any(rng, _with_hydrogen(mol)), open_part(part)
    if place is None or added is None:
        return None
    part_mol, star, end = added
    whole, after = Chem.RWMol(Chem.CombineMols(mol, part_mol)), mol.GetNumAtoms()
    _bond(whole, place, after + end, taken_from=(place,))
    whole.RemoveAtom(after + star)
    return whole


def _with_hydrogen(mol: Any) -> list[int]:
    return [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetTotalNumHs()]


def _bond(mol: Any, one: int, other: int, taken_from: Sequence[int] | None = None) -> None:
    """Join two atoms; a written hydrogen ("[nH]") of theirs gives way."""
    mol.AddBond(one, other, Single)
    for at in (one, other) if taken_from is None else taken_from:
        atom = mol.GetAtomWithIdx(at)
        if atom.GetNumExplicitHs():
            atom.SetNumExplicitHs(atom.GetNumExplicitHs() - 1)
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)


def _freed(atom: Any, removed: Any) -> None:
    """A ring nitrogen that loses its substituent gets a hydrogen."""
    if atom.GetIsAromatic() and atom.GetSymbol() == "N" and removed.GetDegree() == 1:
        atom.SetNumExplicitHs(1)
    atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)


def _any(rng: random.Random, choices: Sequence[Any]) -> Any:
    return rng.choice(choices) if choices else None
