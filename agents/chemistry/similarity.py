"""How alike molecules are: Tanimoto of Morgan fingerprints (radius 2, 2,048 bits), and scaffolds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rdkit import DataStructs
from rdkit.Chem import rdFingerprintGenerator
from rdkit.Chem.Scaffolds import MurckoScaffold

from agents.chemistry.molecule import KEPT, Molecule

BITS = 2_048


@dataclass(frozen=True, slots=True)
class Known:
    """A molecule that somebody described, and where."""

    molecule: Molecule
    name: str
    source: str


def tanimoto(one: Molecule, other: Molecule) -> float:
    """Similarity, 0 to 1."""
    return float(DataStructs.TanimotoSimilarity(fingerprint(one), fingerprint(other)))


def similarities(one: Molecule, others: Iterable[Molecule]) -> list[float]:
    """Similarity to each of the others."""
    return list(DataStructs.BulkTanimotoSimilarity(fingerprint(one), [fingerprint(o) for o in others]))


def nearest(molecule: Molecule, known: Sequence[Known], most: int) -> list[Known]:
    """The known molecules that are most similar, the nearest first."""
    alike = similarities(molecule, (one.molecule for one in known))
    found = sorted(zip(alike, known, strict=True), key=lambda pair: (-pair[0], pair[1].molecule.smiles))
    return [one for _, one in found[:most]]


@lru_cache(KEPT)
def scaffold(molecule: Molecule) -> str:
    """SMILES of the rings and what joins them (Bemis and Murcko); empty for a molecule without rings."""
    return str(MurckoScaffold.MurckoScaffoldSmiles(mol=molecule.mol))


@lru_cache(KEPT)
def fingerprint(molecule: Molecule) -> Any:
    """RDKit's bit vector."""
    return _generator().GetFingerprint(molecule.mol)


@cache
def _generator(*, counts: bool = False) -> Any:
    return rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS, countSimulation=counts)


def counted(molecules: Sequence[Molecule]) -> NDArray[np.float32]:
    """Counted fingerprints (n, 2,048): a feature that occurs twice sets two bits, so that Tanimoto of these
    bits is the similarity of counts.
    """
    if not molecules:
        return np.zeros((0, BITS), np.float32)
    return np.stack([_counted(molecule) for molecule in molecules]).astype(np.float32)


@lru_cache(KEPT)
def _counted(molecule: Molecule) -> NDArray[np.uint8]:
    return np.asarray(_generator(counts=True).GetFingerprintAsNumPy(molecule.mol), np.uint8)


def bits(molecules: Sequence[Molecule]) -> NDArray[np.float32]:
    """Morgan fingerprints as rows of 0 and 1 (n, 2,048)."""
    rows = [np.frombuffer(fingerprint(one).ToBitString().encode(), np.uint8) - ord("0") for one in molecules]
    return np.array(rows, np.float32).reshape(len(rows), BITS)


def feature_counts(molecules: Sequence[Molecule]) -> NDArray[np.float32]:
    """Counts of pharmacophoric environments of radius 3, folded to rows of 2,048 (the DRD2 model's input)."""
    rows = np.zeros((len(molecules), BITS), np.float32)
    for row, molecule in zip(rows, molecules, strict=True):
        for feature, count in (
            _features().GetSparseCountFingerprint(molecule.mol).GetNonzeroElements().items()
        ):
            row[feature % BITS] += count
    return rows


@cache
def _features() -> Any:
    kinds = rdFingerprintGenerator.GetMorganFeatureAtomInvGen()
    return rdFingerprintGenerator.GetMorganGenerator(radius=3, atomInvariantsGenerator=kinds)
