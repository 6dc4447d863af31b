"""Searches of several seeds on the oracles of a folder, beside peers, and what was paid for kept on disk."""

import gzip
import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.chemistry.molecule import Molecule, medicines
from agents.design.evaluate.debated import debated
from agents.design.evaluate.figures import Figures, figures
from agents.design.evaluate.panels import Persona, Row, generated, panel, read_papers
from agents.design.lab import readable
from agents.design.oracle import Account, Oracle, Score
from agents.design.oracles import open_oracle
from agents.design.search import Plan, Search
from agents.errors import WrongFile
from agents.minds.debate import Rules
from agents.ports import LanguageModel
from agents.runs.hashing import digest


@dataclass(frozen=True, slots=True)
class Method:
    """A way to spend the calls: who debates, and what takes turns with them.

    Args:
        name: in the table.
        persona: of the scientists.
        scientists: how many.
        rules: of the debate; without rounds what they published is given to the optimiser alone.
        plan: of the optimiser; None draws starting molecules by chance.
    """

    name: str
    persona: Persona = Persona.PAPERS
    scientists: int = 8
    rules: Rules = Rules(rounds=2, proposals=2)
    plan: Plan | None = Plan()


MOST = 2_000
"""Molecules that are taken from a file to start from."""
NO_DEBATE = Rules(rounds=0)
PLAIN = Plan(first=100, batch=50, per_scaffold=1_000, surrogate=False)
METHODS = (
    Method("debate"),
    Method("optimiser alone", Persona.NONE, 0, NO_DEBATE),
    Method("graph GA", Persona.NONE, 0, NO_DEBATE, PLAIN),
    Method("chance", Persona.NONE, 0, NO_DEBATE, None),
)
"""The debate and its peers: the optimiser without scientists, the same without its surrogate, and chance."""
ABLATIONS = (
    Method("debate"),
    Method("without critique", rules=Rules(rounds=2, proposals=2, critique=False)),
    Method("without vote", rules=Rules(rounds=2, proposals=2, vote=False)),
    Method("without debate", rules=NO_DEBATE),
    *(Method(f"profile: {one}", one) for one in Persona if one is not Persona.PAPERS),
    *(Method(f"{count} scientists", scientists=count) for count in (5, 20, 50)),
)
"""What is taken away; "without debate" leaves what was published, "profile: none" leaves the debate."""


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
        folder: holds `oracles/*.npz`, a file `*.smi.gz` or `*.smi` to start from (medicines, if none), and
            `papers/*.csv` or `.csv.gz` with what papers report on targets (else nobody has published).
        kept: folder for the scores that were paid for, and for the figures of searches that are done.
        oracles: names of files to ask; empty for all.
        calls: budget of each search.
        seeds: of each method on each oracle.
        target: gene symbol that the papers are looked up by; by default how the oracle's name begins.
        model: makes scientists up; without one the row that needs it is left out.
    """

    folder: Path
    kept: Path
    oracles: Sequence[str] = ()
    calls: int = 1_000
    seeds: Sequence[int] = range(5)
    methods: Sequence[Method] = METHODS
    target: str = ""
    model: LanguageModel | None = None

    @property
    def molecules(self) -> Path | None:
        """The file that searches start from."""
        return self._first("*.smi.gz", "*.smi")

    @property
    def papers(self) -> tuple[Row, ...]:
        """What papers report."""
        found = self._first("papers/*.csv.gz", "papers/*.csv")
        return read_papers(found) if found else ()

    @property
    def files(self) -> list[Path]:
        """The files of the oracles. Raises `WrongFile` if there is none."""
        found = sorted((self.folder / "oracles").glob("*.npz"))
        wanted = [path for path in found if not self.oracles or path.stem in self.oracles]
        if not wanted:
            raise WrongFile(f"{self.folder} holds no such oracle: oracles/*.npz are looked for.")
        return wanted

    def _first(self, *patterns: str) -> Path | None:
        return next((path for one in patterns for path in sorted(self.folder.glob(one))), None)


async def evaluate(setting: Setting) -> dict[str, dict[str, list[Figures]]]:
    """Figures of each seed by oracle and method."""
    found: dict[str, dict[str, list[Figures]]] = {}
    for path in setting.files:
        oracle = open_oracle(path)
        stamp = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        journal = Journal(setting.kept / f"{path.stem}-{stamp}.jsonl")
        target = setting.target or path.stem.partition("_")[0]
        methods = [one for one in setting.methods if setting.model or one.persona is not Persona.GENERATED]
        found[path.stem] = {method.name: [] for method in methods}
        for method, seed in ((method, seed) for seed in setting.seeds for method in methods):
            done = setting.kept / "done" / f"{digest((stamp, target, setting.calls, method, seed))}.json"
            if not done.exists():
                account = await searched(oracle, setting, method, seed, journal, target)
                done.parent.mkdir(parents=True, exist_ok=True)
                done.write_text(json.dumps(asdict(_figures(account, setting, target))), "utf-8")
            found[path.stem][method.name].append(Figures(**json.loads(done.read_text("utf-8"))))
    return found


def _figures(account: Account, setting: Setting, target: str) -> Figures:
    scored = [(one.molecule, account.sign * one.score.value) for one in account.history]
    published = {row.smiles for row in setting.papers if row.target.casefold() == target.casefold()}
    known = {molecule.inchikey for smiles in published if (molecule := readable(smiles)[0])}
    return figures(scored, setting.calls, known)


async def searched(
    oracle: Oracle, setting: Setting, method: Method, seed: int, journal: Journal, target: str = ""
) -> Account:
    """One search of a method, its budget spent."""
    account = Account(oracle, setting.calls, journal.step)
    start, rng = starting_molecules(setting.molecules, seed), random.Random(seed)
    if method.plan is None:
        await account.score(rng.sample(start, min(len(start), setting.calls)))
    else:
        if method.persona is Persona.GENERATED and setting.model:
            scientists = await generated(setting.model, target, method.scientists)
        else:
            scientists = panel(method.persona, setting.papers, target, method.scientists, random.Random(seed))
        await debated(Search(account, start, method.plan, rng), scientists, method.rules)
    return account


def starting_molecules(path: Path | None, seed: int) -> list[Molecule]:
    """A sample of a file with one SMILES a line (`.smi`, `.smi.gz`); without a file, the medicines.

    A line that is no molecule is passed over.
    """
    if path is None:
        return list(medicines().values())
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    lines = [line.split()[0] for line in text.splitlines() if line.strip()]
    sample = random.Random(seed).sample(lines, min(len(lines), MOST))
    return list(dict.fromkeys(one for smiles in sample if (one := readable(smiles)[0])))
