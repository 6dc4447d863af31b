"""Lead optimisation by docking: molecules near a seed that dock better, within limits on each of them.

As in GenMol and Indibator (section 3.3): QED at least 0.6, SA score at most 4, Tanimoto similarity to the
seed at least 0.4 or 0.6. A seed may lie outside these limits: a walk without the oracle finds the way in.
"""

import csv
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from agents.chemistry.guard import refused
from agents.chemistry.molecule import Molecule, read_molecule
from agents.chemistry.moves import crossover, fragments_of, mutate, plausible
from agents.chemistry.properties import qed, sa
from agents.chemistry.similarity import tanimoto
from agents.design.docking import Box, Docking
from agents.design.evaluate.run import Journal, starting_molecules
from agents.design.oracle import Account, Oracle, Scored
from agents.design.search import Plan, Search
from agents.errors import ChemistryError, WrongFile
from agents.runs.hashing import digest

PLAN = Plan(first=10, batch=8, per_scaffold=10, offspring=80, screened=0, alike=0.85, crowd=1_000)
"""One neighbourhood is searched: nothing in it is crowded."""
PLAIN = replace(PLAN, surrogate=False)
"""A peer: the genetic search whose candidates nothing guesses before they are docked."""
WANTED, GENERATIONS, KEPT, CHILDREN = 60, 25, 60, 60
"""Molecules within the limits that a walk looks for, its generations, and their sizes."""
OUTSIDE = 8
"""Molecules bred for one within the limits: of 600 bred near two seeds 77 and 88 were."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What every lead keeps to; SA on the raw scale, similarity to the seed."""

    qed: float = 0.6
    sa: float = 4.0
    similarity: float = 0.4

    def short(self, molecule: Molecule, seed: Molecule) -> float:
        """How far a molecule is from keeping to them; 0 if it does."""
        qed_short = max(self.qed - qed(molecule), 0.0) / self.qed
        sa_over = max(sa(molecule) - self.sa, 0.0) / self.sa
        return qed_short + sa_over + max(self.similarity - tanimoto(molecule, seed), 0.0) / self.similarity


@dataclass(frozen=True, slots=True)
class Start:
    """A molecule to begin with, and the docking score published with it, kcal/mol."""

    receptor: str
    molecule: Molecule
    published: float


@dataclass(frozen=True, slots=True)
class Led:
    """What came of a seed: its own score (None: it could not be docked), and the leads, best first."""

    start: Start
    before: float | None
    leads: tuple[Scored, ...]
    calls: int


def read_starts(folder: Path) -> tuple[Start, ...]:
    """The rows of `seeds.csv` (`target`, `smiles`, `DS` with the sign turned). Raises `WrongFile`."""
    try:
        rows = list(csv.DictReader((folder / "seeds.csv").read_text("utf-8").splitlines()))
        return tuple(Start(row["target"], read_molecule(row["smiles"]), -float(row["DS"])) for row in rows)
    except (OSError, KeyError, ValueError, ChemistryError) as error:
        raise WrongFile(f"{folder} needs seeds.csv with target, smiles and DS: {error!r}") from error


def docking_in(folder: Path, receptor: str) -> Docking:
    """The docking to `RECEPTOR.pdbqt` in its box of `boxes.json`. Raises `WrongFile`."""
    try:
        box = json.loads((folder / "boxes.json").read_text("utf-8"))[receptor]
        return Docking(folder / f"{receptor}.pdbqt", Box(box["center"], box["size"]))
    except (OSError, KeyError, ValueError) as error:
        raise WrongFile(f"{folder} needs boxes.json with center and size of {receptor}.") from error


async def all_led(
    folder: Path,
    starts: Sequence[Start],
    limits: Limits,
    calls: int,
    seed: int,
    kept: Path,
    plan: Plan = PLAN,
) -> list[Led]:
    """Leads for every seed. What was docked is kept in `kept`, so that a killed evaluation goes on."""
    found = []
    for start in starts:
        oracle = docking_in(folder, start.receptor)
        receptor = hashlib.sha256(oracle.receptor.read_bytes()).hexdigest()
        stamp = digest((receptor, oracle.box, oracle.exhaustiveness, oracle.seed))[:12]
        journal = Journal(kept / f"{start.receptor}-{stamp}.jsonl")
        with closing(oracle):
            found.append(await led(oracle, start, limits, calls, seed, journal, plan))
    return found


async def led(
    oracle: Oracle,
    start: Start,
    limits: Limits,
    calls: int,
    seed: int,
    journal: Journal,
    plan: Plan = PLAN,
) -> Led:
    """Leads from one seed, which costs the first of the calls."""
    account = Account(oracle, calls, journal.step)
    await account.score([start.molecule])
    before = next((one.score.value for one in account.best_first), None)

    def within(molecule: Molecule) -> bool:
        return plausible(molecule) and limits.short(molecule, start.molecule) == 0

    rng = random.Random(seed)
    others = starting_molecules(None, seed)
    near = list(walk(start.molecule, others, limits, rng))
    if near:
        await _Near(account, near, plan, rng, within).run(account.left)
    leads = [one for one in account.best_first if within(one.molecule) and one.molecule != start.molecule]
    return Led(start, before, tuple(leads), len(account.history))


class _Near(Search):
    """A search that breeds only what may be scored: limits leave little room."""

    def _bred(self, parents: Sequence[Molecule], count: int, known: object = ()) -> list[Molecule]:
        return [one for one in super()._bred(parents, OUTSIDE * count) if self.allowed(one)]


def walk(
    seed: Molecule, others: Sequence[Molecule], limits: Limits, rng: random.Random
) -> Iterator[Molecule]:
    """Molecules within the limits, bred from the seed and parts of others without an oracle, as they come."""
    fragments = fragments_of([seed, *rng.sample(others, min(len(others), 200))])
    population, found = {seed: limits.short(seed, seed)}, 0
    for _ in range(GENERATIONS):
        parents = list(population)
        for _ in range(CHILDREN):
            one, other = rng.choice(parents), rng.choice(parents)
            crossed = crossover(one, other, rng) if rng.random() < 0.3 else one
            child = mutate(crossed or one, rng, fragments)
            if child is not None and child not in population and refused(child) is None:
                population[child] = limits.short(child, seed)
                if population[child] == 0:
                    found += 1
                    yield child
        if found >= WANTED:
            return
        ranked = sorted(population, key=lambda one: population[one])
        population = {one: population[one] for one in ranked[:KEPT]}
