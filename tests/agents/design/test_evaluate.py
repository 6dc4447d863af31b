"""Searches and debates of an evaluation: what they pay for, who takes part, and what leads keep to."""

import random
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from agents.chemistry.molecule import Molecule, medicines
from agents.chemistry.properties import qed, sa
from agents.chemistry.similarity import counted, tanimoto
from agents.design.docking import Box, Docking
from agents.design.evaluate.leads import PLAIN, PLAN, Limits, Start, led
from agents.design.evaluate.panels import PAPERS_EACH, Persona, Row, generated, own_molecules, panel
from agents.design.evaluate.run import ABLATIONS, Journal, Method, Setting, evaluate, searched
from agents.design.oracle import Score
from agents.design.oracles import Similarity
from agents.design.search import Plan
from agents.design.surrogate import Surrogate
from agents.design.voice import Suggested, Suggestions
from agents.minds.debate import Rules
from tests.support.scripted import ScriptedModel

CLOZAPINE = medicines()["clozapine"]
ROWS = tuple(
    Row("ABC1" if at < 12 else "XYZ2", one.smiles, ("Inhibitor", str(at % 2)), str(at // 2))
    for at, one in enumerate(list(medicines().values())[:40])
)
TOY = Method(
    "toy", scientists=2, rules=Rules(rounds=1, proposals=1), plan=Plan(first=8, batch=5, offspring=15)
)


STUMP = {
    "left": np.array([1, -1, -1]),
    "right": np.array([2, -1, -1]),
    "feature": np.array([7, 0, 0]),
    "value": np.array([0.5, 0.2, 0.8]),
    "roots": np.array([0]),
}
"""A forest of one tree that asks for one bit."""


class Dying(Similarity):
    """Counts what it is asked, and dies once."""

    asked: Counter[str] = Counter()  # noqa: RUF012
    dies_at = 0

    def score(self, molecules: object) -> tuple[Score, ...]:
        if self.asked.total() == Dying.dies_at:
            Dying.dies_at = -1
            raise MemoryError
        self.asked.update(one.inchikey for one in molecules)  # type: ignore[attr-defined]
        return super().score(molecules)  # type: ignore[arg-type]


async def test_a_killed_debate_pays_for_nothing_twice_and_ends_as_if_it_had_lived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = Setting(tmp_path, tmp_path, calls=40)
    monkeypatch.setattr(Setting, "papers", ROWS)

    async def done(kept: Path) -> list[Molecule]:
        account = await searched(Dying((CLOZAPINE,)), setting, TOY, 0, Journal(kept), "ABC1")
        return [one.molecule for one in account.history]

    Dying.asked.clear()
    Dying.dies_at = 25
    with pytest.raises(MemoryError):
        await done(tmp_path / "killed.jsonl")
    resumed = await done(tmp_path / "killed.jsonl")
    assert Dying.asked.total() == 40
    assert set(Dying.asked.values()) == {1}
    assert resumed == await done(tmp_path / "whole.jsonl")


def test_scientists_get_papers_as_their_persona_says() -> None:
    def dealt(persona: Persona) -> list[set[str]]:
        profiles = panel(persona, ROWS, "abc1", 3, random.Random(1))
        return [{one.pmid for one in profile.molecules} for profile in profiles]

    on = {row.pmid for row in ROWS if row.target == "ABC1"}
    papers = dealt(Persona.PAPERS)
    assert set.union(*papers) == on
    assert sum(map(len, papers)) == len(on), "no paper is dealt twice"
    assert dealt(Persona.SINGLE) == [papers[0]] * 3
    for persona in (Persona.RANDOM, Persona.KEYWORD):
        assert not set.union(*dealt(persona)) & on
        assert max(map(len, dealt(persona))) <= PAPERS_EACH
    assert dealt(Persona.NONE) == dealt(Persona.ROLE) == [set()] * 3
    assert all(one.role for one in panel(Persona.ROLE, ROWS, "abc1", 4, random.Random(1)))


async def test_a_model_makes_scientists_up_and_without_one_that_row_is_left_out(tmp_path: Path) -> None:
    said = Suggestions(proposals=[Suggested(smiles=one, why="x") for one in ("CC(=O)Nc1ccc(Cl)cc1", "no")])
    model = ScriptedModel({"propose": lambda _: said})
    made = await generated(model, "ABC1", 50)
    assert len(made) == 50
    assert [one.smiles for one in made[49].molecules] == ["CC(=O)Nc1ccc(Cl)cc1"]
    (tmp_path / "oracles").mkdir()
    np.savez(tmp_path / "oracles" / "abc1.npz", **STUMP)
    rows = (replace(TOY, persona=Persona.GENERATED), replace(TOY, name="none", persona=Persona.NONE))
    setting = Setting(tmp_path, tmp_path, calls=12, seeds=(0,), methods=rows)
    assert list((await evaluate(setting))["abc1"]) == ["none"]
    asked = len(model.calls)
    assert list((await evaluate(replace(setting, model=model)))["abc1"]) == ["toy", "none"]
    assert len(model.calls) == asked + 2
    assert "50 scientists" in {one.name for one in ABLATIONS}


def test_what_was_published_comes_a_scientist_at_a_time() -> None:
    profiles = panel(Persona.PAPERS, ROWS, "ABC1", 2, random.Random(1))
    assert len(own_molecules(profiles)) == 12
    own = [{one.smiles for one in profile.molecules} for profile in profiles]
    first, second = own_molecules(profiles)[:2]
    assert first.smiles in own[0]
    assert second.smiles in own[1]


def test_the_surrogate_picks_better_molecules_than_chance() -> None:
    molecules = list(medicines().values())
    truth = np.array([tanimoto(one, CLOZAPINE) for one in molecules])
    order = np.random.default_rng(0).permutation(len(molecules))
    known, rest = order[:100], order[100:]
    surrogate = Surrogate.fit(counted([molecules[at] for at in known]), truth[known])
    mean, _ = surrogate.predict(counted([molecules[at] for at in rest]))
    picked = rest[np.argsort(-mean)[:20]]
    assert truth[picked].mean() > truth[rest].mean() + 2 * truth[rest].std() / np.sqrt(20)


@pytest.mark.parametrize("plan", [PLAN, PLAIN])
async def test_every_lead_keeps_to_the_limits_also_from_a_seed_outside_them(
    tmp_path: Path, plan: Plan
) -> None:
    limits = Limits(qed=0.6, sa=3.5, similarity=0.4)
    seed = medicines()["imatinib"]
    assert qed(seed) < limits.qed
    start = Start("toy", seed, -7.0)
    journal = Journal(tmp_path / "kept.jsonl")
    told = await led(Similarity((CLOZAPINE,)), start, limits, 25, 1, journal, plan=plan)
    assert told.calls == 25
    assert len(told.leads) == 24
    for one in told.leads:
        assert qed(one.molecule) >= 0.6
        assert sa(one.molecule) <= 3.5
        assert tanimoto(one.molecule, seed) >= 0.4


RECEPTOR = "".join(
    f"ATOM  {n:5d}  C   ALA A{n:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00     0.000 C \n"
    for n, (x, y, z) in enumerate(((5, 0, 0), (-5, 0, 0), (0, 5, 0), (0, -5, 0), (0, 0, 5), (0, 0, -5)), 1)
)


@pytest.mark.skipif(find_spec("vina") is None or find_spec("meeko") is None, reason="needs the extra design")
def test_docking_in_a_process_of_its_own_gives_the_same_score_twice_and_outlives_a_kill(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tiny.pdbqt"
    path.write_text(RECEPTOR)
    docking = Docking(path, Box((0, 0, 0), (15, 15, 15)))
    aspirin = medicines()["aspirin"]
    (first,) = docking.score([aspirin])
    assert not first.failed
    assert first.value < 0
    docking.close()
    assert docking.score([aspirin]) == (first,)
    docking.close()
