"""Docking as an oracle: AutoDock Vina in a process of its own, which is ended and begun anew if it hangs."""

import json
import select
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.chemistry.ligand import meeko, pdbqt
from agents.chemistry.molecule import Molecule
from agents.design.oracle import Direction, Score
from agents.errors import ChemistryError, LibraryMissing, WrongFile

SCATTER = 0.5
"""Usual standard deviation, kcal/mol, between runs of Vina with other seeds at low exhaustiveness."""
STARTING_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Box:
    """Where is docked: centre and size in angstrom."""

    centre: tuple[float, float, float]
    size: tuple[float, float, float]


@dataclass
class Docking:
    """The best score of one ligand in a box of a receptor, kcal/mol; low is good.

    Args:
        receptor: PDBQT file.
        box: where.
        exhaustiveness: how long Vina looks; 1 is quick, 8 is Vina's default.
        seed: of the conformer and of Vina; the same seed gives the same score.
        seconds: for one molecule, after which it counts as failed.
    """

    receptor: Path
    box: Box
    exhaustiveness: int = 1
    seed: int = 1
    seconds: float = 300.0
    direction: Direction = "minimise"
    good: float = -8.0
    _process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The receptor, and that it is docking."""
        return f"docking to {self.receptor.stem}"

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """A score each. What cannot be prepared or docked gets 0 and the reason.

        Raises:
            LibraryMissing: the extra `design` is not installed.
            WrongFile: there is no receptor.
        """
        return tuple(map(self._one, molecules))

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _one(self, molecule: Molecule) -> Score:
        try:
            text = pdbqt(molecule, self.seed)
        except ChemistryError as error:
            return Score(0.0, failed=str(error))
        fresh = self._process is None
        process = self._process = self._process or self._begun()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(text) + "\n")
            process.stdin.flush()
            patience = self.seconds + (STARTING_SECONDS if fresh else 0)
            ready, _, _ = select.select([process.stdout], [], [], patience)
            answer = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.close()
            return Score(0.0, failed=f"Vina gave no score for {molecule.smiles}.")
        return Score(float(answer), SCATTER)

    def _begun(self) -> "subprocess.Popen[str]":
        meeko()
        if find_spec("vina") is None:
            raise LibraryMissing("Docking needs AutoDock Vina. Install it with: pip install 'pestle[design]'")
        if not self.receptor.is_file():
            raise WrongFile(f"There is no receptor {self.receptor}; a PDBQT file is needed.")
        settings = {
            "receptor": str(self.receptor),
            "centre": self.box.centre,
            "size": self.box.size,
            "exhaustiveness": self.exhaustiveness,
            "seed": self.seed,
        }
        return subprocess.Popen(
            [sys.executable, "-m", "agents.design.vina", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )


class _Plan(BaseModel):
    """A file that names a receptor and where to dock, in angstrom."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    receptor: str
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    exhaustiveness: int = Field(default=1, ge=1, le=32)
    good: float = -8.0


def read_docking(path: Path) -> Docking:
    """The docking that a JSON file describes: receptor (beside the file), center, size, exhaustiveness, good.

    Raises:
        WrongFile: it cannot be read, or is of another form.
    """
    try:
        plan = _Plan.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise WrongFile(
            f"{path.name} has to name receptor, center and size, as "
            '{"receptor": "parp1.pdbqt", "center": [26, 12, 28], "size": [18, 18, 18]}.'
        ) from error
    box = Box(plan.center, plan.size)
    return Docking(path.parent / plan.receptor, box, plan.exhaustiveness, good=plan.good)
