"""Exports that leave as files: signed permissions to have one, and the downloads that they open.

In Teams a card links to a download on the bot's own port. Who has the link can read the report, as everybody
in the conversation can; the link names one report in one format, and is good for a day.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

import jwt
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from bot.commands import EXPORT_FORMATS
from bot.ports import FileMaker
from bot.values import Attachment, Export

GOOD_S = 86_400
"""Seconds for which a permission is good."""
OVER = "This link is no longer good, or never was. Ask for the file once more: `export pdf`."
GONE = "There is no report behind this link any more."
HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
}
_PATH = "/exports/"


@dataclass(frozen=True, slots=True)
class Permits:
    """Signs permissions with a key made of `secret`, and reads them again. Times are in seconds (UNIX)."""

    secret: str
    clock: Callable[[], float] = time.time

    def given(self, wanted: Export | Attachment) -> str:
        """A permission to download an export, or an attached file."""
        if isinstance(wanted, Attachment):
            claims = {"sha256": wanted.sha256, "name": wanted.name, "type": wanted.media_type}
        else:
            claims = {"run": wanted.run_id, "format": wanted.format}
        return jwt.encode({**claims, "exp": int(self.clock()) + GOOD_S}, self._key, "HS256")

    def read(self, permit: str) -> Export | Attachment | None:
        """What a permission is for; None for one that is not ours, or is over."""
        try:  # its end is looked at by our own clock, below
            told = jwt.decode(permit, self._key, ["HS256"], options={"require": ["exp"], "verify_exp": False})
        except (jwt.PyJWTError, ValueError):
            return None
        if told["exp"] <= self.clock():
            return None
        if "sha256" in told:
            return Attachment(told["name"], told["type"], told["sha256"], 0)
        return Export(told["run"], told["format"]) if told["format"] in EXPORT_FORMATS else None

    @property
    def _key(self) -> bytes:
        """A key for this alone: what it signs is good for nothing else that the secret opens."""
        return hashlib.sha256(b"pestle exports\0" + self.secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class Exports:
    """Hands out exports. `url` is where others reach the bot; "" where nobody can download from it."""

    permits: Permits
    url: str = ""

    def link(self, wanted: Export | Attachment) -> str:
        """Where an export or a file is downloaded; "" where that cannot be."""
        if not self.url:
            return ""
        return f"{self.url.rstrip('/')}{_PATH}{self.permits.given(wanted)}"


def export_routes(permits: Permits, files: FileMaker) -> list[BaseRoute]:
    """The route of downloads. The report is written when it is asked for, as it stands then."""

    async def download(request: Request) -> Response:
        wanted = permits.read(request.path_params["permit"])
        if wanted is None:
            return PlainTextResponse(OVER, 403, HEADERS)
        file = await files.made(wanted)
        if file is None:
            return PlainTextResponse(GONE, 404, HEADERS)
        named = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
        return Response(file.content, media_type=file.media_type, headers=HEADERS | named)

    return [Route(_PATH + "{permit}", download)]
