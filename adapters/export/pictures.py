"""The pictures of a report, for formats that can show them."""

from collections.abc import Mapping

from agents.kinds import RunView
from agents.ports import Artefacts
from agents.reports.values import Figure

RASTER = ("image/png", "image/jpeg")
"""What documents and PDF files can hold; other pictures are told in words."""


async def pictures_of(view: RunView, artefacts: Artefacts) -> Mapping[str, bytes]:
    """Content hash to content of every picture that the report shows now, in light and in dark."""
    found: dict[str, bytes] = {}
    for section in view.report.sections if view.report else ():
        for block in section.blocks:
            if isinstance(block, Figure) and block.media_type in RASTER:
                for sha256 in filter(None, (block.sha256, block.dark)):
                    if (data := await artefacts.get(sha256)) is not None:
                        found[sha256] = data
    return found
