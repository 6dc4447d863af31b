"""The worker process as a whole; its daily life is in `tests/journey`."""

import subprocess
import sys

BROKEN = """
from contextlib import asynccontextmanager
from workers.main import run_worker

@asynccontextmanager
async def opened():
    raise OSError("the database is away")
    yield

run_worker(opened, "redis://127.0.0.1:1/0")
"""


def test_a_worker_that_cannot_open_its_database_ends_and_says_why() -> None:
    ended = subprocess.run([sys.executable, "-c", BROKEN], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert ended.stderr.strip().endswith("OSError: the database is away")
