"""Oracles give the published values, say how sure they are, and are paid once a molecule."""

import csv
import json
import random
from pathlib import Path

import numpy as np
import pytest

from agents.chemistry.ligand import pdbqt
from agents.chemistry.molecule import Molecule, medicines, read_molecule
from agents.design.brief import with_oracle
from agents.design.evaluate.run import Journal, starting_molecules
from agents.design.oracle import Account, Score
from agents.design.oracles import Measured, Similarity, open_oracle
from agents.design.search import Plan, Search
from agents.design.values import Brief, Measure
from agents.design.work import oracle_in
from agents.errors import WrongFile
from tests.support.services import shared

CLOZAPINE, OLANZAPINE, ASPIRIN = (medicines()[name] for name in ("clozapine", "olanzapine", "aspirin"))


@pytest.mark.service("shared")
@pytest.mark.parametrize(
    ("file", "column", "within"), [("gsk3b_rf", "gsk3b", 1e-6), ("drd2_svc", "drd2", 0.006)]
)
def test_models_from_files_give_the_published_values(file: str, column: str, within: float) -> None:
    folder = shared("data/design/oracles")
    rows = list(csv.DictReader((folder / "test_vectors.csv").read_text().splitlines()))[::4]
    scores = open_oracle(folder / f"{file}.npz").score([read_molecule(row["smiles"]) for row in rows])
    told = [float(row[column]) for row in rows]
    assert [score.value for score in scores] == pytest.approx(told, abs=within)


def test_a_model_learnt_from_a_table_knows_where_it_is_sure(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    rows = [f"{one.smiles},{one.heavy_atoms}" for one in list(medicines().values())[:60]]
    path.write_text("canonical_smiles,value\n" + "\n".join([*rows, "no molecule,3"]))
    oracle = open_oracle(path)
    known, far = oracle.score([read_molecule(rows[3].split(",")[0]), read_molecule("FC(F)(F)F")])
    assert known.value == pytest.approx(float(rows[3].split(",")[1]), abs=3)
    assert known.in_domain
    assert not far.in_domain
    assert (known.uncertainty or 0) < (far.uncertainty or 0)


def test_a_file_that_is_no_oracle_is_told(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", left=np.zeros(1))
    (tmp_path / "broken.npz").write_text("x")
    (tmp_path / "empty.csv").write_text("smiles\n")
    (tmp_path / "empty.smi").write_text("\n")
    (tmp_path / "odd.smi").write_text("CCO ethanol\nC1CC broken\n")
    for name in ("other.npz", "broken.npz", "empty.csv", "empty.smi", "odd.smi"):
        with pytest.raises(WrongFile):
            open_oracle(tmp_path / name)


class Counting(Similarity):
    """Counts what it is asked."""

    asked: list[str] = []  # noqa: RUF012

    def score(self, molecules: object) -> tuple[Score, ...]:
        self.asked.extend(one.inchikey for one in molecules)  # type: ignore[attr-defined]
        return super().score(molecules)  # type: ignore[arg-type]


def test_the_setting_names_a_model_measurements_likeness_or_docking(tmp_path: Path) -> None:
    rows = [f"{one.smiles},{place}" for place, one in enumerate(list(medicines().values())[:60])]
    (tmp_path / "measured.csv").write_text("smiles,value\n" + "\n".join(rows))
    measured = oracle_in(tmp_path / "measured.csv")
    assert measured is not None
    goal = with_oracle(Brief("x", "x"), measured).goal(Measure.ORACLE)
    assert goal is not None
    assert goal.low == pytest.approx(47.2), "better than four of five"
    (tmp_path / "known.smi").write_text(f"CCO ethanol\n{CLOZAPINE.smiles} clozapine\n")
    alike = oracle_in(tmp_path / "known.smi")
    assert alike is not None
    assert alike.score([CLOZAPINE])[0].value == pytest.approx(1.0)
    dock = {"receptor": "parp1.pdbqt", "center": [1, 2, 3], "size": [18, 18, 18], "good": -9.5}
    (tmp_path / "dock.json").write_text(json.dumps(dock))
    docking = oracle_in(tmp_path / "dock.json")
    assert docking is not None
    goal = with_oracle(Brief("x", "x"), docking).goal(Measure.ORACLE)
    assert goal is not None
    assert (docking.name, goal.low, goal.high) == ("docking to parp1", None, -9.5)
    assert oracle_in(None) is None
    (tmp_path / "dock.json").write_text('{"receptor": "x"}')
    for name, told in (("dock.json", "receptor, center and size"), ("none.npz", "PESTLE_DESIGN_ORACLE")):
        with pytest.raises(WrongFile, match=told):
            oracle_in(tmp_path / name)


async def test_a_molecule_is_paid_once_and_a_refused_one_never(tmp_path: Path) -> None:
    account = Account(Similarity((CLOZAPINE,)), 2, Journal(tmp_path / "kept.jsonl").step)
    refusable = read_molecule("FP(C)(=O)OCC")
    told = await account.score([CLOZAPINE, CLOZAPINE, refusable, OLANZAPINE, ASPIRIN])
    assert [one.molecule for one in told] == [CLOZAPINE, CLOZAPINE, OLANZAPINE]
    assert [one.call for one in account.history] == [1, 2]
    assert account.left == 0
    assert account.best_first[0].molecule == CLOZAPINE


async def test_a_killed_search_pays_for_nothing_twice_and_ends_as_if_it_had_lived(tmp_path: Path) -> None:
    async def searched(calls: int, path: Path) -> list[Molecule]:
        oracle = Counting((CLOZAPINE,))
        account = Account(oracle, calls, Journal(path).step)
        start = starting_molecules(None, 0)[:80]
        await Search(account, start, Plan(first=10, batch=5, offspring=20), random.Random(4)).run(calls)
        return [one.molecule for one in account.history]

    Counting.asked.clear()
    await searched(20, tmp_path / "killed.jsonl")
    resumed = await searched(30, tmp_path / "killed.jsonl")
    assert len(Counting.asked) == len(set(Counting.asked)) == 30
    assert resumed == await searched(30, tmp_path / "whole.jsonl")


async def test_a_search_finds_better_molecules_than_it_began_with(tmp_path: Path) -> None:
    oracle = Similarity((CLOZAPINE,))
    start = [one for one in starting_molecules(None, 0) if oracle.score([one])[0].value < 0.4]
    account = Account(oracle, 90, Journal(tmp_path / "kept.jsonl").step)
    plan = Plan(first=15, offspring=40, crowd=90)  # one neighbourhood is what is looked for
    await Search(account, start, plan, random.Random(1)).run(90)
    first = max(one.score.value for one in account.history[:15])
    assert account.best_first[0].score.value > first + 0.08


def test_the_learnt_model_is_least_sure_far_away() -> None:
    oracle = Measured("m", (CLOZAPINE, OLANZAPINE, ASPIRIN), (1.0, 0.9, 0.0))
    near, far = oracle.score([CLOZAPINE, read_molecule("C1CCCCC1")])
    assert near.value > far.value


def test_a_ring_that_usual_torsions_forbid_is_prepared_for_docking() -> None:
    pytest.importorskip("meeko")
    seed = read_molecule("C1=CC2=NC=C(CCCN3CC[NH+](CCc4ccccc4)CC3)[C@H]2C=C1n1cnnc1")
    assert "ENDROOT" in pdbqt(seed, 1)
