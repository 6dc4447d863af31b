"""A kind of run that counts the words of a text. docs/guide/new-kind.md explains it line by line."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from agents.kinds import Certainty, RevisionRequest, RunKind, ThreadContext, Understood, UserMessage
from agents.reports.values import Paragraph, Report, Section
from agents.runs.run import Run
from agents.trust.values import COUNT, Derivation


@dataclass(frozen=True, slots=True)
class Order:
    text: str
    without: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    order: Order
    lines: tuple[int, ...]
    partial: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        lines = self.order.text.splitlines()[: len(self.lines)]
        return tuple(word for line in lines for word in line.split() if word != self.order.without)


def understand(message: UserMessage, thread: ThreadContext[Order, Count]) -> Understood[Order] | None:
    asked, _, text = message.text.rpartition("words in:")
    if message.asked_for or asked.startswith("How many"):
        return Understood(Order(text.strip()), Certainty.SURE)
    if thread.remembered or "words" in message.text:
        return Understood(Order(message.text))
    return None


async def words(line: str, without: str) -> int:
    return sum(word != without for word in line.split())


async def count(words: Callable[[str, str], Awaitable[int]], run: Run, order: Order) -> Count:
    done: list[int] = []
    run.keep(lambda: Count(order, tuple(done)) if done else None)
    for number, line in enumerate(order.text.splitlines()):
        done.append(await run.step(f"count:{number}", words, line, order.without))
    return Count(order, tuple(done))


def report(count: Count) -> Report:
    but = f" without “{count.order.without}”" if count.order.without else ""
    told = f"{sum(count.lines)} words{but}"
    section = Section("count", "Count", (Paragraph(told, strong=True),))
    counted = Derivation(f"{sum(count.lines)}", COUNT, count.words, ())
    return Report(
        count.order.text, "Count", told, True, (section,), partial=count.partial, derived=(counted,)
    )


def revise(order: Order, report: Report, request: RevisionRequest) -> Order:
    return replace(order, without=request.instruction)


KIND = RunKind(
    name="count",
    title="Counting words",
    inputs=Order,
    output=Count,
    memory=Count,
    understand=understand,
    asked=lambda order: order.text,
    report=report,
    open=lambda house: lambda principal: partial(count, words),
    remember=lambda count, before: count,
    revise=revise,
    stopped=lambda count, why: replace(count, partial=why),
    labels={"count": "Counting"},
    commands=("count",),
    help=("`count …` counts the words of a text.",),
    request="text",
    result="count",
)
