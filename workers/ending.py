"""How a worker process ends: told by a signal, and within a time that is certain."""

import faulthandler
import signal
from queue import Empty, SimpleQueue

LOOK_S = 1.0
"""How often it is looked for a signal that another thread than the main one received."""


class Ending:
    """Hears SIGTERM and SIGINT from when it is made; that must be in the main thread.

    A process that has not ended `grace_s` seconds after the first of them is ended hard, with exit status 1
    and the stacks of its threads on stderr: a hung thread must not keep a deploy waiting. The runs that it
    still had in hand go on elsewhere when their leases run out.
    """

    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._begun = False
        self._told: SimpleQueue[int] = SimpleQueue()  # unlike an `Event` it may be set by a handler
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._hear)

    def wait(self) -> None:
        """Until the process is told to end."""
        while True:
            try:
                self._told.get(timeout=LOOK_S)
            except Empty:
                continue
            return

    def _hear(self, number: int, _: object) -> None:
        if not self._begun:  # a second signal gives no more time
            self._begun = True
            faulthandler.dump_traceback_later(self._grace_s, exit=True)
        self._told.put(number)
