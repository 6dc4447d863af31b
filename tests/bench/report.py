"""Measurements, printed as a table and kept as JSON."""

import json
import os
import platform
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path("bench-results")


@dataclass(frozen=True)
class Measure:
    """A figure, what it should be, and the same work done by a raw peer."""

    what: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None
    peer: str = ""
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.peer_value if self.peer_value else None


def percentile(seconds: Sequence[float], share: float) -> float:
    """Nearest-rank percentile in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


async def timed(work: Callable[[str], Awaitable[object]], inputs: Iterable[str]) -> list[float]:
    """Seconds that each call took, one after the other."""
    seconds = []
    for value in inputs:
        began = time.perf_counter()
        await work(value)
        seconds.append(time.perf_counter() - began)
    return seconds


def resident_mb(process: int | str = "self") -> float:
    """Memory of a process that is in RAM now, in MB; of this one, unless another is named by its id."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def show(measures: Sequence[Measure]) -> str:
    """The table."""
    rows = [("what", "value", "target", "raw peer", "peer", "ratio"), *map(_row, measures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )


def save(measures: Sequence[Measure]) -> Path:
    """Write the figures with what they were measured on."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    machine = {
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "python": platform.python_version(),
    }
    rows = [{**asdict(measure), "ratio": measure.ratio} for measure in measures]
    path.write_text(json.dumps({**machine, "measures": rows}, indent=1))
    return path


def _row(measure: Measure) -> tuple[str, ...]:
    mark = {None: "", True: " met", False: " MISSED"}[measure.met]
    return (
        measure.what,
        f"{measure.value:.1f} {measure.unit}",
        f"{measure.target}{mark}",
        measure.peer,
        "" if measure.peer_value is None else f"{measure.peer_value:.1f} {measure.unit}",
        "" if measure.ratio is None else f"{measure.ratio:.2f}",
    )
