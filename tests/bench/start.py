"""Processor time (user and system) of commands of the terminal, each in a process of its own: help texts, and
a typed question on the demo archive up to the pipeline and after it. The raw peer only imports the libraries
that an answer in the terminal needs, so the ratio holds on a slower machine too.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from adapters.cli.demo import ARCHIVE
from tests.bench.report import Measure

HELPS = ((), ("ask",), ("run",), ("sources",), ("eval",), ("eval", "archive"))
HELP_MS, READY_MS, QUESTION_MS = 400, 1500, 500
TYPED = "What was the first-in-human dose of AF-2107?"
PROGRAM = "from adapters.cli import main; main()"
UNTIL_SEARCH = """
import os, resource
from agents.archive import work
answer = work.answer_question
async def asked(*given):
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print("before the question:", spent.ru_utime + spent.ru_stime)
    return await answer(*given)
work.answer_question = asked
"""
"""Tells what was spent when the pipeline begins with the question."""
LIBRARIES = "import aiosqlite, numpy, pydantic_settings, rich.markdown, sqlalchemy.ext.asyncio, typer"
TIMES = 5


def spent(home: Path, *arguments: str, program: str = PROGRAM) -> tuple[float, str]:
    """Processor seconds of a program with its arguments, and what it printed, of the quickest run.

    Compiled modules are kept, as in an installation, also where the environment of the bench forbids it.
    """
    runs = []
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(TIMES):
        start = getrusage(RUSAGE_CHILDREN)
        told = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env={**environment, "PESTLE_HOME": str(home)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        end = getrusage(RUSAGE_CHILDREN)
        runs.append((end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime, told))
    return min(runs)


async def measure(folder: Path) -> list[Measure]:
    """Processor seconds of help texts and of a typed question."""
    return await asyncio.to_thread(_measured, folder)


def _measured(home: Path) -> list[Measure]:
    measures = [
        at_most(f"pestle {' '.join((*path, '--help'))}", spent(home, *path, "--help")[0], HELP_MS)
        for path in HELPS
    ]
    spent(home, "ingest", str(ARCHIVE))
    whole, told = spent(home, "ask", TYPED, program=UNTIL_SEARCH + PROGRAM)
    libraries = spent(home, program=LIBRARIES)[0]
    ready = float(told.split("before the question:")[1].split()[0])
    return [
        *measures,
        at_most("pestle ask, until the pipeline has the question", ready, READY_MS, libraries),
        at_most("a typed question from there to the end", whole - ready, QUESTION_MS, libraries),
    ]


def at_most(what: str, seconds: float, limit_ms: int, libraries: float | None = None) -> Measure:
    """Processor time beside what it may be, and beside that of the libraries alone."""
    used = 1000 * seconds
    peer = () if libraries is None else ("its libraries imported", 1000 * libraries)
    return Measure(what, used, "ms CPU", f"<= {limit_ms}", used <= limit_ms, *peer)
