"""Route of the molecules that a page shows, drawn from the SMILES in their address."""

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.structures import drawn
from adapters.web.artefacts import HEADERS
from agents.reports.values import Structure

PLACE = "/structures"


def drawing_address(molecule: Structure, theme: str) -> str:
    """Where the page gets a molecule's drawing, `theme` "light" or "dark"; "" for one that is not drawn."""
    if drawn(molecule.smiles) is None:
        return ""
    return f"{PLACE}/{theme}.svg?{urlencode({'smiles': molecule.smiles})}"


def drawings_routes() -> list[Route]:
    """The route."""

    async def drawing(request: Request) -> Response:
        smiles = request.query_params.get("smiles", "")
        dark = request.path_params["theme"] == "dark"
        made = await asyncio.to_thread(drawn, smiles, dark=dark)
        if made is None:
            return PlainTextResponse("This SMILES is not valid, or its molecule is too large.", 404)
        return Response(made.svg, media_type="image/svg+xml", headers=HEADERS)

    return [Route(f"{PLACE}/{{theme}}.svg", drawing)]
