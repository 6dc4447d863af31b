"""The pictures of a report, for formats that can show them."""

import asyncio
from collections.abc import Mapping

from adapters.structures import drawn, key
from agents.kinds import RunView
from agents.ports import Artefacts
from agents.reports.values import Figure, Structure

RASTER = ("image/png", "image/jpeg")
"""What documents and PDF files can hold; other pictures are told in words."""


async def pictures_of(view: RunView, artefacts: Artefacts) -> Mapping[str, bytes]:
    """Content hash to content of every picture that the report shows now, in light and in dark. Molecules are
    drawn here; what stands for their hash is `adapters.structures.key`.
    """
    found: dict[str, bytes] = {}
    for block in view.report.blocks if view.report else ():
        if isinstance(block, Structure):
            found |= await asyncio.to_thread(_drawn, block.smiles)
        elif isinstance(block, Figure) and block.media_type in RASTER:
            for sha256 in filter(None, (block.sha256, block.dark)):
                if (data := await artefacts.get(sha256)) is not None:
                    found[sha256] = data
    return found


def _drawn(smiles: str) -> dict[str, bytes]:
    """A molecule in light and in dark; nothing where its SMILES is not valid."""
    both = {key(smiles, dark=dark): drawn(smiles, dark=dark) for dark in (False, True)}
    return {name: drawing.png for name, drawing in both.items() if drawing}
