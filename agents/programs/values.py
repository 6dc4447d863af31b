"""The values of a program that runs in a sandbox: what goes in, within which limits, and what came of it.

A program finds its inputs, read-only, in the folder `in` of its working folder, and leaves in `out` what is
to be kept. It has no network, sees none of the house's environment and files, and reads nothing from standard
input.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

MB = 1_000_000
KEPT_OF_OUTPUT = 100_000
"""Bytes that are kept of each of the two outputs: the first and the last half of them."""
MOST_FILES = 1_000
"""Files that a program may leave."""
_NAME = re.compile(r"(?![./ ])[\w .+()=@,/-]{1,200}")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use, with all processes that it starts. Beyond one of them it is ended.

    `processor` is in seconds of processor time, `memory` in bytes; `disk` bounds in bytes all that it writes
    to files, `output` what it writes to each of its two outputs. `processes` counts threads too.
    """

    seconds: float = 300.0
    processor: float = 600.0
    memory: int = 2_000 * MB
    processes: int = 128
    disk: int = 500 * MB
    output: int = 20 * MB

    def within(self, other: "Limits") -> "Limits":
        """The smaller limit of the two, each."""
        return Limits(*(min(getattr(self, one.name), getattr(other, one.name)) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class Job:
    """A program with its arguments, its input files by name, and variables of its environment.

    `limits` None means those of the house, which bound all others. Raises `ValueError` for a name that is no
    plain relative path, and for text that no program can be given.
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None

    def __post_init__(self) -> None:
        for name in self.files:
            if not is_plain(name):
                raise ValueError(f"{name!r} cannot be the name of an input file: use a/b.txt")
        if not self.argv or "\0" in "".join((*self.argv, *self.environment, *self.environment.values())):
            raise ValueError("a program needs a name, and no argument or variable may hold the character NUL")
        if bad := [name for name in self.environment if not re.fullmatch(r"[A-Za-z_]\w*", name)]:
            raise ValueError(f"{bad[0]!r} cannot be the name of a variable")


@dataclass(frozen=True, slots=True)
class Used:
    """What a program used: seconds, seconds of processor time, and the most bytes of memory, looked at
    every `adapters.sandbox.watch.LOOK_S` seconds.
    """

    seconds: float = 0.0
    processor: float = 0.0
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a program.

    `code` is its exit status, 128 and the number of a signal that ended it; -1 where it was ended at a limit,
    and then `reason` says which ("used more than 512 MB of memory"). `out` and `err` are what it wrote, cut
    with a note. `files` are what it left in `out`, by name; `notes` say what of that is not among them.
    """

    code: int
    out: str = ""
    err: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reason: str = ""
    used: Used = Used()

    @property
    def well(self) -> bool:
        """Whether it ended by itself and without an error."""
        return not self.code and not self.reason


def is_plain(name: str) -> bool:
    """Whether a name is a relative path without surprises ("a/b.txt")."""
    parts = name.split("/")
    return bool(_NAME.fullmatch(name)) and all(part.strip() and part not in (".", "..") for part in parts)


class Excess(Exception):
    """A program used more than it may; the message says of what, as in `Ended.reason`."""


class KeptOutput:
    """What is kept of an output: the first and the last bytes, and a note of what is missing between.

    Raises `Excess` beyond `most` bytes.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most, self._total = name, most, 0
        self._head, self._tail = bytearray(), bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        self._total += len(piece)
        room = max(0, KEPT_OF_OUTPUT // 2 - len(self._head))
        self._head += piece[:room]
        self._tail += piece[room:]
        del self._tail[: -KEPT_OF_OUTPUT // 2]
        if self._total > self._most:
            raise Excess(f"wrote more than {amount(self._most)} to its {self._name}")

    @property
    def text(self) -> str:
        """The output as text."""
        missing = self._total - len(self._head) - len(self._tail)
        gap = f"\n… {missing} bytes are left out here …\n".encode() if missing else b""
        return bytes(self._head + gap + self._tail).decode(errors="replace").replace("\0", "")


def amount(size: int) -> str:
    """Bytes in words: "512 MB"."""
    return f"{size / MB:g} MB"
