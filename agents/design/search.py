"""The optimiser: a graph-based genetic search that asks a surrogate before it spends an oracle call.

After a first diverse batch, each turn breeds candidates from the best molecules so far (Jensen's moves, parts
of the starting molecules), lets a Gaussian process guess them over a few generations, and pays for a small
batch with high promise that is diverse in itself and does not crowd one scaffold. Without a surrogate it is
the plain genetic search that it is compared with.

The same seed and the same scores give the same search, so a resumed run goes on as it was.
"""

import random
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

import numpy as np

from agents.chemistry.guard import refused
from agents.chemistry.molecule import Molecule
from agents.chemistry.moves import crossover, fragments_of, mutate, plausible
from agents.chemistry.properties import sa
from agents.chemistry.similarity import counted, scaffold, similarities
from agents.design.oracle import Account, Scored
from agents.design.surrogate import Surrogate, kernel

Allowed = Callable[[Molecule], bool]
HARDEST = 4.5
"""Synthetic accessibility (raw scale) of what is worth an oracle call unless somebody says otherwise."""


def makeable(molecule: Molecule) -> bool:
    """Whether a molecule lasts, and can be made without great effort."""
    return plausible(molecule) and sa(molecule) <= HARDEST


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search spends its calls.

    Args:
        first: calls for the first batch, chosen from the starting molecules to differ.
        batch: calls between two fits of the surrogate; one more for every 12 calls beyond the first 100.
        parents: best molecules that breed.
        per_scaffold: parents of one scaffold at most.
        offspring: candidates of a generation.
        generations: of candidates that the surrogate guesses for one batch.
        screened: starting molecules that the surrogate guesses for one batch.
        alike: similarity from which two molecules of a batch are too alike.
        crowd: scored molecules as similar as `crowd_alike` from which a neighbourhood is full.
        surrogate: False for the plain genetic search.
    """

    first: int = 30
    batch: int = 10
    parents: int = 60
    per_scaffold: int = 5
    offspring: int = 120
    generations: int = 2
    screened: int = 300
    alike: float = 0.6
    crowd: int = 5
    crowd_alike: float = 0.36
    surrogate: bool = True


BOLDNESS = (0.0, 0.1, 0.3, 0.6, 1.0, 2.0)
"""Standard deviations added to the mean; the picks of a batch take turns."""
MATING = 0.5
"""Share of offspring from two parents."""
BARREN = 5
"""Turns in a row without a new candidate after which a search gives up."""


TAKEN_APART = 400
"""Starting molecules whose substituents are put on others."""


class Search:
    """One search over an account, in turns.

    Args:
        account: pays the oracle.
        start: molecules to begin with and to take parts from; proposals of scientists come in by `score`.
        plan: how calls are spent.
        rng: the source of chance.
        allowed: what may be scored, besides what is refused anyway.
    """

    def __init__(
        self,
        account: Account,
        start: Sequence[Molecule],
        plan: Plan,
        rng: random.Random,
        allowed: Allowed = makeable,
    ) -> None:
        self.account, self.start, self.plan, self.rng = account, list(start), plan, rng
        self.allowed = allowed
        self._learnt: tuple[int, Surrogate | None] = (-1, None)
        self._scored = {one.molecule for one in account.history}
        sample = rng.sample(self.start, min(len(self.start), TAKEN_APART))
        self._fragments = fragments_of(sample)

    async def run(self, calls: int) -> None:
        """Spend up to `calls` calls."""
        until = max(self.account.left - calls, 0)
        if len(self.account.history) < self.plan.first:
            first = self.plan.first - len(self.account.history)
            await self.score(self._first(min(first, self.account.left - until)))
        barren = 0
        while self.account.left > until and barren < BARREN:
            size = self.plan.batch + max(len(self.account.history) - 100, 0) // 12
            batch = self._next(min(size, self.account.left - until))
            barren = 0 if batch else barren + 1
            await self.score(batch)

    async def score(self, molecules: Sequence[Molecule]) -> tuple[Scored, ...]:
        """Pay for molecules of somebody else as well: they are parents, and teach the surrogate."""
        scored = await self.account.score(molecules)
        self._scored.update(one.molecule for one in scored)
        return scored

    def learnt(self) -> Surrogate | None:
        """The surrogate of all calls so far, of values where high is good; None before there are two."""
        history = [one for one in self.account.history if not one.score.failed]
        if self._learnt[0] != len(history):
            values = np.array([self.account.sign * one.score.value for one in history], np.float64)
            known = counted([one.molecule for one in history])
            self._learnt = (len(history), Surrogate.fit(known, values) if len(history) > 1 else None)
        return self._learnt[1]

    def _first(self, count: int) -> list[Molecule]:
        """Starting molecules that differ from each other."""
        drawn = self.rng.sample(self.start, min(len(self.start), 40 * count))
        pool = [one for one in drawn if self._fresh(one)]
        chosen: list[Molecule] = []
        nearest = np.zeros(len(pool))
        while pool and len(chosen) < count:
            at = int(np.argmin(nearest)) if chosen else 0
            chosen.append(pool[at])
            nearest[at] = 2.0
            nearest = np.maximum(nearest, np.asarray(similarities(pool[at], pool)))
            if nearest.min() >= 1.0:
                break
        return chosen

    def _next(self, count: int) -> list[Molecule]:
        """The molecules that are worth the next calls."""
        parents = self.parents()
        surrogate = self.learnt() if self.plan.surrogate else None
        if surrogate is None:
            bred = self._bred(parents, max(count, self.plan.batch))
            return [one for one in bred if self._fresh(one)][:count]
        pool: dict[Molecule, float] = {}
        screened = self.rng.sample(self.start, min(len(self.start), self.plan.screened))
        generation = [one for one in screened if one not in self._scored]
        boldness = self.rng.choice(BOLDNESS)
        for _ in range(self.plan.generations):
            generation += self._bred(parents, self.plan.offspring, pool)
            new = list(dict.fromkeys(one for one in generation if one not in pool))
            if new:
                mean, spread = surrogate.predict(counted(new))
                pool.update(zip(new, (mean + boldness * spread).tolist(), strict=True))
            ranked = sorted(pool, key=lambda one: -pool[one])
            parents = self._capped(ranked, self.plan.parents // 2) + parents[: self.plan.parents // 2]
            generation = []
        return self._batch(list(pool), surrogate, count)

    def _batch(self, pool: list[Molecule], surrogate: Surrogate, count: int) -> list[Molecule]:
        """The most promising by turns of boldness, not too alike, not too many of a scaffold."""
        fingerprints = counted(pool)
        mean, spread = surrogate.predict(fingerprints)
        roomy = (kernel(fingerprints, surrogate.known) >= self.plan.crowd_alike).sum(1) < self.plan.crowd
        chosen: list[Molecule] = []
        for turn in range(count):
            promise = mean + BOLDNESS[turn % len(BOLDNESS)] * spread - 10.0 * ~roomy
            for at in np.argsort(-promise, kind="stable"):
                one = pool[int(at)]
                alike = max(similarities(one, chosen)) if chosen else 0.0
                if alike <= self.plan.alike and self._fresh(one):
                    chosen.append(one)
                    break
        return chosen

    def parents(self) -> list[Molecule]:
        """The best so far, few of each scaffold; before the first call, some to start from."""
        most = self.plan.parents
        return self._capped([one.molecule for one in self.account.best_first], most) or self.start[:most]

    def _capped(self, ranked: Sequence[Molecule], count: int) -> list[Molecule]:
        """The first `count`, with few of each scaffold."""
        seen: Counter[str] = Counter()
        kept = []
        for one in ranked:
            if seen[scaffold(one)] < self.plan.per_scaffold:
                seen[scaffold(one)] += 1
                kept.append(one)
            if len(kept) == count:
                break
        return kept

    def _bred(
        self, parents: Sequence[Molecule], count: int, known: Container[Molecule] = ()
    ) -> list[Molecule]:
        """New molecules; the better a parent, the more often it is taken."""
        made: dict[Molecule, None] = {}
        weights = [1 / (rank + 5) for rank in range(len(parents))]
        for _ in range(3 * count):
            if len(made) >= count:
                break
            one, other = self.rng.choices(parents, weights, k=2)
            child = crossover(one, other, self.rng) if self.rng.random() < MATING else one
            if child is not None and (child is one or self.rng.random() < 0.5):
                child = mutate(child, self.rng, self._fragments)
            if child is not None and child not in made and child not in known and child not in self._scored:
                made[child] = None
        return list(made)

    def _fresh(self, molecule: Molecule) -> bool:
        return self.allowed(molecule) and self.account.known(molecule) is None and refused(molecule) is None
