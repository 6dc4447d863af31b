"""A control group that bounds the memory of a sandbox, where this process may make one.

It counts what no look at processes sees: files in memory, and what was taken between two looks.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from os import getpid
from pathlib import Path
from uuid import uuid4

ROOT = Path("/sys/fs/cgroup")
NAME = "pestle-"
ROUNDS = 100
SLACK = 128_000_000
"""Bytes beside the program's own limits: the sandbox itself, shared memory, and pages of files."""


class Group:
    """A group of processes with a bound of memory. `folder` None: there is none, and nothing is bounded."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def take(self, pid: int) -> None:
        """Put a process, and all that it will start, into the group."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                (self._folder / "cgroup.procs").write_text(str(pid))

    @property
    def overrun(self) -> bool:
        """Whether the kernel ended a process for want of memory."""
        if self._folder is None:
            return False
        told = "".join(
            path.read_text()
            for name in ("memory.events", "memory.oom_control")
            if (path := self._folder / name).exists()
        )
        return any(line.startswith("oom_kill ") and not line.endswith(" 0") for line in told.splitlines())


@contextlib.asynccontextmanager
async def group(most: int) -> AsyncIterator[Group]:
    """A group for one program that may use `most` bytes; one that bounds nothing where none can be made.

    It is removed at the end, once the kernel has ended all that was in it.
    """
    folder = _made(most)
    try:
        yield Group(folder)
    finally:
        for _ in range(ROUNDS):
            if folder is None or _removed(folder):
                break
            await asyncio.sleep(0.02)


def _removed(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _made(most: int) -> Path | None:
    try:
        _clear(_own())
        folder = _own() / f"{NAME}{getpid()}-{uuid4().hex[:8]}"
        folder.mkdir()
    except OSError:
        return None
    try:
        names = ("memory.max", "memory.limit_in_bytes")
        limit = next(folder / name for name in names if (folder / name).exists())
        limit.write_text(str(most + SLACK))
    except (OSError, StopIteration):
        folder.rmdir()
        return None
    with contextlib.suppress(OSError):
        (folder / "memory.swap.max").write_text("0")
    return folder


def _clear(parent: Path) -> None:
    """Remove what workers that were killed have left."""
    for left in parent.glob(f"{NAME}*"):
        if not Path("/proc", left.name.split("-")[1]).exists():
            _removed(left)


def _own() -> Path:
    """The folder of this process's own group, of the second version or of the first."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    own = {names: path for _, names, path in (line.split(":", 2) for line in lines)}
    first = next((path for names, path in own.items() if "memory" in names.split(",")), None)
    return ROOT / own.get("", "/").lstrip("/") if first is None else ROOT / "memory" / first.lstrip("/")
