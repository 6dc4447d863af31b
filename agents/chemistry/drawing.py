"""Drawings of molecules, in light and dark, as SVG and PNG. The same input gives the same bytes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rdkit.Chem.Draw import rdMolDraw2D

from agents.chemistry.molecule import PLAIN, Molecule, parsed
from agents.chemistry.recognition import shared

LONGEST, MOST_ATOMS = 1_000, 150
"""Characters of a SMILES, and atoms besides hydrogen of a molecule that can be recognised in a drawing."""
WIDTH, HEIGHT = 500, 340
"""Dots of a drawing."""
CELL_WIDTH, CELL_HEIGHT, COLUMNS = 300, 220, 3
"""Dots of a drawing within a grid, and how many stand side by side there."""
GROUND = (13 / 255, 17 / 255, 23 / 255)
"""The ground of dark drawings, as that of other pictures (`agents.reports.drawing.DARK`)."""
CHANGED = ((1.0, 0.72, 0.3), (0.5, 0.33, 0.05))
"""The colour of what a parent has not, in light and in dark: letters on it stay legible."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture in two formats."""

    svg: bytes
    png: bytes


def draw(smiles: str, *, dark: bool = False) -> Drawing | None:
    """The drawing of a molecule; None for a SMILES that is not valid or is too large."""
    if len(smiles) > LONGEST or not PLAIN.fullmatch(smiles) or not drawable(mol := parsed(smiles)):
        return None
    made = []
    for canvas in _canvases(WIDTH, HEIGHT, dark=dark):
        rdMolDraw2D.PrepareAndDrawMolecule(canvas, mol)
        made.append(_finished(canvas))
    return Drawing(*made)


def grid(molecules: Mapping[str, Molecule], parent: Molecule | None = None, *, dark: bool = False) -> Drawing:
    """Several molecules side by side, each over its name; the atoms that differ from a `parent` are
    highlighted. One molecule at least.
    """
    columns = min(COLUMNS, len(molecules))
    rows = -(-len(molecules) // columns)
    size = (CELL_WIDTH * columns, CELL_HEIGHT * rows, CELL_WIDTH, CELL_HEIGHT)
    changed = [changed_atoms(one, parent) if parent else () for one in molecules.values()]
    made = []
    for canvas in _canvases(*size, dark=dark):
        canvas.drawOptions().setHighlightColour(CHANGED[dark])
        prepared = [rdMolDraw2D.PrepareMolForDrawing(one.mol, kekulize=True) for one in molecules.values()]
        canvas.DrawMolecules(prepared, legends=list(molecules), highlightAtoms=changed)
        made.append(_finished(canvas))
    return Drawing(*made)


def changed_atoms(molecule: Molecule, parent: Molecule) -> tuple[int, ...]:
    """Indices of the atoms that are in no part that both have in common, rings whole."""
    kept = {atom for found in shared(molecule, parent) for atom, _ in found.atomMatches()}
    return tuple(atom for atom in range(molecule.mol.GetNumAtoms()) if atom not in kept)


def drawable(mol: Any) -> bool:
    """Whether it is a molecule, and not too large for a picture."""
    return mol is not None and 0 < mol.GetNumHeavyAtoms() <= MOST_ATOMS


def _canvases(*size: int, dark: bool) -> Iterator[Any]:
    """One for SVG and one for PNG."""
    for canvas in (rdMolDraw2D.MolDraw2DSVG(*size), rdMolDraw2D.MolDraw2DCairo(*size)):
        if dark:
            rdMolDraw2D.SetDarkMode(canvas)
            canvas.drawOptions().setBackgroundColour(GROUND)
        yield canvas


def _finished(canvas: Any) -> bytes:
    canvas.FinishDrawing()
    text = canvas.GetDrawingText()
    return text.encode() if isinstance(text, str) else bytes(text)
