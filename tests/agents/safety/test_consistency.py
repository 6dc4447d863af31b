"""Claim-F1 between runs on one target, as in appendix B."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents.errors import ModelUnavailable
from agents.evidence.values import Citation
from agents.reports.values import Cell, Report, Section, Table
from agents.runs.encoding import adapter
from agents.safety.endpoints.values import Endpoint
from agents.safety.evaluate.consistency import compare
from agents.safety.evaluate.judges import Judgement, Judgements, ModelJudge, Rule, VocabularyJudge, related
from agents.safety.evaluate.written import RiskClaim, Written, read_risks
from agents.scripted import Answer, Call, ScriptedModel
from retrieval.errors import JudgementsError

BLOOD = Endpoint.HEMATOTOXICITY


def run(*claims: tuple[str, str], target: str = "T", endpoint: Endpoint = BLOOD) -> Written:
    return Written("run", target, {endpoint: tuple(RiskClaim(*one) for one in claims)} if claims else {})


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("decreased heart rate", "Decreased  heart rate", Rule.SAME_PHENOTYPE),
        ("bradycardia", "decreased heart rate", Rule.SAME_PHENOTYPE),
        ("epilepsy", "seizures", Rule.SAME_PHENOTYPE),
        ("dose-related neutropenia", "no significant hematotoxicity", Rule.CONTRADICTORY),
        ("hypotension", "increased blood pressure", Rule.CONTRADICTORY),
        ("no seizures", "seizures were not observed", Rule.SYNONYM),
        ("hepatic fibrosis", "renal failure", Rule.DIFFERENT_ORGANS),
        ("seizures and tremor", "seizures", Rule.INCLUDES),
        ("something", "something else", Rule.DISTINCT),
    ],
)
def test_the_judge_by_rules(one, other, rule):
    assert related(one, other) is rule
    assert related(other, one) is rule


@pytest.mark.parametrize(
    ("species", "weight"), [("mouse", 1.0), ("rat", 0.75), ("dog", 0.5), ("human", 0.5), ("", None)]
)
async def test_a_match_counts_as_much_as_its_species_speak_for_each_other(species, weight):
    found = await compare([run(("anemia", "mouse")), run(("anaemia", species))], VocabularyJudge())
    assert found.overall.f1 == weight


async def test_claims_without_a_species_are_left_out_and_not_scored_as_zero():
    two = run(("anemia", "mouse"), ("neutropenia", ""))
    found = await compare([two, run(("anemia", "mouse"))], VocabularyJudge())
    assert (found.overall.f1, found.overall.left_out) == (1.0, 1)


async def test_matching_is_greedy_symmetric_and_many_to_one():
    many = run(("anemia", "mouse"), ("haemolytic anaemia", "rat"), ("retinal detachment", "mouse"))
    found = await compare([many, run(("anemia", "mouse"))], VocabularyJudge())
    agreement = found.of_endpoint(BLOOD)
    assert agreement.recall == pytest.approx((1 + 0.75 + 0) / 3)
    assert agreement.precision == 1.0
    turned = (await compare([run(("anemia", "mouse")), many], VocabularyJudge())).of_endpoint(BLOOD)
    assert (turned.precision, turned.recall) == (agreement.recall, agreement.precision)
    assert turned.f1 == agreement.f1


async def test_an_endpoint_that_only_one_run_fills_is_no_agreement():
    found = await compare([run(("anemia", "mouse")), run()], VocabularyJudge())
    assert found.overall.f1 == 0.0


async def test_an_endpoint_that_is_empty_in_both_is_not_counted():
    found = await compare([run(), run()], VocabularyJudge())
    assert found.overall.f1 is None


async def test_all_pairs_of_runs_on_one_target_are_compared_and_no_others():
    runs = [run(("anemia", "mouse"))] * 3 + [run(("anemia", "mouse"), target="U")]
    found = await compare(runs, VocabularyJudge())
    assert len(found.pairs) == 3
    assert json.loads(found.as_json())["f1"] == 1.0


class Model:
    """A model that says of every pair what it is told to, or fails."""

    name = "m"

    def __init__(self, *rules: Rule | None) -> None:
        self.rules = rules

    async def ask(self, role: str, system: str, user: str, schema: type[BaseModel]) -> BaseModel:
        if not self.rules:
            raise ModelUnavailable("away")
        told = [Judgement(pair=f"P{n}", rule=rule) for n, rule in enumerate(self.rules, 1) if rule]
        return Judgements(judgements=told)


async def judged(model: Model, pairs: Sequence[tuple[str, str]]) -> tuple[tuple[Rule, ...], int]:
    judge = ModelJudge(model)  # type: ignore[arg-type]
    return await judge.judge(pairs), judge.fallen_back


async def test_a_model_judges_instead_and_the_rules_take_what_it_leaves():
    pairs = [("tiredness", "fatigue"), ("anemia", "severe anaemia")]
    assert await judged(Model(Rule.SYNONYM, None), pairs) == ((Rule.SYNONYM, Rule.SAME_PHENOTYPE), 1)
    assert await judged(Model(), pairs) == ((Rule.DISTINCT, Rule.SAME_PHENOTYPE), 2)


def report() -> Report:
    rows = (
        (Cell("Hepatotoxicity"), Cell("mouse"), Cell("steatosis; hepatic fibrosis", (1,))),
        (Cell("Ocular toxicity"), Cell("mouse, human"), Cell("cataract; glaucoma", (1, 2))),
        (Cell("Renal toxicity"), Cell(""), Cell("")),
    )
    citations = (
        Citation(1, "E1", "d1", "MGI: mice with mutations of t, ortholog of human T", "cataract", 0, 8),
        Citation(2, "E2", "d2", "ClinVar: diseases of T", "glaucoma", 0, 8),
    )
    table = Table("Risks", ("Endpoint", "Species", "Findings"), rows)
    return Report("Target safety of T", "r", "s", True, (Section("risks", "Risks", (table,), citations),))


def test_the_claims_of_a_report_are_the_findings_of_its_risk_table(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_bytes(adapter(Report).dump_json(report()))
    found = read_risks(path)
    assert found.claims[Endpoint.HEPATOTOXICITY] == (
        RiskClaim("steatosis", "mouse"),
        RiskClaim("hepatic fibrosis", "mouse"),
    )
    assert found.claims[Endpoint.OCULAR] == (RiskClaim("cataract", "mouse"), RiskClaim("glaucoma", "human"))
    assert Endpoint.RENAL not in found.claims


def test_the_whole_export_and_the_plain_form_are_read(tmp_path: Path):
    finding = {"cited": {"fact": {"term": "anemia", "text": "x", "species": "mouse"}}}
    whole = {"result": {"target": {"symbol": "T"}, "risks": [{"endpoint": "renal", "findings": [finding]}]}}
    plain = {"target": "T", "endpoints": {"Renal toxicity": [{"text": "anemia", "species": "mouse"}]}}
    for name, content in (("whole.json", whole), ("plain.json", plain)):
        (tmp_path / name).write_text(json.dumps(content))
        found = read_risks(tmp_path / name)
        assert (found.target, found.claims) == ("T", {Endpoint.RENAL: (RiskClaim("anemia", "mouse"),)})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"endpoints": {"Toes": []}}'])
def test_another_file_is_refused(tmp_path: Path, text: str):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(JudgementsError):
        read_risks(tmp_path / "a.json")


async def test_a_model_is_not_asked_of_equal_claims_nor_twice_of_a_pair() -> None:
    def distinct(call: Call) -> Answer:
        return {"judgements": [{"pair": "P1", "rule": "distinct"}]}

    model = ScriptedModel({"judge": distinct})
    pairs = [("rash", "Rash"), ("rash", "fever"), ("fever", "rash")]
    assert await ModelJudge(model).judge(pairs) == (Rule.SAME_PHENOTYPE, Rule.DISTINCT, Rule.DISTINCT)
    assert len(model.calls) == 1
    assert model.calls[0].user.count("<data pair=") == 1
