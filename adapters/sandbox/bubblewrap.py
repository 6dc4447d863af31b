"""Runs programs with bubblewrap (https://github.com/containers/bubblewrap) in namespaces of their own.

The program sees `/usr`, a few files of `/etc` that loaders and R need, and folders that are named in the
settings, all read-only; its working folder is memory of a fixed size. It has no network, no capabilities and
no other user's processes; it ends with this process. Needs Linux with user namespaces for ordinary users
(docs/guide/programs.md says how to allow them in containers).
"""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from adapters.sandbox.cgroup import group
from adapters.sandbox.outputs import ProgramOutcome, read_outcome
from adapters.sandbox.watch import Watch
from agents.errors import SandboxUnavailable
from agents.programs.values import Ended, Excess, Job, KeptOutput, Limits, Used, amount
from agents.runs.failures import innermost

NEEDED = ("bwrap", "prlimit", "tar")
"""Programs that this takes: Debian has them in bubblewrap, util-linux and tar."""
UNUSABLE = (
    "No program can run in the sandbox here: bubblewrap could not set it up. It needs user namespaces for "
    "ordinary users; docs/guide/programs.md says how to allow them."
)
ORDINARY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
"""The user that a program is where Pestle itself is root: nobody."""
Begun = tuple[asyncio.subprocess.Process, socket.socket]
PATH = "/usr/local/bin:/usr/bin:/bin"
SHARED_MEMORY = 64_000_000
OPEN_FILES = 1024
OF_ETC = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "R",
    "fonts",
    "localtime",
    "mime.types",
)
BARE = ("bin", "lib", "lib64", "sbin")
OWN_PROCESSES = 3
"""Processes of the sandbox itself: bubblewrap twice, and the shell that starts the program."""
SPARE = 8
"""So much later than the look at all processes the kernel's own limit of processes and seconds acts."""
HELD = 'read -r _ && exec "$@" 3>&0 </dev/null'
"""Waits until this process is in its group. If the worker dies before, nothing is started."""
INSIDE = """
echo started >&3
limits="--core=0 --nofile=$1 --fsize=$2 --nproc=$3 --cpu=$4"
shift 4
prlimit $limits -- "$@" 3>&-
code=$?
kill -KILL -1 2>/dev/null
times >&3
echo $code $(stat --file-system --format=%a /work) >&3
exec tar -C /work/out --format=ustar --hard-dereference --sort=name -cf - . >&3 2>/dev/null
"""
"""Runs the program within the kernel's limits, ends what it left running, and hands its files out."""


class BubblewrapSandbox:
    """Implements `agents.ports.Sandbox`. `reads` are further folders that programs may read."""

    name = "bubblewrap"

    def __init__(self, program: str, limits: Limits | None = None, reads: Sequence[Path] = ()) -> None:
        self._program, self._limits, self._reads = program, limits or Limits(), tuple(reads)

    async def unavailable(self) -> str:
        """See the port."""
        try:
            ended = await self.run(Job(("true",)))
        except SandboxUnavailable as error:
            return str(error)
        return "" if ended.well else f"A program in the sandbox failed: {ended.reason or ended.err}"

    async def run(self, job: Job) -> Ended:
        """See the port."""
        limits, began = (job.limits or self._limits).within(self._limits), time.monotonic()
        told = _Told(
            KeptOutput("standard output", limits.output), KeptOutput("standard error", limits.output)
        )
        async with (
            group(limits.memory + limits.disk) as bounds,
            self._started(job, limits) as (process, line),
        ):
            bounds.take(process.pid)
            watch = Watch(process.pid, limits, OWN_PROCESSES)
            reason = await _reason(_listened(process, line, told, watch, limits), limits)
            reason = f"used more than {amount(limits.memory)} of memory" if bounds.overrun else reason
        used = replace(
            watch.used,
            seconds=time.monotonic() - began,
            processor=max(watch.used.processor, told.outcome.processor),
        )
        return _ended(told, reason, used, limits.disk)

    @contextlib.asynccontextmanager
    async def _started(self, job: Job, limits: Limits) -> AsyncIterator["Begun"]:
        """The sandbox, held until somebody writes to its line, and dead at the end."""
        ours, theirs = socket.socketpair()
        with ExitStack() as stack:
            stack.callback(ours.close)
            stack.enter_context(theirs)
            given = [(name, stack.enter_context(_memory(data)).fileno()) for name, data in job.files.items()]
            process = await asyncio.create_subprocess_exec(
                *("/bin/sh", "-c", HELD, "sh", *self._command(job, limits, given)),
                stdin=theirs.fileno(),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                pass_fds=[descriptor for _, descriptor in given],
                env={"PATH": PATH},
                start_new_session=True,
                **(ORDINARY if os.getuid() == 0 else {}),
            )
            theirs.close()
            try:
                yield process, ours
            finally:
                await _end(process)

    def _command(self, job: Job, limits: Limits, given: Sequence[tuple[str, int]]) -> Iterator[str]:
        """The whole command, where an input file is read from a file descriptor."""
        yield from (self._program, "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL")
        yield from ("--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv")
        yield from self._readable()
        yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm")
        yield from (
            "--remount-ro",
            "/dev",
            "--size",
            str(limits.disk),
            "--tmpfs",
            "/work",
            "--tmpfs",
            "/work/in",
        )
        for name, descriptor in given:
            yield from ("--perms", "0444", "--ro-bind-data", str(descriptor), f"/work/in/{name}")
        yield from ("--remount-ro", "/work/in", "--dir", "/work/out", "--dir", "/work/tmp")
        yield from ("--symlink", "work/tmp", "/tmp", "--remount-ro", "/", "--chdir", "/work")
        for name, value in {"PATH": PATH, "HOME": "/work", "LANG": "C.UTF-8", **job.environment}.items():
            yield from ("--setenv", name, value)
        kernel = (OPEN_FILES, limits.disk, limits.processes + SPARE, int(limits.processor) + SPARE)
        yield from ("--", "/bin/sh", "-c", INSIDE, "sh", *map(str, kernel), *job.argv)

    def _readable(self) -> Iterator[str]:
        """What of this machine a program may read."""
        yield from ("--ro-bind", "/usr", "/usr")
        for name in BARE:
            if (place := Path("/", name)).is_symlink():
                yield from ("--symlink", f"usr/{name}", str(place))
            else:
                yield from ("--ro-bind-try", str(place), str(place))
        for place in (*(Path("/etc", name) for name in OF_ETC), *self._reads):
            yield from ("--ro-bind-try", str(place), str(place))


@dataclass(slots=True)
class _Told:
    """What a sandbox has told so far."""

    out: KeptOutput
    err: KeptOutput
    outcome: ProgramOutcome = field(default_factory=ProgramOutcome)


async def _listened(
    process: asyncio.subprocess.Process, line: socket.socket, told: _Told, watch: Watch, limits: Limits
) -> None:
    """Let the program begin, and hear it to its end. Raises `Excess`, in groups."""
    assert process.stdout is not None
    assert process.stderr is not None
    reader, writer = await asyncio.open_connection(sock=line)
    try:
        writer.write(b"\n")
        async with asyncio.TaskGroup() as outer:
            watching = outer.create_task(watch.until_excess())
            async with asyncio.TaskGroup() as heard:
                heard.create_task(_keep(process.stdout, told.out))
                heard.create_task(_keep(process.stderr, told.err))
                heard.create_task(read_outcome(reader, told.outcome, limits.disk))
            watching.cancel()
    finally:
        writer.close()


async def _reason(listening: Awaitable[None], limits: Limits) -> str:
    """Why a program was ended; "" if it ended by itself."""
    try:
        async with asyncio.timeout(limits.seconds):
            await listening
    except TimeoutError:
        return f"ran longer than {limits.seconds:g} s"
    except ExceptionGroup as failed:
        if isinstance(excess := innermost(failed), Excess):
            return str(excess)
        raise
    return ""


def _ended(told: _Told, reason: str, used: Used, disk: int) -> Ended:
    """What became of the program. Raises `SandboxUnavailable` if it never began."""
    outcome, out, err = told.outcome, told.out.text, told.err.text
    if not outcome.started and not reason:
        raise SandboxUnavailable(f"{UNUSABLE} It says: {err.strip() or 'nothing'}")
    if not reason and not outcome.whole:
        reason = "ended its own sandbox"
    if outcome.full and outcome.code:
        reason = f"wrote more than {amount(disk)} of files"
    if reason or outcome.code is None:
        return Ended(-1, out, err, reason=reason, used=used)
    return Ended(outcome.code, out, err, outcome.files, tuple(outcome.notes), "", used)


async def _keep(pipe: asyncio.StreamReader, kept: KeptOutput) -> None:
    while piece := await pipe.read(1 << 16):
        kept.add(piece)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill whatever is left: without bubblewrap the kernel ends all below it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    while process.returncode is None:  # noqa: ASYNC110 - set by the event loop, which offers no event
        await asyncio.sleep(0.01)
    # Nothing public of asyncio closes pipes that nobody read to their end.
    process._transport.close()  # type: ignore[attr-defined]
    await asyncio.sleep(0)  # the loop closes them in its next round


def _memory(data: bytes) -> BinaryIO:
    """A file in memory, to be read from its beginning."""
    file = os.fdopen(os.memfd_create("input"), "w+b")
    file.write(data)
    file.seek(0)
    return file
