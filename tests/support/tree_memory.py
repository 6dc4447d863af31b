"""What a process and those that it started have in memory together."""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


class Memory:
    """The most that a process and those that it started had in memory together."""

    def __init__(self, pid: int) -> None:
        self.most_mb, self._ended = 0.0, threading.Event()
        self._looks = threading.Thread(target=self._look, args=(pid,))
        self._looks.start()

    def end(self) -> float:
        """Look no more; the most that was seen, in MB."""
        self._ended.set()
        self._looks.join()
        return self.most_mb

    def _look(self, pid: int) -> None:
        while not self._ended.wait(0.25):
            self.most_mb = max(self.most_mb, sum(map(_pss_mb, _with_children(pid))))


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _with_children(int(child))


def _pss_mb(pid: int) -> float:
    """What a process has in memory; what several share counts in parts."""
    with suppress(OSError):
        if found := re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M):
            return int(found[1]) / 1024
    return 0.0
