"""Files that a person decides on, shown whole. What a reader could not see in a text is made visible."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from pydantic import TypeAdapter

from agents.ports import Artefacts
from agents.runs.artefacts import Artefact
from agents.runs.records import Event
from agents.runs.requests import ASKED
from bot.values import Attachment

LONGEST = 200_000
"""Bytes of a text that stands in a card; a longer one is handed out as a file."""
_artefacts = TypeAdapter(tuple[Artefact, ...])


class Attachments:
    """Reads the files that runs ask about, each once."""

    def __init__(self, artefacts: Artefacts) -> None:
        self._artefacts = artefacts
        self._read: dict[str, str] = {}

    async def of(self, events: Iterable[Event]) -> Mapping[str, Sequence[Attachment]]:
        """What a run has attached to its requests, by the name of the request."""
        asked = [json.loads(event.detail) for event in events if event.kind == ASKED]
        files = {
            one["name"]: _artefacts.validate_python(one["attachments"])
            for one in asked
            if "attachments" in one
        }
        return {name: [await self._shown(one) for one in of] for name, of in files.items()}

    async def _shown(self, file: Artefact) -> Attachment:
        if file.sha256 not in self._read:
            data = await self._artefacts.get(file.sha256) if file.size <= LONGEST else None
            self._read[file.sha256] = _text(data or b"")
        return Attachment(file.name, file.media_type, file.sha256, file.size, self._read[file.sha256])


def _text(data: bytes) -> str:
    """A file as text with nothing hidden in it: characters that are not seen, or turn the order of others, as
    their codes. "" for what is no text.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return "" if "\x00" in text else "".join(map(_visible, text.replace("\r\n", "\n")))


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\n\t"
    return f"\\u{ord(character):04x}" if hidden else character
