"""Drawings of molecules, in light and dark, as SVG and PNG. The same input gives the same bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rdkit.Chem.Draw import rdMolDraw2D

from agents.chemistry.molecule import PLAIN, Molecule, parsed
from agents.chemistry.recognition import common

LONGEST, MOST_ATOMS = 1_000, 150
"""Characters of a SMILES, and atoms besides hydrogen of a molecule that can be recognised in a drawing."""
WIDTH, HEIGHT = 500, 340
"""Dots of a drawing."""
CELL_WIDTH, CELL_HEIGHT = 260, 200
"""Dots of a drawing within a grid."""
GROUND = (13 / 255, 17 / 255, 23 / 255)
"""The ground of dark drawings, as that of other pictures (`agents.reports.drawing.DARK`)."""
CHANGED = (1.0, 0.72, 0.3)
"""The colour of what a molecule has and its parent has not."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture in two formats."""

    svg: bytes
    png: bytes


def draw(smiles: str, *, dark: bool = False, parent: Molecule | None = None) -> Drawing | None:
    """The drawing of a molecule; None for a SMILES that is not valid or is too large.

    With a `parent`, the atoms that differ from it are highlighted.
    """
    if len(smiles) > LONGEST or not PLAIN.fullmatch(smiles) or not drawable(mol := parsed(smiles)):
        return None
    changed = list(changed_atoms(Molecule(smiles), parent)) if parent else []
    made = []
    for canvas in _canvases(WIDTH, HEIGHT, dark=dark):
        canvas.drawOptions().setHighlightColour(CHANGED)
        rdMolDraw2D.PrepareAndDrawMolecule(canvas, mol, highlightAtoms=changed)
        made.append(_finished(canvas))
    return Drawing(*made)


def grid(
    molecules: Sequence[Molecule], legends: Sequence[str], *, columns: int = 4, dark: bool = False
) -> Drawing:
    """Several molecules side by side, each over its legend."""
    columns = max(1, min(columns, len(molecules)))
    rows = -(-len(molecules) // columns)
    size = (CELL_WIDTH * columns, CELL_HEIGHT * rows, CELL_WIDTH, CELL_HEIGHT)
    made = []
    for canvas in _canvases(*size, dark=dark):
        prepared = [rdMolDraw2D.PrepareMolForDrawing(one.mol, kekulize=True) for one in molecules]
        canvas.DrawMolecules(prepared, legends=list(legends))
        made.append(_finished(canvas))
    return Drawing(*made)


def changed_atoms(molecule: Molecule, parent: Molecule) -> tuple[int, ...]:
    """Indices of the atoms that are not part of the largest structure that both have in common."""
    kept = molecule.mol.GetSubstructMatch(common(molecule, parent))
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
