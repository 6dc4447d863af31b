"""A named part of a molecule replaced where it is bound, by parts that chemists put in its place.

The parts are data: `[[family]]` in `transforms.toml`. An aromatic ring, also one that is fused, has single
atoms changed besides (`[[ring]]`). The stereochemistry of the rest stays.
"""

from collections.abc import Iterator
from typing import Any

from rdkit import Chem

from agents.chemistry.molecule import Molecule, canonical, parsed, pattern
from agents.chemistry.transforms import changed, listed

_BY_ISOTOPE = Chem.MolzipParams()
_BY_ISOTOPE.label = Chem.MolzipLabel.Isotope


def replaced(molecule: Molecule, smarts: str) -> Iterator[tuple[Molecule, str, str]]:
    """What a molecule becomes where a part is replaced: the molecule, what takes its place, and why.

    The part may be left at another place, and an atom of another ring be changed: who proposes sees to it.
    """
    for match in molecule.mol.GetSubstructMatches(pattern(smarts)):
        for apart, part, why in _exchanged(molecule.mol, {*match}):
            if new := canonical(Chem.molzip(parsed(apart), _BY_ISOTOPE)):
                yield new, f"`{part}`", why
    yield from ((product, change.name, change.why) for change, product in changed(molecule, "ring"))


def _exchanged(mol: Any, match: set[int]) -> Iterator[tuple[str, str, str]]:
    """The rest, and each part of a family that knows the part with all its bonds, as SMILES that isotopes of
    `*` join; the new part; why.
    """
    bonds = [one for one in mol.GetBonds() if len(match & {one.GetBeginAtomIdx(), one.GetEndAtomIdx()}) == 1]
    if {one.GetBondType() for one in bonds} != {Chem.BondType.SINGLE}:
        return
    labels = [(at, at) for at, _ in enumerate(bonds, start=1)]
    cut = Chem.FragmentOnBonds(mol, [one.GetIdx() for one in bonds], dummyLabels=labels)
    parts = sorted(Chem.GetMolFrags(cut), key=match.isdisjoint)
    part, *rest = (Chem.MolFragmentToSmiles(cut, one) for one in parts)
    before = parsed(part)
    for family in listed("family"):
        for found in before.GetSubstructMatches(pattern(family.smarts), uniquify=False):
            held = [one.GetIsotope() for one in map(before.GetAtomWithIdx, found) if not one.GetAtomicNum()]
            for new in family.parts if len(held) == len(bonds) else ():
                yield ".".join((*rest, new.replace("*", "[%d*]") % (*held,))), new, family.said
