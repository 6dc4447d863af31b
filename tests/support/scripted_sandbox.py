"""A sandbox of functions in this process, for tests of what uses one."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from agents.programs.values import Ended, Excess, Job, KeptOutput, Limits, Used, amount, is_plain

Script = Callable[[Job], Awaitable[Ended]]
"""What stands for a program."""


class ScriptedSandbox:
    """Implements `agents.ports.Sandbox` with a function for each program, by the first of `Job.argv`."""

    name = "scripted"

    def __init__(self, programs: Mapping[str, Script], limits: Limits | None = None) -> None:
        self.ran: list[Job] = []
        self._programs, self._limits = programs, limits or Limits()

    async def unavailable(self) -> str:
        """See the port."""
        return ""

    async def run(self, job: Job) -> Ended:
        """See the port."""
        limits, began = (job.limits or self._limits).within(self._limits), time.monotonic()
        self.ran.append(job)
        if (script := self._programs.get(job.argv[0])) is None:
            return Ended(127, err=f"{job.argv[0]}: there is no such program")
        try:
            async with asyncio.timeout(limits.seconds):
                ended = _bounded(await script(job), limits)
        except TimeoutError:
            ended = Ended(-1, reason=f"ran longer than {limits.seconds:g} s")
        return replace(ended, used=Used(time.monotonic() - began))


def _bounded(ended: Ended, limits: Limits) -> Ended:
    """The end within the limits."""
    out, err = KeptOutput("standard output", limits.output), KeptOutput("standard error", limits.output)
    try:
        out.add(ended.out.encode())
        err.add(ended.err.encode())
        if sum(map(len, ended.files.values())) > limits.disk:
            raise Excess(f"wrote more than {amount(limits.disk)} of files")
    except Excess as excess:
        return Ended(-1, out.text, err.text, reason=str(excess))
    files = {name: data for name, data in ended.files.items() if is_plain(name)}
    return replace(ended, out=out.text, err=err.text, files=files)
