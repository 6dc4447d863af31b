"""A few huge files beside small ones: when the small ones can be searched, and what memory all of it takes.

The program as users start it, with the default encoder. It is ended once the small files are there: how long
the huge ones take is a question of their chunks alone.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from tests.bench.corpus import Language
from tests.bench.report import Measure, resident_mb

SMALL, LARGE, LARGE_MB = 100, 20, 20
WORDS_IN_SMALL = 300
TARGET_S, TARGET_MB = 120, 2_000
PATIENCE_S = 450
AFTER_S = 60
"""How long the large files are watched after the small ones, for the memory that they take."""
PROGRAM = "from adapters.cli import main; main()"


async def measure(folder: Path, options: Namespace) -> list[Measure]:
    """Seconds until all small files can be searched, and the most memory of all processes until later."""
    return await asyncio.to_thread(_measured, folder / "archive", folder / "home")


def _measured(archive: Path, home: Path) -> list[Measure]:
    _write(archive)
    began, load = time.monotonic(), os.getloadavg()[0]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "ingest", str(archive)],
        env=os.environ | {"PESTLE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        seconds, most = _watch(process, home / "archive.db", began)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    there, told = _small_ones(home / "archive.db"), f"{LARGE} of {LARGE_MB} MB"
    return [
        Measure(f"small files searchable beside {told}", there, "", f"all {SMALL}", there == SMALL),
        Measure("until all of them were", seconds, "s", f"<= {TARGET_S}", seconds <= TARGET_S),
        Measure("most memory of all processes", most, "MB", f"<= {TARGET_MB}", most <= TARGET_MB),
        Measure("processes that wanted the cores just before", load, ""),
    ]


def _write(archive: Path) -> None:
    """The small files by their number, the large ones among them."""
    archive.mkdir()
    language = Language()
    page = language.text(20_000)
    for number in range(SMALL):
        text = f"# Study {number}\n\n{language.text(WORDS_IN_SMALL)}\n"
        (archive / f"{number:03}-small.md").write_text(text)
    for number in range(LARGE):
        with (archive / f"{number * 5:03}-large.txt").open("w") as file:
            while file.tell() < LARGE_MB * 1_000_000:
                file.write(f"Volume {number}, from {file.tell()}. {page}\n\n")


def _watch(process: subprocess.Popen[bytes], index: Path, began: float) -> tuple[float, float]:
    """Seconds until the small files are there, and the most memory until a while after."""
    most, done = 0.0, 0.0
    while process.poll() is None and time.monotonic() - began < PATIENCE_S:
        most = max(most, _memory_mb(process.pid))
        if not done and _small_ones(index) == SMALL:
            done = time.monotonic() - began
        if done and time.monotonic() - began > done + AFTER_S:
            break
        time.sleep(0.5)
    return done or float("inf"), most


def _small_ones(index: Path) -> int:
    """Small files in the index."""
    try:
        with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True, timeout=5)) as database:
            query = "SELECT count(*) FROM documents WHERE doc_id LIKE '%-small'"
            return int(database.execute(query).fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _memory_mb(group: int) -> float:
    """Memory of a process and of all that it started."""
    found, total = {group}, 0.0
    for status in sorted(Path("/proc").glob("[0-9]*/stat"), key=lambda path: int(path.parent.name)):
        try:
            number = int(status.parent.name)
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            if number == group or parent in found:
                found.add(number)
                total += resident_mb(number)
        except OSError:
            continue
    return total
