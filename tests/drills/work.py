"""`pestle` with one kind more, whose runs are five steps that wait. The clock may jump.

python -m tests.drills.work COMMAND …

A step waits half a second, or PESTLE_TEST_STEP seconds. It writes to the file PESTLE_TEST_LOG when it begins
and when it ends, and by which process. The file PESTLE_TEST_CLOCK holds by how many seconds the clock is off.
"""

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import adapters.kinds
from agents.kinds import Certainty, RunKind, ThreadContext, Understood, UserMessage
from agents.reports.values import Paragraph, Report, Section
from agents.runs import clock
from agents.runs.run import Run

STEPS, STEP_S = 5, float(os.environ.get("PESTLE_TEST_STEP", "0.5"))
DONE = "The work is done."


@dataclass(frozen=True, slots=True)
class Order:
    text: str


@dataclass(frozen=True, slots=True)
class Worked:
    order: Order


@contextmanager
def logged(run_id: str, step: int) -> Iterator[None]:
    """A line at the beginning, and one at the end unless the process is killed."""

    def write(what: str) -> None:
        line = json.dumps([time.monotonic(), os.getpid(), run_id, step, what])
        with Path(os.environ["PESTLE_TEST_LOG"]).open("a") as file:
            file.write(f"{line}\n")

    write("begin")
    try:
        yield
    finally:
        write("end")


async def pipeline(run: Run, order: Order) -> Worked:
    async def work(number: int) -> int:
        with logged(run.id, number):
            await asyncio.sleep(STEP_S)
        return number

    for number in range(STEPS):
        await run.step(f"work:{number}", work, number)
    return Worked(order)


def understand(message: UserMessage, thread: ThreadContext[Order, None]) -> Understood[Order] | None:
    return Understood(Order(message.text), Certainty.SURE) if message.asked_for else None


def report(worked: Worked) -> Report:
    section = Section("work", "Work", (Paragraph(DONE, strong=True),))
    return Report(worked.order.text, "Work", DONE, True, (section,))


KIND = RunKind(
    name="work",
    title="Working",
    inputs=Order,
    output=Worked,
    understand=understand,
    asked=lambda order: order.text,
    report=report,
    open=lambda house: lambda principal: pipeline,
    commands=("work",),
    request="text",
    result="work",
)


class Jumping(datetime):
    """The wall clock, off by what a file says."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Jumping":
        file = Path(os.environ["PESTLE_TEST_CLOCK"])
        off = float(file.read_text() or 0) if file.exists() else 0.0
        return super().now(tz) + timedelta(seconds=off)


if __name__ == "__main__":
    adapters.kinds.KINDS = (*adapters.kinds.KINDS, KIND)
    if "PESTLE_TEST_CLOCK" in os.environ:
        clock.datetime = Jumping  # type: ignore[misc]
    from adapters.cli import main  # it takes the list as it is when it is imported

    main()
