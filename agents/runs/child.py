"""Runs a program as a child process, within limits of time and output, and never leaves one behind.

The child leads a process group of its own, which is killed as a whole when the child ends, exceeds a limit,
or the task that waits for it is cancelled (a stopped run). There is no shell, and the child sees none of
our environment but what it is given.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import ChildFailed
from agents.runs.failures import innermost

LOOK_S = 0.02
INHERITED = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""Names of the environment that a child gets anyway."""
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """How long a child may run, in seconds, and how many bytes it may write to each of its two outputs."""

    seconds: float = 60.0
    output_bytes: int = 10_000_000


@dataclass(frozen=True, slots=True)
class ChildResult:
    """What a child left that ended by itself; `code` is negative if a signal ended it."""

    code: int
    out: bytes
    err: bytes
    seconds: float


async def run_child(
    command: Sequence[str],
    *,
    input: bytes = b"",
    limits: ChildLimits | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> ChildResult:
    """Run a program with its arguments and wait for its end. `folder` is its working directory.

    Raises `ChildFailed` if it cannot be started or exceeds a limit.
    """
    began, limits = time.monotonic(), limits or ChildLimits()
    process = await _start(command, folder, environment)
    try:
        async with asyncio.timeout(limits.seconds):
            out, err = await _communicate(process, command[0], input, limits.output_bytes)
    except TimeoutError:
        raise ChildFailed(f"{command[0]} was ended: it ran longer than {limits.seconds:g} s.") from None
    except ExceptionGroup as failed:
        raise innermost(failed) from None
    finally:
        await _end(process)
    return ChildResult(process.returncode or 0, out, err, time.monotonic() - began)


async def _start(
    command: Sequence[str], folder: Path | None, environment: Mapping[str, str] | None
) -> asyncio.subprocess.Process:
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env={**inherited, **(environment or {})},
            start_new_session=True,
        )
    except OSError as error:
        raise ChildFailed(f"{command[0]} cannot be started: {error.strerror}. Is it installed?") from error


async def _communicate(
    process: asyncio.subprocess.Process, name: str, data: bytes, most: int
) -> tuple[bytes, bytes]:
    """Feed the child and collect its outputs until it ends; what it left running is ended then."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.TaskGroup() as group:
        group.create_task(_feed(process.stdin, data))
        out = group.create_task(_read(process.stdout, name, most))
        err = group.create_task(_read(process.stderr, name, most))
        group.create_task(_end_group_after(process))
    return out.result(), err.result()


async def _feed(pipe: asyncio.StreamWriter, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not read all
        pipe.write(data)
        await pipe.drain()
        pipe.close()
        await pipe.wait_closed()


async def _read(pipe: asyncio.StreamReader, name: str, most: int) -> bytes:
    pieces = bytearray()
    while piece := await pipe.read(_PIECE):
        pieces += piece
        if len(pieces) > most:
            raise ChildFailed(f"{name} was ended: it wrote more than {most} bytes.")
    return bytes(pieces)


async def _end_group_after(process: asyncio.subprocess.Process) -> None:
    """A grandchild that outlives the child would hold its outputs open for ever."""
    await _ended(process)
    _kill_group(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill whatever is left, and wait until the child is gone, also when this task is cancelled again."""
    if process.returncode is None:
        _kill_group(process)
        await asyncio.shield(_ended(process))
    # A process that left the group may hold the pipes open, and nothing public of asyncio closes them.
    process._transport.close()  # type: ignore[attr-defined]
    await asyncio.sleep(0)  # the loop closes them in its next round


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for the child itself. `Process.wait` would also wait for whoever holds its outputs open."""
    while process.returncode is None:  # noqa: ASYNC110 - set by the event loop, which offers no event
        await asyncio.sleep(LOOK_S)


def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
