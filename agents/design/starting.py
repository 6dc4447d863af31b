"""Molecules that a search begins with: a file of SMILES, or approved medicines that come with Pestle."""

import gzip
import json
import random
from functools import cache
from pathlib import Path

import agents.chemistry
from agents.chemistry.molecule import Molecule, read_molecule
from agents.design.lab import readable

MOST = 2_000
"""Molecules that are taken from a file."""


@cache
def medicines() -> dict[str, Molecule]:
    """Approved medicines by name."""
    path = Path(agents.chemistry.__file__).parent / "medicines.json"
    told: dict[str, str] = json.loads(path.read_text("utf-8"))
    return {name: read_molecule(smiles) for name, smiles in told.items()}


def starting_molecules(path: Path | None, seed: int) -> list[Molecule]:
    """A sample of a file with one SMILES a line (`.smi`, `.smi.gz`); without a file, the medicines.

    A line that is no molecule is passed over.
    """
    if path is None:
        return list(medicines().values())
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    lines = [line.split()[0] for line in text.splitlines() if line.strip()]
    sample = random.Random(seed).sample(lines, min(len(lines), MOST))
    return list(dict.fromkeys(one for smiles in sample if (one := readable(smiles)[0])))
