"""A molecule design, from an order to ranked candidates (Indibator, section 2).

1. read: molecules, target and wishes become a brief with goals, which people approve.
2. scientists: profiles of people from the literature, of members, or built-in roles.
3. debate: proposal, critique, vote; between rounds people veto, pin, propose, change goals, and are answered.
   With a model a chair designs the set from that (`chair.py`).
4. a poll, where people are to vote; files and pictures.
"""

import logging
from dataclasses import replace
from functools import partial

from agents.chemistry.guard import refused_objective
from agents.chemistry.wording import Wording
from agents.design import people
from agents.design.begin import Begun, as_known, begun
from agents.design.brief import in_words, with_oracle
from agents.design.chair import Chair
from agents.design.files import Finished, finished
from agents.design.finalists import different
from agents.design.gather import Desk, Gathered, gathered
from agents.design.history import History
from agents.design.lab import Lab, molecule_of
from agents.design.midway import brief_section
from agents.design.oracle import Account
from agents.design.room import KEPT, Room
from agents.design.understand import people_weight
from agents.design.values import Brief, Design, Order, Profile
from agents.minds.ballots import named_by
from agents.minds.debate import Floor, Rules, counted, debate
from agents.reports.midrun import show
from agents.runs.polls import MOST, Closing, Poll
from agents.runs.records import Request
from agents.runs.run import Run

logger = logging.getLogger(__name__)

START, STOP = "start", "cancel"
APPROVAL_S, POLL_S = 900.0, 3600.0
"""Seconds after which a debate that calls no oracle starts unasked, and after which a poll closes."""


async def design(desk: Desk, run: Run, order: Order) -> Design:
    """The whole of it. Raises what stops the run."""
    history = History(desk.tools)
    read = partial(begun, desk.wording, desk.targets, desk.ligands, desk.model, history=history)
    start = await run.step("read", read, order, output=Begun)
    if start.brief is None:
        return Design(order, problem=start.problem)
    if desk.oracle is not None:
        if no := refused_objective(desk.oracle.name, desk.oracle.direction):
            return Design(order, problem=no.reason)
        start = replace(start, brief=with_oracle(start.brief, desk.oracle))
    who = await run.step("scientists", partial(gathered, desk), order, start.brief, output=Gathered)
    made = Design(
        order,
        start.brief,
        who.panel,
        evidence=(*who.evidence, *start.past.evidence),
        papers=who.papers,
        liabilities=start.past.liabilities,
        known=len(start.known),
        notes=(*start.notes, *who.notes),
    )
    run.keep(lambda: made)
    opening, by = await _approved(run, desk.wording, order, start, who.panel, oracle=desk.oracle is not None)
    if opening is None:
        return replace(made, problem="The design was cancelled before it began.")
    made = replace(made, brief=opening.task, approved_by=by)
    account = Account(desk.oracle, desk.budget, run.step) if desk.oracle else None
    room = Room(run, desk, order, who.panel, Lab(as_known(start.known)), account)

    def keep(floor: Floor[Brief]) -> None:
        nonlocal made
        made = replace(made, floor=floor, sheet=room.sheet, designed=room.designed)

    await room.predict([molecule_of(one) for one in opening.task.seeds])
    floor = opening
    if desk.model is not None:
        chair = Chair(run, desk.model, room)
        floor = await chair.debate(opening, order, keep)
        made = replace(made, notes=(*made.notes, *chair.notes))
    if not room.designed.members and not floor.over:
        rules = Rules(order.rounds, order.wanted, order.proposals)
        floor = await debate(run, room.panel, room, replace(floor, round=0), rules, keep)
    floor = await _polled(run, order, floor, room)
    done = await run.step("finish", partial(finished, run, room.lab), floor, who.panel, output=Finished)
    return replace(
        made, brief=floor.task, floor=floor, sheet=done.sheet, figures=done.figures, files=done.files
    )


def stopped(design: Design, why: str) -> Design:
    """The design with the reason of its early end."""
    return replace(design, partial=why)


async def _approved(
    run: Run, wording: Wording, order: Order, start: Begun, panel: tuple[Profile, ...], *, oracle: bool
) -> tuple[Floor[Brief] | None, str]:
    """The floor with the brief as somebody approved it, and who; None where it was cancelled.

    What people wrote meanwhile is on the floor. Where it changes the brief, that is asked for again.
    """
    assert start.brief is not None
    floor = Floor(start.brief)
    asked_besides = " ".join(filter(None, (start.authorisation, start.asks_back)))
    if order.unasked and not asked_besides:
        return floor, ""
    waits = None if asked_besides or oracle else APPROVAL_S
    while True:
        await show(run, brief_section(floor.task, panel, start.notes, start.past))
        question = f"May the debate start with these goals? {in_words(floor.task)}. {asked_besides}"
        asked = Request(question.strip(), (START, STOP), "", waits, START if waits else None)
        decision = await run.wait_for("brief", asked)
        if decision.choice == STOP:
            return None, decision.by
        approved = floor.task
        heard = await people.taken_in(wording, floor, await run.heard())
        floor = replace(heard.floor, waiting=(*heard.floor.waiting, *heard.proposals), over="")
        if floor.task == approved:
            return floor, decision.by


async def _polled(run: Run, order: Order, floor: Floor[Brief], room: Room) -> Floor[Brief]:
    """The final ranking with people's ballots, where a poll was wished."""
    options = floor.standing[:MOST]
    if order.voters < 1 or len(options) < 2 or not floor.votes:
        return floor
    asked = Poll(
        "Which of these molecules would you make?",
        options,
        Closing.QUORUM,
        quorum=order.voters,
        seconds=POLL_S,
        several=True,
    )
    result = await run.poll("poll", asked)
    cast = [
        named_by(f"{people.PERSON}{one.by}", one.choices, options, people_weight(order))
        for one in result.ballots
    ]
    before = [one for one in floor.votes[-1].ballots if one.voter not in {each.voter for each in cast}]
    recounted = counted(replace(floor, votes=floor.votes[:-1]), (*before, *cast), len(floor.standing))
    if room.sheet is None or room.designed.members:
        return recounted
    return different(recounted, room.sheet, KEPT)
