"""A kind of run that several people steer: it shows candidates, listens, holds a poll, asks for approval.

    panel 2: fish dog

Words that people write while it works become candidates; the poll closes with two votes.
"""

from dataclasses import dataclass, replace
from functools import partial

from agents.kinds import Certainty, RunKind, ThreadContext, Understood, UserMessage
from agents.reports.midrun import show
from agents.reports.values import Code, Paragraph, Points, Report, Section, Statement
from agents.runs.polls import Poll
from agents.runs.records import Request
from agents.runs.run import Run

PROGRAM = "".join(f"x{number} <- {number}\n" for number in range(100)) + "# the last line\n"
"""Longer than anything that is shown in part."""


@dataclass(frozen=True, slots=True)
class Order:
    words: tuple[str, ...]
    people: int


@dataclass(frozen=True, slots=True)
class Choice:
    order: Order
    candidates: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    winner: str = ""
    program: str = ""
    partial: str = ""


def understand(message: UserMessage, thread: ThreadContext[Order, str]) -> Understood[Order] | None:
    people, _, words = message.text.partition(":")
    if not message.asked_for:
        return None
    return Understood(Order(tuple(words.split()), int(people)), Certainty.SURE)


class Mind:
    """What the panel works with."""

    program = PROGRAM

    async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(words))


def candidates(words: tuple[str, ...]) -> Section:
    return Section("candidates", "Candidates", (Points(tuple(Statement(word) for word in words)),))


async def panel(mind: Mind, run: Run, order: Order) -> Choice:
    words = order.words
    run.keep(lambda: Choice(order, words))
    await show(run, candidates(words))
    words = await run.step("think", mind.think, words)
    heard = await run.heard()
    words = (*words, *(said.text or said.emoji for said in heard if not said.removed))
    await show(run, candidates(words))
    result = await run.poll("word", Poll("Which word?", words, quorum=order.people))
    code = await run.artefact(mind.program.encode(), "text/x-r", "run.R")
    asked = Request("May this program run?", ("approve", "reject"), attachments=(code,), touches=("out.csv",))
    decision = await run.wait_for("program", asked)
    votes = tuple(f"{ballot.by}: {ballot.choices[0]}" for ballot in result.ballots)
    return Choice(order, words, votes, result.winner, decision.choice)


def report(choice: Choice) -> Report:
    told = f"The panel chose {choice.winner}" if choice.winner else "Nothing was chosen"
    votes = Section("votes", "Votes", tuple(Paragraph(line, remark=True) for line in choice.votes))
    program = Section("program", "Program", (Code("r", PROGRAM),))
    sections = (candidates(choice.candidates), votes, *((program,) if choice.program == "approve" else ()))
    title = " ".join(choice.order.words)
    return Report(
        title,
        "Choice",
        told,
        True,
        sections,
        partial=choice.partial,
        about=(*choice.candidates, *choice.votes),
    )


def opened(mind: Mind) -> RunKind[Order, Choice, str]:
    return replace(KIND, open=lambda house: lambda principal: partial(panel, mind))


KIND = RunKind(
    name="panel",
    title="Panels that choose a word",
    inputs=Order,
    output=Choice,
    understand=understand,
    asked=lambda order: f"Panel on {' '.join(order.words)}",
    report=report,
    open=lambda house: lambda principal: partial(panel, Mind()),
    stopped=lambda choice, why: replace(choice, partial=why),
    labels={"think": "Thinking", "word": "Voting", "program": "Approval"},
    commands=("panel",),
    listens=True,
    approvals=frozenset({"program"}),
)
