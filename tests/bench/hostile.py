"""A hostile folder: until all its files are found by words, and what memory and processor time that takes.

The program as users start it, with the default encoder.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

from tests.bench.large_files import PROGRAM
from tests.bench.report import Measure
from tests.support.hostile_archive import hostile_archive
from tests.support.tree_memory import Memory

TARGET_S, TARGET_MB = 240, 1_500


async def measure(folder: Path, options: Namespace) -> list[Measure]:
    """Files told, seconds, processor time and the most memory of all processes."""
    return await asyncio.to_thread(_measured, folder / "archive", folder / "home")


def _measured(archive: Path, home: Path) -> list[Measure]:
    there = hostile_archive(archive)
    began, load = time.monotonic(), os.getloadavg()[0]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "ingest", "--json", str(archive)],
        env=os.environ | {"PESTLE_HOME": str(home)},
        stdout=subprocess.PIPE,
    )
    memory = Memory(process.pid)
    report = json.loads(process.communicate()[0])
    seconds, most = time.monotonic() - began, memory.end()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = len(report["added"]) + len(report["skipped"])
    return [
        Measure("hostile files accounted for", told, "", f"all {there}", told == there),
        Measure("until all are found by words", seconds, "s", f"<= {TARGET_S}", seconds <= TARGET_S),
        Measure("processor time of it", used.ru_utime + used.ru_stime, "s"),
        Measure("most memory of all processes", most, "MB", f"<= {TARGET_MB}", most <= TARGET_MB),
        Measure("processes that wanted the cores just before", load, ""),
    ]
