"""Molecules drawn from their SMILES, in light and dark. RDKit is loaded when the first one is drawn.

A SMILES comes from a document or a database, so it may be anything: what RDKit does not read as a molecule,
or what is too large to be drawn, is told in words.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from typing import Any

from agents.reports.values import Code, Figure, Structure
from bot import words
from bot.values import Attachment

LONGEST, MOST_ATOMS = 1_000, 150
"""Characters of a SMILES that is read, and atoms besides hydrogen of a molecule that can be recognised."""
WIDTH, HEIGHT = 500, 340
"""Dots of a drawing."""
PLAIN = re.compile(r"[!-~]+")
"""What a SMILES is written with; a blank would end it, and RDKit takes what follows for a name."""
GROUND = (13 / 255, 17 / 255, 23 / 255)
"""The ground of dark drawings, as that of other pictures (`agents.reports.drawing.DARK`)."""
KEPT = 200
"""Drawings that are kept in memory."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One molecule in one theme, in two formats."""

    svg: bytes
    png: bytes


@lru_cache(KEPT)
def drawn(smiles: str, *, dark: bool = False) -> Drawing | None:
    """The drawing of a molecule; None for a SMILES that is not valid or is too large.

    The same SMILES gives the same bytes.
    """
    if (molecule := _read(smiles)) is None:
        return None
    draw: Any = import_module("rdkit.Chem.Draw.rdMolDraw2D")
    svg, png = draw.MolDraw2DSVG(WIDTH, HEIGHT), draw.MolDraw2DCairo(WIDTH, HEIGHT)
    for canvas in (svg, png):
        if dark:
            draw.SetDarkMode(canvas)
            canvas.drawOptions().setBackgroundColour(GROUND)
        draw.PrepareAndDrawMolecule(canvas, molecule)
        canvas.FinishDrawing()
    return Drawing(svg.GetDrawingText().encode(), png.GetDrawingText())


def in_words(part: Figure | Structure | Code | Attachment) -> str:
    """A part of a card as Markdown, for a skin that shows no drawing of it below: see `bot.words`."""
    told = words.in_words(part)
    return told if not isinstance(part, Structure) or drawn(part.smiles) else f"{told}: {words.NOT_DRAWN}"


def key(smiles: str, *, dark: bool = False) -> str:
    """What a drawing is called among the pictures of a report."""
    return sha256(f"{'dark' if dark else 'light'} {smiles}".encode()).hexdigest()


def _read(smiles: str) -> Any:
    """RDKit's molecule, or None."""
    if len(smiles) > LONGEST or not PLAIN.fullmatch(smiles):
        return None
    chem: Any = import_module("rdkit.Chem")
    logs: Any = import_module("rdkit.rdBase")
    with logs.BlockLogs():  # what is wrong with it is told to the reader
        molecule = chem.MolFromSmiles(smiles)
    if molecule is None or not 0 < molecule.GetNumHeavyAtoms() <= MOST_ATOMS:
        return None
    return molecule
