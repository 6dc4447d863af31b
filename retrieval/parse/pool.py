"""Parsing, and drawing pages, in processes of their own: on all cores, and a file that crashes or hangs its
parser costs only itself.

Children are started with `subprocess`, not forked: this process has threads, models and connections that a
fork would copy half. One is started at first, and more when files have to wait; they stay warm.
"""

import asyncio
import json
import os
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from retrieval.errors import ParserDied, RetrievalError
from retrieval.parse import wire
from retrieval.ports import OcrEngine, Paged, unpaged
from retrieval.values import Document

T = TypeVar("T")

BOOT = "import sys; sys.path[:] = sys.argv[1:]; from retrieval.parse.child import main; main()"
GROW_S = 2.0
"""Seconds a file waits before one more process is started for it: a few small files need only one."""
FILES_PER_CHILD = 500
"""Files after which a process is replaced, so that what libraries leave behind does not add up."""
START_S = 60.0
CLOSING_S = 2.0
"""How long a process may take to start, and to end by itself."""
SECONDS = 300.0
"""How long a file may take without a sign of life; a page read by OCR is one."""
MEMORY_MB = 4096
"""Address space of a process; a report of thousands of pages stays well below."""
NO_MEMORY = -9
"""Exit code of a process that Linux killed for want of memory (SIGKILL, which Windows does not have)."""

NOT_STARTED = (
    "A process for parsing cannot be started. Is there memory for it? Allow it more "
    "(PESTLE_INGEST_FILE_MEMORY), or fewer of them (PESTLE_INGEST_WORKERS)."
)
TOO_LONG = (
    "{} was given up after {:.0f} s. Split it, save it in another format, or allow more time "
    "(PESTLE_INGEST_FILE_SECONDS)."
)
KILLED = "{}: its parser was killed, most likely because memory ran out. Split it, or free some memory."
CLOSED = "No file is parsed any more: Pestle is ending."
CRASHED = "{} crashed its parser (exit {}). Get a fresh copy, or save it in another format."


class Child:
    """One parsing process."""

    def __init__(self, process: asyncio.subprocess.Process, setup: wire.Setup) -> None:
        self._process = process
        self._seconds = setup.seconds
        self._files = 0

    @classmethod
    async def start(cls, setup: wire.Setup) -> "Child":
        """Start a process with this process's import path; `-P` keeps the working folder out of it.

        Raises `RetrievalError` if it does not start.
        """
        pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        command = (sys.executable, "-P", "-c", BOOT, *sys.path)
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=none, start_new_session=True
            )
        except OSError as error:  # it is the system that has no room, not the file that cannot be opened
            raise RetrievalError(NOT_STARTED) from error
        child = cls(process, setup)
        try:
            child._send(pickle.dumps(setup))
            async with asyncio.timeout(START_S):
                await child._reply()
        except BaseException as error:
            await child.end()
            if isinstance(error, asyncio.IncompleteReadError | ConnectionError | TimeoutError):
                raise RetrievalError(NOT_STARTED) from error
            raise
        return child

    @property
    def usable(self) -> bool:
        """Whether it may be given another file."""
        return self._process.returncode is None and self._files < FILES_PER_CHILD

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged) -> Document:
        """Have it parse a file. Raises `DocumentError`; with `ParserDied`, the process is gone."""
        asked = {"path": os.fspath(path), "name": name, "sha256": sha256}
        return await self._asked(path, asked, wire.to_answer, paged)

    async def draw(self, path: Path, page: int, quotes: Sequence[str]) -> bytes:
        """Have it draw a page. Raises as `parse` does."""
        asked = {"path": os.fspath(path), "page": page, "quotes": list(quotes)}
        return await self._asked(path, asked, wire.to_picture)

    async def _asked(
        self,
        path: Path,
        request: dict[str, Any],
        read: Callable[[dict[str, Any]], T],
        paged: Paged = unpaged,
    ) -> T:
        self._files += 1
        try:
            self._send(json.dumps(request).encode())
            reply = await self._last_reply(paged)
            return await asyncio.to_thread(read, reply)
        except TimeoutError:
            await self.end()
            raise ParserDied(TOO_LONG.format(path.name, self._seconds)) from None
        except (asyncio.IncompleteReadError, ConnectionError, *wire.UNSOUND):
            code = await self._exit_code()
            message = KILLED if code == NO_MEMORY else CRASHED
            raise ParserDied(message.format(path.name, code)) from None
        except asyncio.CancelledError:
            await self.end()
            raise

    async def _last_reply(self, paged: Paged) -> dict[str, Any]:
        """What it says after pages, which are told, and signs of life, which give it its time anew."""
        async with asyncio.timeout(self._seconds) as limit:
            while True:
                reply = await self._reply()
                if "alive" in reply:
                    limit.reschedule(asyncio.get_running_loop().time() + self._seconds)
                elif "page" in reply:
                    paged(int(reply["page"]), int(reply["pages"]))
                else:
                    return reply

    async def end(self) -> None:
        """Kill it, and the programs that it started."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        await self._process.wait()

    async def _exit_code(self) -> int:
        """How it ended by itself; it is killed if it has only closed its stream."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_S):
                return await self._process.wait()
        await self.end()
        return await self._process.wait()

    def _send(self, body: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(wire.framed(body))

    async def _reply(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(wire.LENGTH.size)
        (length,) = wire.LENGTH.unpack(head)
        if length > wire.LONGEST:
            raise ValueError("a reply that is none")
        body = await self._process.stdout.readexactly(length)
        reply: dict[str, Any] = await asyncio.to_thread(json.loads, body)
        return reply


class ParserPool:
    """`Parser` in at most `workers` processes (default: one for each core).

    `seconds` limits the time that a file may take without a sign of life, `memory_mb` the memory of each
    process. A file over a limit, or one that crashes its process, raises `ParserDied`; the next one gets
    another process.
    """

    def __init__(
        self,
        ocr: OcrEngine | None = None,
        *,
        workers: int = 0,
        seconds: float = SECONDS,
        memory_mb: int = MEMORY_MB,
    ) -> None:
        self._setup = wire.Setup(ocr, seconds, memory_mb)
        # None stands for a process that may be started. All but one are held back until files have to wait.
        self._free: asyncio.LifoQueue[Child | None] = asyncio.LifoQueue()
        self._free.put_nowait(None)
        self._busy: set[Child] = set()
        self._closed = False
        self._held_back = (workers or os.cpu_count() or 1) - 1

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
        """The document in a file. Raises `DocumentError`."""
        async with self._child() as child:
            return await child.parse(path, name, sha256, paged)

    async def draw(self, path: Path, page: int, quotes: Sequence[str]) -> bytes:
        """A page as PNG, quotes highlighted: see `retrieval.parse.page_image`. Raises `DocumentError`."""
        async with self._child() as child:
            return await child.draw(path, page, quotes)

    @asynccontextmanager
    async def _child(self) -> AsyncIterator[Child]:
        """A process for one request. Raises `RetrievalError` if none can be started or the pool is closed."""
        child = await self._taken()
        try:
            child = child or await Child.start(self._setup)
            if self._closed:  # while it started
                await child.end()
                raise RetrievalError(CLOSED)
            self._busy.add(child)
            yield child
        finally:
            if child:
                self._busy.discard(child)
            if child and not child.usable:
                await child.end()
                child = None
            self._free.put_nowait(child)

    async def close(self) -> None:
        """End the processes, also those that are starting. Files that are being parsed are given up."""
        self._closed = True
        for child in tuple(self._busy):
            await child.end()
        while not self._free.empty():
            if free := self._free.get_nowait():
                await free.end()

    async def _taken(self) -> Child | None:
        """A process that is free, or None for leave to start one."""
        while self._held_back:
            with suppress(TimeoutError):
                async with asyncio.timeout(GROW_S):
                    return await self._free.get()
            if self._held_back:
                self._held_back -= 1
                self._free.put_nowait(None)
        return await self._free.get()
