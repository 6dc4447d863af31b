"""A molecule design, from an order to ranked candidates (Indibator, section 2).

1. read: molecules, target and wishes become a brief with goals, which people approve.
2. scientists: profiles of people from the literature, of members, or built-in roles.
3. debate: proposal, critique, vote; between rounds people veto, pin, propose, change goals, and are answered.
   With a model a chair designs the set from that (`chair.py`).
4. a poll, where people are to vote; files and pictures.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agents.chemistry.guard import refused, refused_objective
from agents.chemistry.molecule import Molecule, tautomer_key
from agents.chemistry.moves import plausible
from agents.chemistry.recognition import without
from agents.chemistry.wording import Wording
from agents.design import people
from agents.design.begin import Begun, as_known, begun
from agents.design.brief import in_words, with_oracle
from agents.design.chair import Chair
from agents.design.files import Finished, finished
from agents.design.finalists import different
from agents.design.gather import Desk, Gathered, gathered
from agents.design.history import History
from agents.design.lab import Lab, molecule_of, readable
from agents.design.midway import brief_section, round_section
from agents.design.oracle import Account
from agents.design.scientist import RuledScientist
from agents.design.understand import people_weight
from agents.design.values import Brief, Design, Designed, Order, Profile, Sheet
from agents.minds.ballots import Ballot, named_by
from agents.minds.debate import Debater, Floor, Proposal, Rules, counted, debate
from agents.reports.midrun import show
from agents.runs.background import in_thread
from agents.runs.polls import MOST, Closing, Poll
from agents.runs.records import Request
from agents.runs.run import Run

logger = logging.getLogger(__name__)

START, STOP = "start", "cancel"
RULES = Rules()
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
    room = _Room(run, desk, order, who.panel, Lab(as_known(start.known)), account)

    def keep(floor: Floor[Brief]) -> None:
        nonlocal made
        made = replace(made, floor=floor, sheet=room.sheet, designed=room.designed)

    await room.predict([molecule_of(one) for one in opening.task.seeds])
    floor = opening
    if desk.model is not None:
        chair = Chair(run, desk.model, room)
        floor = await chair.debate(opening, order, keep)
        made = replace(made, designed=chair.designed, notes=(*made.notes, *chair.notes))
    if not made.designed.members and not floor.over:
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


async def _polled(run: Run, order: Order, floor: Floor[Brief], room: "_Room") -> Floor[Brief]:
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
    return different(recounted, room.sheet, RULES.kept)


@dataclass(slots=True)
class _Room:
    """Implements `agents.minds.debate.Room` and `agents.design.chair.Bench`: the guard at the door, and the
    thread's people.
    """

    run: Run
    desk: Desk
    order: Order
    profiles: tuple[Profile, ...]
    lab: Lab
    account: Account | None = None
    sheet: Sheet | None = None
    designed: Designed = field(default_factory=Designed)
    excluded: set[str] = field(default_factory=set)
    forms: dict[str, str] = field(default_factory=dict)
    """What was admitted, by what all tautomers of it share."""

    @property
    def chosen(self) -> list[Profile]:
        """See the port."""
        return [one for one in self.profiles if one.name not in self.excluded] or list(self.profiles[:1])

    def panel(self, brief: Brief) -> list[Debater[Brief]]:
        """The debaters, by rules."""
        return [RuledScientist(one, self.lab) for one in self.chosen]

    async def opened(self, floor: Floor[Brief]) -> Floor[Brief]:
        """See the port."""
        said = await self.run.heard()
        heard = await people.taken_in(self.desk.wording, floor, said)
        for name in heard.excluded:
            await self._exclude(name)
        return replace(heard.floor, waiting=(*heard.floor.waiting, *heard.proposals))

    async def _exclude(self, name: str) -> None:
        """Leave a scientist out of this debate, and a person out of all others as well."""
        for one in self.profiles:
            if name in (one.name, one.person):
                self.excluded.add(one.name)
                if one.person:
                    await self.run.step("exclude", self._noted, one.person)

    async def _noted(self, person: str) -> str:
        self.desk.roster.exclude(person)
        return person

    async def admit(self, floor: Floor[Brief], proposal: Proposal) -> tuple[Proposal, str]:
        """See the port."""
        proposal, why_not = self.checked(floor, proposal)
        if not why_not:
            await self.predict([molecule_of(proposal.what)])
        return proposal, why_not

    def checked(
        self, floor: Floor[Brief], proposal: Proposal, *, control: bool = False
    ) -> tuple[Proposal, str]:
        """A proposal with its canonical SMILES, and why it cannot stand, without asking the oracle. A control
        may lose what is kept.
        """
        molecule, why_not = readable(proposal.what)
        if molecule is None:
            return proposal, why_not
        proposal = replace(proposal, what=molecule.smiles)
        if no := refused(molecule):
            logger.warning("a proposal was refused (%s)", no.group)
            return proposal, no.reason
        if molecule.smiles in floor.task.seeds:
            return proposal, "it is the start itself"
        if not proposal.by.startswith(people.PERSON):
            if not plausible(molecule):
                return proposal, "it is too large, or has a ring or a group that does not last"
            for _, told in () if control else without(molecule, floor.task.kept):
                return proposal, f"it lost what is kept, or has what was to go: {told}"
        first = self.forms.setdefault(tautomer_key(molecule), molecule.smiles)
        if first != molecule.smiles:
            return proposal, f"it is a tautomer of {first}"
        return proposal, ""

    async def predict(self, molecules: Sequence[Molecule]) -> None:
        """Ask the oracle, where there is one and its budget lasts."""
        for one in await self.account.score(molecules) if self.account else ():
            if not one.score.failed:
                self.lab.scores[one.molecule.smiles] = one.score

    async def closed(self, floor: Floor[Brief], designed: Designed | None = None) -> Floor[Brief]:
        """See the ports."""
        self.designed = designed or Designed()
        self.sheet = await self.run.step(f"weigh:{floor.round}", self._weighed, floor, output=Sheet)
        floor = floor if designed else different(floor, self.sheet, RULES.kept)
        await show(self.run, round_section(floor, self.sheet, self.designed.argument))
        return floor

    @in_thread
    def _weighed(self, floor: Floor[Brief]) -> Sheet:
        return self.lab.sheet(floor)

    def ballots(self, floor: Floor[Brief]) -> tuple[Ballot, ...]:
        """See the port."""
        return people.ballots(floor, people_weight(self.order))
