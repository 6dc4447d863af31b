"""A process that parses files, and draws their pages, for its parent. Started by `retrieval.parse.pool`.

Whatever a file does to it, crash, hang or fill the memory, ends this process and not its parent.
"""

import faulthandler
import json
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from retrieval.errors import DocumentError
from retrieval.ingest.record import document
from retrieval.parse import parse, wire
from retrieval.parse.limits import Limits
from retrieval.parse.page_image import page_png
from retrieval.ports import OcrEngine

TOO_MUCH = "{} needs more memory than is allowed. Split it, or allow more (PESTLE_INGEST_FILE_MEMORY)."


class Alive:
    """An OCR engine that gives a sign of life with every page: a long scan is no file that hangs."""

    def __init__(self, engine: OcrEngine, replies: BinaryIO, seconds: float) -> None:
        self.name = engine.name
        self._engine = engine
        self._replies = replies
        self._seconds = seconds

    def read(self, image_png: bytes) -> str:
        """What the engine reads."""
        text = self._engine.read(image_png)
        watch(self._seconds)
        send(self._replies, {"alive": True})
        return text


def main() -> None:
    """Answer requests until the parent closes the stream."""
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the replies
    first = wire.received(requests)
    if first is None:
        return
    setup: wire.Setup = pickle.loads(first)  # from the parent, never from a document
    limit_memory(setup.memory_mb)
    ocr = Alive(setup.ocr, replies, setup.seconds) if setup.ocr else None
    limits = Limits(paged=lambda page, pages: send(replies, {"page": page, "pages": pages}))
    send(replies, {"alive": True})
    while (request := wire.received(requests)) is not None:
        watch(setup.seconds)
        send(replies, answer(json.loads(request), ocr, limits))
        faulthandler.cancel_dump_traceback_later()


def answer(request: dict[str, Any], ocr: OcrEngine | None, limits: Limits) -> dict[str, Any]:
    """The document in a file, or the picture of a page; or why there is none."""
    path = Path(request["path"])
    try:
        if "quotes" in request:
            return wire.of_picture(page_png(path, request["page"], request["quotes"]))
        return asdict(document(parse(path, ocr, limits), request["name"], request["sha256"]))
    except DocumentError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        return {"error": "DocumentTooLarge", "message": TOO_MUCH.format(path.name)}
    except Exception as error:  # one file that the rules stumble over must not stop the others
        message = f"The file could not be read ({type(error).__name__}). Save it in another format."
        return {"error": "CorruptDocument", "message": message}


def send(replies: BinaryIO, value: dict[str, Any]) -> None:
    """Send a reply at once."""
    replies.write(wire.frame(value))
    replies.flush()


def watch(seconds: float) -> None:
    """End this process some time after its parent should have ended it: it may be an orphan."""
    faulthandler.dump_traceback_later(seconds + 5, exit=True)


def limit_memory(megabytes: int) -> None:
    """Limit this process's address space, where the system has such a limit (not on Windows or macOS)."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = megabytes * 2**20
    with suppress(ValueError, OSError):  # macOS knows the limit by name and refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
