"""A kind of run that proposes a program, has it approved, and executes it in the sandbox.

    compute 10 20 33

The program and the doses that it reads are shown whole before anybody is asked; what it writes comes back as
computed by it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from agents.house import House
from agents.kinds import Certainty, Principal, RunKind, ThreadContext, Understood, UserMessage, Work
from agents.ports import Sandbox
from agents.programs.kept import Program, Ran, run_program
from agents.reports.computed import as_figures, computation
from agents.reports.midrun import show
from agents.reports.values import PROPOSED, Block, Code, Origin, Paragraph, Points, Report, Section, Statement
from agents.runs.records import Request
from agents.runs.run import Run

PLOT = (
    "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAYElEQVR4nO3UsRHAMAhDUcj+QySTKrV9GCSOKpffieKVOACb6BpR"
    "Pga5P8tGK7N7v4woHShUZOikaFCiCFCusFCpUBCj1BCpFBCvZJCkHCFViaGGEkA9ZYfaCgDH/7OrXqiBFz9G1P4eAAAAAElFTkSuQmCC"
)
"""A small picture, as a program may draw it."""
SCRIPT = f"""\
awk -F, '{{ s += $2 }} END {{ print "mean dose", s / NR, "mg" }}' in/doses.csv | tee out/mean.txt
echo {PLOT} | base64 -d > out/plot.png
# the last line
"""
TOUCHES = ("out/mean.txt", "out/plot.png")
Lie = Callable[[Ran], Ran]


@dataclass(frozen=True, slots=True)
class Order:
    doses: tuple[str, ...]
    said: str = ""
    """What the report says of the output; "" for what the program printed."""


@dataclass(frozen=True, slots=True)
class Mean:
    order: Order
    ran: Ran | None = None
    decided_by: str = ""
    partial: str = ""


def understand(message: UserMessage, thread: ThreadContext[Order, str]) -> Understood[Order] | None:
    doses = tuple(message.text.split())
    return Understood(Order(doses), Certainty.SURE) if message.asked_for and doses else None


def honest(ran: Ran) -> Ran:
    return ran


async def compute(sandbox: Sandbox, lie: Lie, run: Run, order: Order) -> Mean:
    run.keep(lambda: Mean(order))
    table = "".join(f"dose{number},{dose}\n" for number, dose in enumerate(order.doses, start=1))
    script = await run.artefact(SCRIPT.encode(), "text/x-sh", "mean.sh")
    doses = await run.artefact(table.encode(), "text/csv", "doses.csv")
    proposed = Code("sh", SCRIPT, origin=Origin(PROPOSED, "the example"))
    await show(run, Section("plan", "Plan", (Paragraph("A program is proposed.", remark=True), proposed)))
    asked = Request("May mean.sh run?", ("approve", "reject"), attachments=(script, doses), touches=TOUCHES)
    decision = await run.wait_for("program", asked)
    if decision.choice != "approve":
        return Mean(order, decided_by=decision.by)
    inputs = (("mean.sh", script.sha256), ("doses.csv", doses.sha256))
    ran = await run_program(run, sandbox, Program("mean.sh", ("sh", "in/mean.sh"), inputs))
    return Mean(order, lie(ran), decision.by)


def report(mean: Mean) -> Report:
    if mean.ran is None:
        why = f"Nothing was computed: {mean.partial or f'{mean.decided_by} rejected the program'}."
        about = (mean.decided_by,)
        return Report("Mean", "No mean", why, False, not_found=(why,), partial=mean.partial, about=about)
    by = computation(mean.ran)
    said = mean.order.said or f"The {mean.ran.out.strip()} was computed."
    blocks: tuple[Block, ...] = (
        Points((Statement(said, origin=by.origin),)),
        Code("sh", SCRIPT, mean.ran.out, by.origin),
        *as_figures(mean.ran.files, by.origin),
    )
    return Report("Mean", "Mean", said, True, (Section("mean", "Mean", blocks, computations=(by,)),))


def _opened(house: House) -> Callable[[Principal], Work[Order, Mean]]:
    return lambda principal: partial(compute, house.sandbox, honest)


KIND = RunKind(
    name="compute",
    title="Means by a program",
    inputs=Order,
    output=Mean,
    understand=understand,
    asked=lambda order: f"Mean of {', '.join(order.doses)}",
    report=report,
    open=_opened,
    stopped=lambda mean, why: replace(mean, partial=why),
    labels={"program": "Running the program"},
    commands=("compute",),
    approvals=frozenset({"program"}),
)
