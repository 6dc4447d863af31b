"""A molecule prepared for docking: one conformer with hydrogens, written as PDBQT by Meeko."""

from importlib import import_module
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

from agents.chemistry.molecule import Molecule
from agents.errors import ChemistryError, LibraryMissing


def meeko() -> Any:
    """The library. Raises `LibraryMissing` if the extra `design` is not installed."""
    try:
        return import_module("meeko")
    except ImportError as error:
        raise LibraryMissing(
            "Docking needs AutoDock Vina and Meeko. Install them with: pip install 'pestle[design]'"
        ) from error


def pdbqt(molecule: Molecule, seed: int) -> str:
    """The text of a PDBQT file; the same seed gives the same conformer.

    Raises:
        ChemistryError: no conformer is found, or an atom has no type for docking.
        LibraryMissing: the extra `design` is not installed.
    """
    library = meeko()
    with rdBase.BlockLogs():
        mol = Chem.AddHs(molecule.mol)
        for knowledge in (True, False):  # what planar rings forbid is embedded by distances alone
            if not rdDistGeom.EmbedMolecule(mol, 20, seed, useBasicKnowledge=knowledge):
                break
        else:
            raise ChemistryError(f"No conformer was found for {molecule.smiles}.")
        if rdForceFieldHelpers.MMFFHasAllMoleculeParams(mol):
            rdForceFieldHelpers.MMFFOptimizeMolecule(mol, maxIters=500)
        try:
            (setup, *_) = library.MoleculePreparation().prepare(mol)
            text, fits, problem = library.PDBQTWriterLegacy.write_string(setup)
        except (ValueError, RuntimeError, KeyError) as error:
            raise ChemistryError(f"{molecule.smiles} cannot be prepared for docking: {error}") from error
    if not fits:
        raise ChemistryError(f"{molecule.smiles} cannot be prepared for docking: {problem}")
    return str(text)
