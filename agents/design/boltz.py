"""Boltz-2 as an oracle: how strongly a molecule binds a protein, predicted on a GPU by a process of its own.

`boltz predict` reads a YAML file and leaves `affinity_NAME.json` below its folder of output, with the log10
of the IC50 in µM by two models and by both together (docs/prediction.md of github.com/jwohlwend/boltz). Its
server of alignments is never used: a sequence does not leave this machine.
"""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from statistics import pstdev
from tempfile import TemporaryDirectory

import yaml
from pydantic import TypeAdapter

from agents.chemistry.molecule import Molecule
from agents.design.oracle import Direction, Score
from agents.errors import LibraryMissing, WrongFile

TRAINED = 56
"""Atoms besides hydrogen of the largest molecules that the affinities were learnt from."""


_TOLD = TypeAdapter(dict[str, float])


@dataclass(frozen=True, slots=True)
class Boltz:
    """Predicted pIC50 for a protein; high is good.

    Args:
        name: of the protein.
        sequence: of its amino acids, a letter each.
        msa: an alignment (`.a3m`), or "empty" for the sequence alone, which is less accurate.
        seconds: for one molecule, after which it counts as failed.
        good: a pIC50 of 7 is an IC50 of 100 nM.
    """

    name: str
    sequence: str
    msa: str = "empty"
    seconds: float = 1800.0
    direction: Direction = "maximise"
    good: float = 7.0

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """A score each; the uncertainty is half of how far the two models differ. Raises `LibraryMissing`."""
        if which("boltz") is None:
            raise LibraryMissing(
                "Boltz-2 needs the command boltz. Install it on a machine with a GPU: pip install boltz"
            )
        return tuple(map(self._one, molecules))

    def _one(self, molecule: Molecule) -> Score:
        protein = {"id": "A", "sequence": self.sequence, "msa": self.msa}
        ligand = {"id": "B", "smiles": molecule.smiles}
        asked = {
            "version": 1,
            "sequences": [{"protein": protein}, {"ligand": ligand}],
            "properties": [{"affinity": {"binder": "B"}}],
        }
        with TemporaryDirectory() as folder:
            path = Path(folder, "asked.yaml")
            path.write_text(yaml.safe_dump(asked), "utf-8")
            command = ("boltz", "predict", str(path), "--out_dir", folder)
            try:
                subprocess.run(command, capture_output=True, timeout=self.seconds, check=True)
                (found,) = Path(folder).rglob("affinity_asked.json")
                told = _TOLD.validate_json(found.read_bytes())
                both, *each = (told[f"affinity_pred_value{one}"] for one in ("", "1", "2"))
            except (OSError, subprocess.SubprocessError, ValueError, KeyError):
                return Score(0.0, failed=f"Boltz-2 gave no affinity for {molecule.smiles}.")
        return Score(6 - both, pstdev(each), molecule.heavy_atoms <= TRAINED)


def read_boltz(path: Path) -> Boltz:
    """The protein of a FASTA file, with the alignment of the same name beside it (`.a3m`), if there is one.

    Raises:
        WrongFile: it holds no sequence, or several.
    """
    head, *lines = path.read_text("utf-8").splitlines() or [""]
    sequence = "".join(map(str.strip, lines))
    if not head.startswith(">") or not re.fullmatch("[A-Z]+", sequence):
        raise WrongFile(f"{path.name} has to be a FASTA file with one protein.")
    msa = path.with_suffix(".a3m")
    return Boltz(path.stem, sequence, str(msa) if msa.is_file() else "empty")
