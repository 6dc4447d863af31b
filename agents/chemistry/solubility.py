"""Solubility in water, estimated from the structure: ESOL (Delaney, J. Chem. Inf. Comput. Sci. 2004)."""

from functools import lru_cache

from rdkit.Chem import Crippen, rdMolDescriptors

from agents.chemistry.molecule import KEPT, Molecule


@lru_cache(KEPT)
def log_s(molecule: Molecule) -> float:
    """log10 of the molar solubility; its published standard error is about 0.75 to 1 log unit."""
    mol = molecule.mol
    aromatic = sum(atom.GetIsAromatic() for atom in mol.GetAtoms()) / mol.GetNumHeavyAtoms()
    return float(
        0.16
        - 0.63 * Crippen.MolLogP(mol)
        - 0.0062 * rdMolDescriptors._CalcMolWt(mol)
        + 0.066 * rdMolDescriptors.CalcNumRotatableBonds(mol)
        - 0.74 * aromatic
    )
