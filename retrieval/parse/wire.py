"""What passes between a parsing process and its parent: frames of a length and so many bytes of JSON.

JSON and not pickle: a process that a hostile file has taken over can send its parent nothing but values.
"""

import base64
import binascii
import json
import struct
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

from retrieval.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnsupportedFormat,
)
from retrieval.index.rows import record_from_values
from retrieval.ports import OcrEngine
from retrieval.values import Document, Page

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


def of_document(document: Document) -> dict[str, Any]:
    """A document as a value."""
    pages = [[page.number, page.start, page.end] for page in document.pages]
    return {"record": asdict(document.record), "text": document.text, "pages": pages}


def of_picture(png: bytes) -> dict[str, Any]:
    """A picture as a value."""
    return {"png": base64.b64encode(png).decode()}


def to_picture(value: dict[str, Any]) -> bytes | DocumentError:
    """The picture of a reply, or why there is none. Raises as `to_answer` does."""
    if "error" in value:
        return KINDS.get(value["error"], CorruptDocument)(str(value["message"]))
    try:
        return base64.b64decode(value["png"], validate=True)
    except binascii.Error as error:
        raise ValueError("a picture that is none") from error


def to_answer(value: dict[str, Any]) -> Document | DocumentError:
    """The document of a reply, or why there is none.

    Raises one of `UNSOUND` for a reply that no sound process would give.
    """
    if "error" in value:
        return KINDS.get(value["error"], CorruptDocument)(str(value["message"]))
    pages = tuple(Page(*page) for page in value["pages"])
    return Document(record_from_values(value["record"]), str(value["text"]), pages)
