"""A worker gives way to the processes beside it."""

import os
import subprocess
import sys

import pytest

LOOK = """
import os, threading, time
import numpy  # starts threads of its own
from workers.main import give_way

threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
give_way(STEPS)
threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
print(*{os.getpriority(os.PRIO_PROCESS, int(thread)) for thread in os.listdir("/proc/self/task")})
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows the threads of a process")
@pytest.mark.parametrize("steps", [0, 3, 40])
def test_every_thread_of_a_worker_takes_the_steps_back(steps: int) -> None:
    code = LOOK.replace("STEPS", str(steps))
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == [str(min(os.getpriority(os.PRIO_PROCESS, 0) + steps, 19))]


def test_a_worker_that_is_opened_has_taken_them() -> None:
    code = """
import os
from contextlib import asynccontextmanager
from workers.main import run_worker

@asynccontextmanager
async def opened():
    raise OSError(f"priority {os.getpriority(os.PRIO_PROCESS, 0)}")
    yield

run_worker(opened, "redis://127.0.0.1:1/0", nice=4)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    expected = min(os.getpriority(os.PRIO_PROCESS, 0) + 4, 19)
    assert ended.stderr.strip().endswith(f"OSError: priority {expected}")
