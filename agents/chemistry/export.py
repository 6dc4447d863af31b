"""Molecules as an SDF file with coordinates in the plane and data fields."""

import io
from collections.abc import Iterable, Mapping

from rdkit import Chem
from rdkit.Chem import rdDepictor

from agents.chemistry.molecule import Molecule

CHEMICAL_SDF = "chemical/x-mdl-sdfile"


def sdf(records: Iterable[tuple[str, Molecule, Mapping[str, str]]]) -> bytes:
    """An SDF of named molecules with their fields, in their order."""
    text = io.StringIO()
    writer = Chem.SDWriter(text)
    for name, molecule, fields in records:
        mol = Chem.Mol(molecule.mol)
        rdDepictor.Compute2DCoords(mol)
        mol.SetProp("_Name", name)
        for field, value in fields.items():
            mol.SetProp(field, value)
        writer.write(mol)
    writer.close()
    return text.getvalue().encode()
