"""What passes between a parsing process and its parent: frames of a length and so many bytes of JSON.

JSON and not pickle: a process that a hostile file has taken over can send its parent nothing but values.
"""

import base64
import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from retrieval.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnsupportedFormat,
)
from retrieval.ports import OcrEngine
from retrieval.values import Document

DOCUMENT = TypeAdapter(Document)
LENGTH = struct.Struct(">Q")
LONGEST = 2**30
"""Bytes of a frame that a parent accepts."""
KINDS: dict[str, type[DocumentError]] = {
    "UnsupportedFormat": UnsupportedFormat,
    "EncryptedDocument": EncryptedDocument,
    "DocumentTooLarge": DocumentTooLarge,
}
"""Errors by their name; any other is one of a corrupt document."""
UNSOUND = (ValueError, TypeError, LookupError, AttributeError)
"""What reading a reply raises that no sound process would give."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a parsing process is told first, pickled: it trusts its parent.

    `seconds` is how long a file may show no sign of life, `memory_mb` how much memory the process may take.
    """

    ocr: OcrEngine | None
    seconds: float
    memory_mb: int


def frame(value: dict[str, Any]) -> bytes:
    """A value as it is sent."""
    return framed(json.dumps(value).encode())


def framed(body: bytes) -> bytes:
    """Bytes with their length before them."""
    return LENGTH.pack(len(body)) + body


def received(stream: BinaryIO) -> bytes | None:
    """The next frame's bytes; None at the end of the stream."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def of_picture(png: bytes) -> dict[str, Any]:
    """A picture as a value."""
    return {"png": base64.b64encode(png).decode()}


def to_picture(value: dict[str, Any]) -> bytes:
    """The picture of a reply. Raises as `to_answer` does."""
    _raise_error(value)
    return base64.b64decode(value["png"], validate=True)


def to_answer(value: dict[str, Any]) -> Document:
    """The document of a reply.

    Raises `DocumentError` where the reply says why there is none, and one of `UNSOUND` for a reply that no
    sound process would give.
    """
    _raise_error(value)
    return DOCUMENT.validate_python(value)


def _raise_error(value: dict[str, Any]) -> None:
    if "error" in value:
        raise KINDS.get(value["error"], CorruptDocument)(str(value["message"]))
