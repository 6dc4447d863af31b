"""A debate without a model whose rounds take turns with the optimiser, over one account of oracle calls.

What the scientists published is scored first. Before each round the optimiser spends a share of the calls,
and its best stand on the floor; scientists change and cross these with what they know, see what the
surrogate guesses of a molecule, and what they propose is scored. After the last round the optimiser spends
what is left.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from agents.chemistry.molecule import KEPT, Molecule
from agents.chemistry.properties import logp, qed, sa, weight
from agents.chemistry.similarity import counted
from agents.design.brief import BASE
from agents.design.evaluate.panels import own_molecules
from agents.design.lab import Lab, molecule_of
from agents.design.scientist import RuledScientist
from agents.design.search import Search
from agents.design.surrogate import Surrogate
from agents.design.values import Brief, Goal, Measure, Profile
from agents.minds.ballots import Ballot
from agents.minds.debate import Debater, Floor, Proposal, Rules, debate
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import new_run
from agents.runs.run import Run

OPTIMISER = "optimiser"
SHARE = 10
"""One of so many calls is the optimiser's before each round."""
SHOWN = 8
"""Molecules of the optimiser that stand in a round."""
WEIGHT = 5.0
"""Of the oracle among the usual goals, when scientists choose what to propose."""


class Guessing(Lab):
    """A bench with the surrogate's guess where the oracle was not asked, and what is quick to compute."""

    def __init__(self, search: Search) -> None:
        super().__init__()
        self._search = search

    def values(self, brief: Brief, molecule: Molecule) -> dict[Measure, float]:
        """QED, SA score, logP, weight, and the oracle's value or the guess of it."""
        account = self._search.account
        oracle = _guess(self._search.learnt(), molecule)
        if (paid := account.known(molecule)) is not None:
            oracle = {Measure.ORACLE: account.sign * paid.score.value}
        return {**_quick(molecule), **oracle}


@lru_cache(KEPT)
def _quick(molecule: Molecule) -> dict[Measure, float]:
    computed = {Measure.QED: qed, Measure.SA: sa, Measure.LOGP: logp, Measure.MW: weight}
    return {measure: of(molecule) for measure, of in computed.items()}


@lru_cache(KEPT)
def _guess(surrogate: Surrogate | None, molecule: Molecule) -> dict[Measure, float]:
    return {} if surrogate is None else {Measure.ORACLE: float(surrogate.predict(counted([molecule]))[0][0])}


@dataclass(slots=True)
class Bench:
    """Implements `agents.minds.debate.Room`: what is allowed is scored; the optimiser takes turns."""

    search: Search
    calls: int
    """That the optimiser spends before each round."""
    seen: set[str] = field(default_factory=set)

    async def opened(self, floor: Floor[Brief]) -> Floor[Brief]:
        """The optimiser spends its share; its best come in, and the best value is the goal."""
        account = self.search.account
        await self.search.run(self.calls)
        best = [one for one in self.search.parents() if one.smiles not in self.seen][:SHOWN]
        self.seen.update(one.smiles for one in best)
        came = tuple(Proposal(OPTIMISER, one.smiles, "its score is among the best") for one in best)
        at_best = account.sign * account.best_first[0].score.value if account.best_first else 0.0
        goal = Goal(Measure.ORACLE, at_best, None, WEIGHT, at_best)
        over = "" if account.left else "the calls are spent"
        return replace(floor, task=floor.task.with_goal(goal), waiting=came, over=over)

    async def admit(self, floor: Floor[Brief], proposal: Proposal) -> tuple[Proposal, str]:
        """Whatever may be scored, and is."""
        molecule = molecule_of(proposal.what)
        if self.search.account.known(molecule) is None:
            if not self.search.allowed(molecule):
                return proposal, "it may not be scored"
            if not await self.search.score([molecule]):
                return proposal, "the calls are spent, or it is refused"
        return replace(proposal, what=molecule.smiles), ""

    async def closed(self, floor: Floor[Brief]) -> Floor[Brief]:
        """Nobody is to be shown anything."""
        return floor

    def ballots(self, floor: Floor[Brief]) -> tuple[Ballot, ...]:
        """Nobody else votes."""
        return ()


async def debated(search: Search, profiles: tuple[Profile, ...], rules: Rules) -> None:
    """Spend the whole account of a search."""
    account = search.account
    own = [one for one in own_molecules(profiles) if search.allowed(one)]
    await search.score(own)
    record, ledger = new_run("design", "evaluation"), MemoryLedger()
    await ledger.create(record)
    lab = Guessing(search)

    def scientists(brief: Brief) -> list[Debater[Brief]]:
        return [RuledScientist(one, lab) for one in _best_first(search, profiles)]

    room = Bench(search, account.budget // SHARE)
    await debate(Run(record, ledger), scientists, room, Floor(Brief("evaluation", goals=BASE)), rules)
    await search.run(account.left)


def _best_first(search: Search, profiles: tuple[Profile, ...]) -> list[Profile]:
    """The scientists with what they published in the order of its scores."""
    place = {one.molecule.smiles: at for at, one in enumerate(search.account.best_first)}

    def worth(smiles: str) -> int:
        return place.get(molecule_of(smiles).smiles, len(place))

    return [
        replace(one, molecules=tuple(sorted(one.molecules, key=lambda it: worth(it.smiles))))
        for one in profiles
    ]
