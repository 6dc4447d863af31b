"""The process that docks: reads a PDBQT a line from its input, as JSON, and writes the best score a line.

Run as `python -m agents.design.vina SETTINGS`, with the settings of a `Docking` as JSON. AutoDock Vina is
native code that may crash or hang: here it takes only this process with it.
"""

import json
import os
import sys
from importlib import import_module
from typing import Any

MODES = 1


def opened(settings: dict[str, Any]) -> Any:
    """Vina with the receptor and its maps, which is the slow part."""
    vina = import_module("vina").Vina(sf_name="vina", cpu=1, seed=settings["seed"], verbosity=0)
    vina.set_receptor(settings["receptor"])
    vina.compute_vina_maps(center=settings["centre"], box_size=settings["size"])
    return vina


def main() -> None:
    """Dock until the input ends."""
    settings = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # Vina prints; answers keep the pipe for themselves
    vina = opened(settings)
    for line in sys.stdin:
        vina.set_ligand_from_string(json.loads(line))
        vina.dock(exhaustiveness=settings["exhaustiveness"], n_poses=MODES)
        answers.write(f"{float(vina.energies(n_poses=MODES)[0][0])}\n")
        answers.flush()


if __name__ == "__main__":
    main()
