"""Molecules of a report, drawn. RDKit is loaded when the first one is drawn.

A SMILES comes from a document or a database, so it may be anything: what RDKit does not read as a molecule,
or what is too large to be drawn, is told in words.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from agents.reports.values import Code, Figure, Structure
from bot import words
from bot.values import Attachment

if TYPE_CHECKING:
    from agents.chemistry.drawing import Drawing

KEPT = 200
"""Drawings that are kept in memory."""


@lru_cache(KEPT)
def drawn(smiles: str, *, dark: bool = False) -> Drawing | None:
    """The drawing of a molecule; None for a SMILES that is not valid or is too large.

    The same SMILES gives the same bytes.
    """
    from agents.chemistry.drawing import draw

    return draw(smiles, dark=dark)


def in_words(part: Figure | Structure | Code | Attachment) -> str:
    """A part of a card as Markdown, for a skin that shows no drawing of it below: see `bot.words`."""
    told = words.in_words(part)
    return told if not isinstance(part, Structure) or drawn(part.smiles) else f"{told}: {words.NOT_DRAWN}"


def key(smiles: str, *, dark: bool = False) -> str:
    """What a drawing is called among the pictures of a report."""
    return sha256(f"{'dark' if dark else 'light'} {smiles}".encode()).hexdigest()
