"""Searches of several seeds on the oracles of a folder, beside peers, and what was paid for kept on disk."""

import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.chemistry.molecule import Molecule
from agents.design.evaluate.figures import Figures, figures
from agents.design.oracle import Account, Oracle, Score
from agents.design.oracles import open_oracle
from agents.design.search import Allowed, Plan, Search, makeable
from agents.design.starting import starting_molecules
from agents.errors import WrongFile

METHODS = ("pestle", "graph GA", "random")
"""The search with its surrogate; the same genetic search without; starting molecules by chance."""


class Journal:
    """Scores in a file, a line each: an evaluation that is killed pays for none twice."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._known: dict[str, Score] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            try:
                told = json.loads(line)
            except ValueError:  # the line that was being written
                continue
            key = told.pop("key")
            self._known[key] = Score(**told)

    async def step(
        self, name: str, work: Callable[[Molecule], Awaitable[Score]], molecule: Molecule
    ) -> Score:
        """The score of a molecule, paid for at most once."""
        if (found := self._known.get(molecule.inchikey)) is None:
            found = self._known[molecule.inchikey] = await work(molecule)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": molecule.inchikey, **asdict(found)}) + "\n")
        return found


@dataclass(frozen=True, slots=True)
class Setting:
    """What is evaluated.

    Args:
        folder: holds `oracles/*.npz` and a file `*.smi.gz` or `*.smi` to start from (medicines, if none).
        kept: folder for the scores that were paid for.
        oracles: names of files to ask; empty for all.
        calls: budget of each search.
        seeds: of each method on each oracle.
    """

    folder: Path
    kept: Path
    oracles: Sequence[str] = ()
    calls: int = 1_000
    seeds: int = 5
    methods: Sequence[str] = METHODS

    @property
    def molecules(self) -> Path | None:
        """The file that searches start from."""
        found = [*sorted(self.folder.glob("*.smi.gz")), *sorted(self.folder.glob("*.smi"))]
        return found[0] if found else None

    @property
    def files(self) -> list[Path]:
        """The files of the oracles. Raises `WrongFile` if there is none."""
        found = sorted((self.folder / "oracles").glob("*.npz"))
        wanted = [path for path in found if not self.oracles or path.stem in self.oracles]
        if not wanted:
            raise WrongFile(f"{self.folder} holds no such oracle: oracles/*.npz are looked for.")
        return wanted


async def evaluate(setting: Setting) -> dict[str, dict[str, list[Figures]]]:
    """Figures of each seed by oracle and method."""
    found: dict[str, dict[str, list[Figures]]] = {}
    for path in setting.files:
        oracle = open_oracle(path)
        stamp = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        journal = Journal(setting.kept / f"{path.stem}-{stamp}.jsonl")
        found[path.stem] = {method: [] for method in setting.methods}
        for method, seed in _each(setting):
            account = await searched(oracle, setting, method, seed, journal)
            scored = [(one.molecule, account.sign * one.score.value) for one in account.history]
            found[path.stem][method].append(figures(scored, setting.calls))
    return found


async def searched(
    oracle: Oracle, setting: Setting, method: str, seed: int, journal: Journal, allowed: Allowed = makeable
) -> Account:
    """One search of a method, its budget spent."""
    account = Account(oracle, setting.calls, journal.step)
    start, rng = starting_molecules(setting.molecules, seed), random.Random(seed)
    if method == "random":
        await account.score(rng.sample(start, min(len(start), setting.calls)))
    else:
        plan = (
            Plan() if method == "pestle" else Plan(first=100, batch=50, per_scaffold=1_000, surrogate=False)
        )
        await Search(account, start, plan, rng, allowed).run(setting.calls)
    return account


def _each(setting: Setting) -> Iterator[tuple[str, int]]:
    return ((method, seed) for seed in range(setting.seeds) for method in setting.methods)
