"""The room of a debate: the guard at the door, predictions, and the thread's people."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents.chemistry.guard import refused
from agents.chemistry.molecule import Molecule, tautomer_key
from agents.chemistry.moves import plausible
from agents.chemistry.recognition import GONE, without
from agents.design import people
from agents.design.finalists import different
from agents.design.gather import Desk
from agents.design.lab import Lab, molecule_of, readable
from agents.design.midway import round_section
from agents.design.oracle import Account
from agents.design.scientist import RuledScientist
from agents.design.understand import people_weight
from agents.design.values import Brief, Designed, Order, Profile, Sheet
from agents.minds.ballots import Ballot
from agents.minds.debate import Debater, Floor, Proposal, Rules
from agents.reports.midrun import show
from agents.runs.background import in_thread
from agents.runs.run import Run

logger = logging.getLogger(__name__)

KEPT = Rules().kept


@dataclass(slots=True)
class Room:
    """Implements `agents.minds.debate.Room`."""

    run: Run
    desk: Desk
    order: Order
    profiles: tuple[Profile, ...]
    lab: Lab
    account: Account | None = None
    sheet: Sheet | None = None
    designed: Designed = field(default_factory=Designed)
    """The set as a chair designs it; without members until one did."""
    excluded: set[str] = field(default_factory=set)

    @property
    def chosen(self) -> list[Profile]:
        """The scientists that nobody excluded."""
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
        may keep what is to go.
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
            for part, told in without(molecule, floor.task.kept):
                if not (control and part.startswith(GONE)):
                    return proposal, f"it lost what is kept, or has what was to go: {told}"
        for one in floor.entries:
            other = molecule_of(one.proposal.what)
            if other != molecule and tautomer_key(other) == tautomer_key(molecule):
                return proposal, f"it is a tautomer of {other.smiles}"
        return proposal, ""

    async def predict(self, molecules: Sequence[Molecule]) -> None:
        """Ask the oracle, where there is one and its budget lasts."""
        for one in await self.account.score(molecules) if self.account else ():
            if not one.score.failed:
                self.lab.scores[one.molecule.smiles] = one.score

    async def closed(self, floor: Floor[Brief]) -> Floor[Brief]:
        """See the port. What a chair designed stands in its order."""
        self.sheet = await self.run.step(f"weigh:{floor.round}", self._weighed, floor, output=Sheet)
        floor = floor if self.designed.members else different(floor, self.sheet, KEPT)
        await show(self.run, round_section(floor, self.sheet, self.designed.argument))
        return floor

    @in_thread
    def _weighed(self, floor: Floor[Brief]) -> Sheet:
        return self.lab.sheet(floor)

    def ballots(self, floor: Floor[Brief]) -> tuple[Ballot, ...]:
        """See the port."""
        return people.ballots(floor, people_weight(self.order))
