"""Files that a run makes, kept by the hash of their content beside the JSON of its steps."""

import hashlib
from dataclasses import dataclass

from agents.errors import ArtefactTooLarge

MOST_BYTES = 20_000_000
"""Size of the largest file that is kept."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A kept file as a step's output refers to it: its content hash, media type ("image/png"), name and size
    in bytes.
    """

    sha256: str
    media_type: str
    name: str
    size: int


def described(data: bytes, media_type: str, name: str) -> Artefact:
    """The reference to a file. Raises `ArtefactTooLarge`."""
    if len(data) > MOST_BYTES:
        raise ArtefactTooLarge(
            f"{name} has {len(data)} bytes, and a run keeps files of up to {MOST_BYTES} bytes. "
            "Make it smaller, or split it."
        )
    return Artefact(hashlib.sha256(data).hexdigest(), media_type, name, len(data))


class MemoryArtefacts:
    """Implements `agents.ports.Artefacts` in this process."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[bytes, Artefact]] = {}

    async def put(self, data: bytes, media_type: str, name: str) -> Artefact:
        """See the port."""
        artefact = described(data, media_type, name)
        self._kept.setdefault(artefact.sha256, (data, artefact))
        return artefact

    async def get(self, sha256: str) -> bytes | None:
        """See the port."""
        kept = self._kept.get(sha256)
        return kept[0] if kept else None

    async def described(self, sha256: str) -> Artefact | None:
        """See the port."""
        kept = self._kept.get(sha256)
        return kept[1] if kept else None
