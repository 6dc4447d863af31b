"""What comes out of a sandbox through one pipe: a sign that the program began, how it ended, and its files as
a tar archive (ustar). The program may have tampered with the pipe, so that everything in it is doubted.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from agents.programs.values import MOST_FILES, Excess, amount, is_plain
from agents.runs.artefacts import MOST_BYTES

BLOCK = 512
STARTED = b"started\n"
KINDS = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a named pipe",
}
TOO_LARGE = 128 + signal.SIGXFSZ
"""Status of a program that was ended over the size of one file."""
MOST_NOTES = 20


@dataclass(slots=True)
class ProgramOutcome:
    """What has been read of it so far. `code` is None until the program has ended."""

    started: bool = False
    code: int | None = None
    full: bool = False
    """Whether it wrote all that it may."""
    processor: float = 0.0
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    whole: bool = False

    def leave_out(self, name: str, why: str) -> None:
        """Note a file that is not taken."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(f"{name!r} was left out: it {why}.")


async def read_outcome(pipe: asyncio.StreamReader, outcome: ProgramOutcome, disk: int) -> None:
    """Read the pipe to its end. What cannot be read is ignored. Raises `Excess`."""
    with contextlib.suppress(asyncio.IncompleteReadError, ValueError):
        outcome.started = await pipe.readline() == STARTED
        times = [(await pipe.readline()).decode("ascii").split() for _ in range(2)]
        code, free = map(int, (await pipe.readline()).split())
        outcome.processor, outcome.code = sum(map(_seconds, times[-1])), code
        outcome.full = not free or code == TOO_LARGE
        async for name, kind, size in _members(pipe):
            await _member(pipe, outcome, name, kind, size, disk)
        outcome.whole = True
    while await pipe.read(1 << 16):
        pass


async def _member(
    pipe: asyncio.StreamReader, outcome: ProgramOutcome, name: str, kind: bytes, size: int, disk: int
) -> None:
    """Take a file, or note why not."""
    kept = sum(map(len, outcome.files.values()))
    if size < 0 or kept + size > disk:
        raise Excess(f"left more than {amount(disk)} of files")
    data = await pipe.readexactly(size)
    await pipe.readexactly(-size % BLOCK)
    if kind == b"5":
        return
    if kind not in (b"0", b"\0"):
        outcome.leave_out(name, f"is {KINDS.get(kind, 'no plain file')}")
    elif not is_plain(name):
        outcome.leave_out(name, "has a name that is not taken")
    elif size > MOST_BYTES:
        outcome.leave_out(name, f"is larger than {amount(MOST_BYTES)}")
    else:
        outcome.files[name] = data


async def _members(pipe: asyncio.StreamReader) -> AsyncIterator[tuple[str, bytes, int]]:
    """Name, kind and size of every member; whoever takes one reads its content. Raises `Excess`."""
    count = 0
    while (head := await pipe.readexactly(BLOCK)).strip(b"\0"):
        if (count := count + 1) > MOST_FILES:
            raise Excess(f"left more than {MOST_FILES} files")
        name = b"/".join(filter(None, (_text(head[345:500]), _text(head[:100]))))
        size = int(_text(head[124:136]) or b"0", 8)
        yield name.removeprefix(b"./").decode(errors="replace"), head[156:157], size


def _text(raw: bytes) -> bytes:
    return raw.split(b"\0", 1)[0].strip()


def _seconds(written: str) -> float:
    """Seconds of "0m0.25s", as a shell writes them."""
    minutes, _, seconds = written.rstrip("s").partition("m")
    return int(minutes) * 60 + float(seconds)
