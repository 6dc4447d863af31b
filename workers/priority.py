"""How much a worker gives way to the processes beside it: the bot has to take in messages meanwhile."""

import os
from contextlib import suppress
from pathlib import Path

LAST = 19
"""The step from which there is none further back."""


def give_way(nice: int) -> None:
    """Take so many steps back behind other processes of this machine, as the command `nice` does.

    It holds for every thread of this process, now and to come. Where the system has no such steps, or
    forbids them, nothing changes.
    """
    if not hasattr(os, "setpriority"):  # Windows
        return
    # On Linux each thread has a priority of its own; those of numerical libraries run already.
    threads = [int(thread.name) for thread in Path("/proc/self/task").glob("*")] or [0]
    for thread in threads:
        with suppress(OSError):
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, min(now + nice, LAST))
