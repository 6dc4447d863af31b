"""Exports that leave as files: signed permissions to have one, and the downloads that they open.

Teams lets a bot put a file into a chat with one person alone (`adapters.teams.consent`). Elsewhere a card
links to a download on the bot's own port. Who has the link can read the report, as everybody in the
conversation can; the link names one report in one format, and is good for a day.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import jwt
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from bot.commands import EXPORT_FORMATS
from bot.ports import FileMaker
from bot.values import Attachment, Export, Handed

GOOD_S = 86_400
"""Seconds for which a permission is good."""
DOWNLOAD, UPLOAD, ATTACHED = "download", "upload", "attached"
"""What a permission is for: one is never taken for the other."""
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

    def given(self, export: Export, purpose: str, place: str = "") -> str:
        """A permission to have an export, for a purpose and, if named, from one conversation alone."""
        claims = {"run": export.run_id, "format": export.format, "place": place, "aud": purpose}
        return jwt.encode({**claims, "exp": int(self.clock()) + GOOD_S}, self._key, "HS256")

    def given_file(self, file: Attachment) -> str:
        """A permission to download an attached file."""
        claims = {
            "sha256": file.sha256,
            "name": file.name,
            "type": file.media_type,
            "place": "",
            "aud": ATTACHED,
        }
        return jwt.encode({**claims, "exp": int(self.clock()) + GOOD_S}, self._key, "HS256")

    def read_file(self, permit: str) -> Attachment | None:
        """The attached file that a permission is for; None as `read`."""
        told = self._told(permit, ATTACHED, "")
        return Attachment(told["name"], told["type"], told["sha256"], 0) if told else None

    def read(self, permit: str, purpose: str, place: str = "") -> Export | None:
        """What a permission is for; None for one that is not ours, is for something else, or is over."""
        told = self._told(permit, purpose, place)
        good = told is not None and told["format"] in EXPORT_FORMATS
        return Export(told["run"], told["format"]) if told and good else None

    def _told(self, permit: str, purpose: str, place: str) -> dict[str, Any] | None:
        try:
            told = jwt.decode(
                permit,
                self._key,
                ["HS256"],
                audience=purpose,
                options={"require": ["exp", "aud"], "verify_exp": False},  # by our own clock, below
            )
        except (jwt.PyJWTError, ValueError):
            return None
        good = told["exp"] > self.clock() and told["place"] == place
        return dict(told) if good else None

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
        if isinstance(wanted, Attachment):
            permit = self.permits.given_file(wanted)
        else:
            permit = self.permits.given(wanted, DOWNLOAD)
        return f"{self.url.rstrip('/')}{_PATH}{permit}"


def export_routes(permits: Permits, files: FileMaker) -> list[BaseRoute]:
    """The route of downloads. The report is written when it is asked for, as it stands then."""

    async def download(request: Request) -> Response:
        permit = request.path_params["permit"]
        wanted: Handed | None = permits.read(permit, DOWNLOAD) or permits.read_file(permit)
        if wanted is None:
            return PlainTextResponse(OVER, 403, HEADERS)
        file = await files.made(wanted)
        if file is None:
            return PlainTextResponse(GONE, 404, HEADERS)
        named = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
        return Response(file.content, media_type=file.media_type, headers=HEADERS | named)

    return [Route(_PATH + "{permit}", download)]
