"""What a tree of processes uses, read from Linux's `/proc`."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from os import sysconf
from pathlib import Path

from agents.programs.values import Excess, Limits, Used, amount

LOOK_S = 0.05
_TICKS = sysconf("SC_CLK_TCK")
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """A process by `/proc/PID/stat`: its parent, seconds of processor with ended children, threads."""

    pid: int
    parent: int
    processor: float
    threads: int


class Watch:
    """Looks at all processes below one, and ends a program that uses more than it may.

    Memory is what they hold for themselves and what they share among them, where a page that two share is
    counted twice.
    """

    def __init__(self, root: int, limits: Limits, started: int) -> None:
        self.used = Used()
        self._root, self._limits, self._own = root, limits, started

    async def until_excess(self) -> None:
        """Look again and again. Raises `Excess`."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(LOOK_S)

    def look(self) -> None:
        """Look once. Raises `Excess`."""
        tree = list(descendants(self._root))
        memory, processor = sum(_memory(one.pid) for one in tree), sum(one.processor for one in tree)
        self.used = Used(0.0, max(processor, self.used.processor), max(memory, self.used.memory))
        limits = self._limits
        if memory > limits.memory:
            raise Excess(f"used more than {amount(limits.memory)} of memory")
        if processor > limits.processor:
            raise Excess(f"used more than {limits.processor:g} s of processor time")
        if sum(one.threads for one in tree) - self._own > limits.processes:
            raise Excess(f"started more than {limits.processes} processes")


def descendants(root: int) -> Iterator[Process]:
    """A process and all below it."""
    children: dict[int, list[Process]] = {}
    for process in filter(None, map(_process, _PROC.glob("[0-9]*"))):
        children.setdefault(process.parent, []).append(process)
        if process.pid == root:
            yield process
    waiting = [root]
    while waiting:
        found = children.get(waiting.pop(), [])
        yield from found
        waiting += [one.pid for one in found]


def _process(place: Path) -> Process | None:
    """A process; None if it is gone."""
    try:
        # The name in brackets may hold anything, brackets too.
        told = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return Process(int(place.name), int(told[1]), sum(map(int, told[11:15])) / _TICKS, int(told[17]))


def _memory(pid: int) -> int:
    """Bytes that a process holds beside files' own pages; 0 if it is gone."""
    try:
        lines = (_PROC / str(pid) / "status").read_text(errors="replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
