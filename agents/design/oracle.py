"""What scores molecules, and the account that pays for it.

An oracle tells a value for each molecule, how sure it is, and whether the molecule is like those that it was
made from. A call may cost minutes, so `Account` makes one for each distinct molecule (by InChIKey), in the
order in which they arrive, and never more than its budget. Each call is a step of the run: a resume pays for
none again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agents.chemistry.guard import refused
from agents.chemistry.molecule import Molecule

Direction = Literal["maximise", "minimise"]


@dataclass(frozen=True, slots=True)
class Score:
    """One value, with the oracle's own standard deviation (None: it has none).

    `in_domain` is whether the molecule is like those that the oracle knows (None: it cannot tell). `failed`
    says why there is no meaningful value.
    """

    value: float
    uncertainty: float | None = None
    in_domain: bool | None = None
    failed: str = ""


class Oracle(Protocol):
    """Scores molecules; the same molecule always gets the same score."""

    @property
    def name(self) -> str:
        """What it is called in answers and in the ledger."""

    @property
    def direction(self) -> Direction:
        """Which values are good."""

    @property
    def good(self) -> float:
        """The value from which a molecule reaches the usual goal of a brief."""

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """A score for each molecule, in their order. May block for minutes."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A molecule, its score, and the number of the oracle call that gave it, from 1."""

    molecule: Molecule
    score: Score
    call: int


Step = Callable[[str, Callable[[Molecule], Awaitable[Score]], Molecule], Awaitable[Score]]
"""Does a piece of work once and remembers what came out, as `Run.step` does."""


class Account:
    """The calls that a run may make, and those that it made.

    Args:
        oracle: what is asked.
        budget: distinct molecules that may be scored.
        step: `run.step` of a run, or a like thing.
    """

    def __init__(self, oracle: Oracle, budget: int, step: Step) -> None:
        self.oracle = oracle
        self.budget = budget
        self.history: list[Scored] = []
        """In the order of the calls."""
        self._step = step
        self._known: dict[str, Scored] = {}

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return self.budget - len(self.history)

    @property
    def best_first(self) -> list[Scored]:
        """All that was scored with a meaning, the best first; equals in the order of the calls."""
        meant = [one for one in self.history if not one.score.failed]
        return sorted(meant, key=lambda one: (-self.sign * one.score.value, one.call))

    @property
    def sign(self) -> int:
        """1 where high values are good, -1 where low ones are."""
        return 1 if self.oracle.direction == "maximise" else -1

    def known(self, molecule: Molecule) -> Scored | None:
        """The score of a molecule that was paid for."""
        return self._known.get(molecule.inchikey)

    async def score(self, molecules: Sequence[Molecule]) -> tuple[Scored, ...]:
        """The scores of these molecules, as far as the budget goes. What is refused is not scored."""
        told: list[Scored] = []
        for molecule in molecules:
            if (found := self.known(molecule)) is None and self.left > 0 and refused(molecule) is None:
                score = await self._step(f"oracle:{self.oracle.name}", self._call, molecule)
                found = Scored(molecule, score, len(self.history) + 1)
                self.history.append(found)
                self._known[molecule.inchikey] = found
            if found is not None:
                told.append(found)
        return tuple(told)

    async def _call(self, molecule: Molecule) -> Score:
        (score,) = await asyncio.to_thread(self.oracle.score, [molecule])
        return score
