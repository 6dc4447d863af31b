"""A process to be killed: carries two tasks in a home, whoever began them.

    python -m tests.agents.protocol.lab.mortal HOME LOG SECONDS

Each program that is started is a line in LOG. That of survival begins with a sleep of SECONDS in the sandbox.
"""

import asyncio
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from adapters.data_sections import SandboxSettings
from adapters.sandbox import open_sandbox
from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.kinds import Certainty, RunKind, Understood
from agents.programs.values import Ended, Job
from agents.protocol.lab.results import TaskResult
from agents.protocol.programs import APPROVAL, run_tasks
from agents.reports.values import Report
from agents.runs.run import Run
from bot.values import Incoming, ThreadRef
from tests.agents.protocol.lab.test_r import FILES, TASKS

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "lab please")
BOTH = (*TASKS["survival"], *TASKS["microarray"])
"""Survival waits for the arrays."""


@dataclass(frozen=True, slots=True)
class Order:
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    results: tuple[TaskResult, ...]


class Logged:
    """The sandbox of this machine, with a line for each program."""

    name = "logged"

    def __init__(self, log: Path, seconds: float) -> None:
        self._log, self._seconds, self._sandbox = log, seconds, open_sandbox(SandboxSettings())

    async def unavailable(self) -> str:
        return await self._sandbox.unavailable()

    async def run(self, job: Job) -> Ended:
        with self._log.open("a") as file:
            file.write(f"{job.argv[-1].rpartition('/')[2].partition('(')[0]}\n")
        if self._seconds and job.argv[-1] == "in/survival.R":
            job = replace(job, argv=("sh", "-c", f'sleep {self._seconds:g}; exec "$@"', "sh", *job.argv))
        return await self._sandbox.run(job)


async def lab(sandbox: Logged, run: Run, order: Order) -> Done:
    kept = [(name, (await run.artefact(data.encode(), "", name)).sha256) for name, data in FILES.items()]
    tasks = (replace(BOTH[0], depends_on=(BOTH[1].id,)), BOTH[1])
    return Done(await run_tasks(run, sandbox, tasks, kept))


async def main(home: Path, log: Path, seconds: float) -> None:
    sandbox = Logged(log, seconds)
    kind = RunKind(
        name="lab",
        title="Lab",
        inputs=Order,
        output=Done,
        understand=lambda message, thread: Understood(Order(message.text), Certainty.SURE),
        asked=lambda order: order.text,
        report=lambda done: Report("Lab", "Lab", "Done.", True),
        open=lambda house: lambda principal: partial(lab, sandbox),
        stopped=lambda done, why: done,
        commands=("lab",),
        approvals=frozenset({APPROVAL}),
    )
    async with runtime(Settings(home=home, run=RunSettings(lease=1.0)), [kind]) as built:
        receipt = await built.intake.receive(ASKED)
        while not (await built.finished(receipt.run_id)).state.over:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
