"""Routes of the files that runs made: pictures are shown, any other is handed out."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from agents.ports import Artefacts

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
}
"""A picture may style itself, as SVG does, and may do and load nothing. Its address is its content."""


def artefacts_routes(artefacts: Artefacts) -> list[Route]:
    """The routes."""

    async def picture(request: Request) -> Response:
        """A picture by the hash of its content; any other file is not shown here."""
        sha256 = request.path_params["sha256"]
        kept = await artefacts.described(sha256)
        data = await artefacts.get(sha256) if kept and kept.media_type in PICTURES else None
        if kept is None or data is None:
            return PlainTextResponse("There is no such picture.", 404)
        return Response(data, media_type=kept.media_type, headers=HEADERS)

    async def file(request: Request) -> Response:
        """Any file by the hash of its content, to be kept and not to be opened here."""
        sha256 = request.path_params["sha256"]
        kept, data = await artefacts.described(sha256), await artefacts.get(sha256)
        if kept is None or data is None:
            return PlainTextResponse("There is no such file.", 404)
        named = {"content-disposition": f"attachment; filename*=UTF-8''{quote(kept.name)}"}
        return Response(data, media_type="application/octet-stream", headers=HEADERS | named)

    return [Route("/artefacts/{sha256}", picture), Route("/artefacts/{sha256}/file", file)]
