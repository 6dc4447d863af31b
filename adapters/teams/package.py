"""The app package that an admin uploads to Teams: manifest and icons as a zip file."""

import io
import json
import zipfile
from typing import Any

from PIL import Image, ImageDraw

from adapters.teams.extension import ASK_ALONE, CHECK_CLAIM

SCHEMA = "https://developer.microsoft.com/en-us/json-schemas/teams/v1.17/MicrosoftTeams.schema.json"
SCOPES = ("personal", "team", "groupChat")
COLOUR = "#1F6F5C"
PERMISSIONS = {
    "ChannelMessage.Read.Group": (
        "follow-ups in a channel's thread without a new mention. Without it Teams delivers a message of a "
        "channel to Pestle only where it mentions Pestle. Who owns a team grants it for that team alone; "
        "Pestle acts on replies in threads where it was asked, and keeps nothing else."
    )
}
"""Rights that the app asks for, and what each is for."""
_COMMANDS = (
    ("help", "What can be asked"),
    ("status", "How far the work is"),
    ("stop", "End the work, with what was found"),
    ("resume", "Go on from there"),
    ("sources", "The passages behind the last answer"),
    ("export pdf", "The last answer or report as a file"),
    ("digests", "What is told here on a schedule"),
    ("guidance", "What this channel wants of its reports"),
)


def manifest(app_id: str, address: str, privacy_url: str = "", terms_url: str = "") -> dict[str, Any]:
    """The app's manifest. `address` is where the bot is reached, `https://…`, as the app's home page, and its
    page on privacy and terms where the company names none.
    """
    listed = [{"title": title, "description": told} for title, told in _COMMANDS]
    rights = [{"name": name, "type": "Application"} for name in PERMISSIONS]
    return {
        "$schema": SCHEMA,
        "manifestVersion": "1.17",
        "version": "1.1.0",
        "id": app_id,
        "developer": {
            "name": "Pestle",
            "websiteUrl": address,
            "privacyUrl": privacy_url or address,
            "termsOfUseUrl": terms_url or address,
        },
        "name": {"short": "Pestle", "full": "Pestle, a pharmaceutical co-scientist"},
        "description": {
            "short": "Answers from your archive, with the verbatim passage behind every claim.",
            "full": "Ask in a chat or a channel's thread. Pestle reads your documents and public databases, "
            "answers with verbatim passages, and writes reports section by section.",
        },
        "icons": {"color": "color.png", "outline": "outline.png"},
        "accentColor": COLOUR,
        "bots": [
            {
                "botId": app_id,
                "scopes": [*SCOPES],
                "supportsFiles": True,
                "commandLists": [{"scopes": [*SCOPES], "commands": listed}],
            }
        ],
        "composeExtensions": [
            {
                "botId": app_id,
                "commands": [
                    {
                        "id": CHECK_CLAIM,
                        "type": "action",
                        "title": "Check this claim",
                        "description": "What the documents say about a message",
                        "context": ["message"],
                        "fetchTask": True,
                    },
                    {
                        "id": ASK_ALONE,
                        "type": "action",
                        "title": "Ask alone",
                        "description": "An answer for you alone, which you can share",
                        "context": ["compose", "commandBox"],
                        "parameters": [
                            {
                                "name": "question",
                                "title": "Question",
                                "description": "What you want to know",
                                "inputType": "textarea",
                            }
                        ],
                    },
                ],
            }
        ],
        "webApplicationInfo": {"id": app_id, "resource": f"api://{app_id}"},
        "authorization": {"permissions": {"resourceSpecific": rights}},
    }


def package(app_id: str, address: str, privacy_url: str = "", terms_url: str = "") -> bytes:
    """The zip file that is uploaded to Teams. The arguments are those of `manifest`."""
    told, packed = manifest(app_id, address, privacy_url, terms_url), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("manifest.json", json.dumps(told, indent=2))
        into.writestr("color.png", _icon(192, COLOUR))
        into.writestr("outline.png", _icon(32, None))
    return packed.getvalue()


def _icon(side: int, ground: str | None) -> bytes:
    """A mortar with its pestle, white on a ground, or on none as Teams wants its small icon."""
    image = Image.new("RGBA", (side * 4, side * 4), ground or (0, 0, 0, 0))
    draw, unit = ImageDraw.Draw(image), side * 4 / 32
    draw.line((14 * unit, 18 * unit, 23 * unit, 5 * unit), fill="white", width=round(3 * unit))
    draw.rectangle((6 * unit, 14 * unit, 26 * unit, 17 * unit), fill="white")
    draw.pieslice((7 * unit, 5 * unit, 25 * unit, 27 * unit), 0, 180, fill="white")
    draw.rectangle((11 * unit, 26 * unit, 21 * unit, 28 * unit), fill="white")
    written = io.BytesIO()
    image.resize((side, side), Image.Resampling.LANCZOS).save(written, "PNG")
    return written.getvalue()
