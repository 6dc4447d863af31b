"""Gold tables, scores worked by hand, baselines, calibration, and figures of invented drugs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from agents.databases.labels import LabelPassage, MemoryLabels
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import Ndc
from agents.databases.prescriptions import Prescriptions
from agents.errors import WrongFile
from agents.minds.work import Said
from agents.roc import auc
from agents.runs.records import Budget
from agents.vigilance.evaluate.calibrate import learn_calibration
from agents.vigilance.evaluate.figures import (
    Cell,
    ReliabilityBin,
    baseline_figures,
    by_probability,
    confusion,
    f1,
    figures,
    is_ade,
    is_effect,
    postprocessed,
    reliability,
)
from agents.vigilance.evaluate.gold import Gold, read_gold
from agents.vigilance.evaluate.judge import Baselines, Passages
from agents.vigilance.evaluate.model import RunJudge, corrected
from agents.vigilance.evaluate.run import evaluate_vigilance
from agents.vigilance.finder.find import Finder
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.reading.drug import judge_drug
from agents.vigilance.values import CategoryVerdict, DrugVerdict, Effect, Frequency, Strength
from tests.agents.vigilance.kit import desk, world
from tests.support.services import shared

PARTS = ("tuned", "untouched")
UP, DOWN, NONE = Effect.INCREASE, Effect.DECREASE, Effect.NO_EFFECT


def passage(drug: str, text: str, section: str = "warnings") -> LabelPassage:
    return LabelPassage(f"{drug}/{section}", drug.upper(), section, text, ingredients=(drug,))


def over(*passages: LabelPassage) -> Passages:
    labels, bulk = MemoryLabels(passages), MemoryBulk()
    return Passages(Finder(Ndc(bulk), Prescriptions(bulk), labels), labels)


def cell(gold: Effect, effect: Effect, confidence: float, **more: object) -> Cell:
    scores: dict[str, Any] = {"p_harm": confidence if effect is UP else 0.2, "p_benefit": 0.1, **more}
    said = {"outcome": "stroke", "effect": effect, "confidence": confidence, **scores}
    drug = DrugVerdict(ingredient="inventol", labels=1, **said)
    verdict = CategoryVerdict(category="inventols", drugs=(drug,), **said)
    return Cell("inventols", "stroke", gold, verdict, {"word match": float(gold is UP), "majority": 0.0})


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def test_both_forms_of_gold_and_negative_controls_are_read(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "exposureName,outcomeName,groundTruth\nInventol,OMOP Stroke 1,1\nA,B,0\n")
    write(tmp_path, "b.csv", "drug_category,outcome,label\nCs,x,decrease\nCs,y,no-effect\n")
    write(tmp_path, "c.csv", "targetName,outcomeName,type\nD,E,Outcome control\n")
    write(tmp_path, "other.csv", "x,y\n1,2\n")
    assert read_gold(tmp_path) == [
        Gold("Inventol", "OMOP Stroke 1", UP),
        Gold("A", "B", NONE),
        Gold("Cs", "x", DOWN),
        Gold("Cs", "y", None),
        Gold("D", "E", NONE),
    ]


@pytest.mark.parametrize(
    "text", ["drug_category,outcome,label\nA,b,maybe\n", "exposureName,outcomeName,groundTruth\nA,b,2\n", ""]
)
def test_other_labels_and_empty_files_are_refused(tmp_path: Path, text: str) -> None:
    write(tmp_path, "a.csv", text)
    with pytest.raises(WrongFile):
        read_gold(tmp_path)


def test_auc_and_f1_by_hand() -> None:
    assert auc([True, True, False, False], [0.9, 0.4, 0.4, 0.1]) == pytest.approx(3.5 / 4)
    assert auc([True], [0.5]) is None
    assert f1([True, True, False], [True, False, True]) == pytest.approx(0.5)
    assert f1([False], [False]) is None


def test_scores_of_the_paper() -> None:
    up, none, down = (cell(UP, one, 0.6).verdict for one in (UP, NONE, DOWN))
    assert [round(one.ade_score, 4) for one in (down, none, up)] == [0.1333, 0.4667, 0.8667]
    assert [round(one.effect_score, 4) for one in (down, none, up)] == [0.8, 0.2, 0.8]
    assert by_probability(up, is_ade) == pytest.approx(0.8)
    assert by_probability(down, is_ade) == pytest.approx(0.45)
    assert by_probability(none, is_effect) == pytest.approx(0.2)


def test_unreliable_labels_are_taken_back() -> None:
    weak = {"strength": Strength.WEAK, "frequency": Frequency.RARE}
    assert postprocessed(cell(UP, UP, 0.8, **weak).verdict) is NONE
    assert postprocessed(cell(UP, UP, 0.8).verdict) is UP
    assert postprocessed(cell(UP, UP, 0.1).verdict) is NONE


def test_figures_confusion_and_reliability() -> None:
    cells = [cell(UP, UP, 0.9), cell(UP, NONE, 0.6), cell(NONE, NONE, 0.9), cell(DOWN, DOWN, 0.8)]
    ade = figures(cells, is_ade)
    assert (ade["auc"], ade["f1"]) == (1.0, 0.6667)
    assert figures(cells, is_effect)["auc"] == 1.0
    assert confusion(cells)["increase"] == {"increase": 1, "decrease": 0, "no-effect": 1}
    told = reliability(cells)
    assert told["bins"][-1] == ReliabilityBin(said=0.9, observed=1.0, cells=1)
    assert baseline_figures(cells)["word match"]["ade.auc"] == 1.0
    assert baseline_figures(cells)["majority"]["ade.auc"] == 0.5


async def test_drugs_without_a_label_are_told_apart_from_those_whose_label_is_silent() -> None:
    passages = over(
        passage("inventol", "Inventol can cause stroke."), passage("silentol", "Nausea was reported.")
    )
    gold = [
        Gold("Inventol", "OMOP Stroke 1", UP),
        Gold("Silentol", "Stroke", NONE),
        Gold("Nobodyhasit", "Stroke", UP),
        Gold("Inventol", "gout", None),
    ]
    judge = RunJudge(replace(desk(world([])), finder=passages.finder, labels=passages.labels))
    result = await evaluate_vigilance(gold, judge, Baselines(passages))
    told = result.as_fields()
    assert (told["scored"], told["covered"], told["coverage"]) == (3, 2, 0.6667)
    assert told["ade"]["auc"] == 1.0
    assert (told["ade"]["f1"], told["all"]["ade"]["f1"]) == (1.0, 0.6667)
    first = told["cells"][0]
    assert first["read_as"] == "stroke"
    assert first["justification"][0]["quotes"] == ("Inventol can cause stroke.",)


async def test_runs_of_the_product_judge_classes_by_its_rules_without_a_model() -> None:
    labels = [
        {"drug": "LISINOPRIL", "section": "warnings", "text": "Lisinopril can cause angioedema."},
        {"drug": "WARFARIN SODIUM", "section": "boxed_warning", "text": "It can cause bleeding."},
    ]
    with_desk = desk(world(labels))
    asked = [("ACE inhibitors", "angioedema"), ("warfarin", "bleeding"), ("no such thing", "gout")]
    by_run = await RunJudge(with_desk).verdicts(asked)
    assert [one.effect for one in by_run[:2]] == [UP, UP]
    assert not by_run[2].covered


async def test_a_class_that_takes_too_long_is_a_miss_and_the_next_one_is_judged() -> None:
    with_desk = desk(
        world([{"drug": "WARFARIN SODIUM", "section": "boxed_warning", "text": "It can bleed."}])
    )
    gold = [Gold("warfarin", "bleeding", UP), Gold("warfarin", "gout", NONE)]
    passages = Passages(with_desk.finder, with_desk.labels)
    late = await evaluate_vigilance(gold, RunJudge(with_desk, budget=Budget(seconds=0)), Baselines(passages))
    told = late.as_fields()
    assert (told["missed"], told["covered"], told["ade"]["f1"]) == (2, 2, 0.0)
    assert [one["label"] for one in told["cells"]] == [NONE.value, UP.value]
    in_time = await evaluate_vigilance(gold, RunJudge(with_desk), Baselines(passages))
    assert in_time.as_fields()["missed"] == 0


def test_what_critics_changed_is_counted() -> None:
    kept = replace(cell(UP, UP, 0.9).verdict, dialog=(Said("agent", "a", 1), Said("critic", "accept", 1)))
    changed = replace(kept, dialog=(*kept.dialog, Said("agent", "b", 2)))
    assert corrected([kept, changed]) == {"DrugAgent": None, "CategoryAgent": 50.0}


async def test_scales_are_learnt_from_judged_drugs() -> None:
    drugs = [f"drug{letter}ol" for letter in "abcdefghijkl"]
    texts = ["It can cause stroke.", "Nausea.", "It reduces the risk of stroke."]
    sections = ["warnings", "warnings", "clinical_studies"]
    made = [passage(drug, texts[at % 3], sections[at % 3]) for at, drug in enumerate(drugs)]
    more = [passage(f"{drug}x", texts[at % 3], sections[at % 3]) for at, drug in enumerate(drugs)]
    truth = [UP, NONE, DOWN]
    gold = [Gold(one.ingredients[0], "stroke", truth[at % 3]) for at, one in enumerate([*made, *more])]
    passages = over(*made, *more)
    learnt = await learn_calibration(gold, passages, "invented")
    assert learnt.harm.slope > 0
    assert learnt.harm.probability(0.9) > learnt.harm.from_ > learnt.harm.probability(0.0)
    assert learnt.learnt_on == "invented: 24 drugs with outcomes"
    with pytest.raises(WrongFile):
        await learn_calibration(gold[:4], passages, "invented")


DEVELOPMENT = Path(__file__).with_name("development")


@pytest.mark.service("shared")
def test_verdicts_on_real_labels_order_what_the_labels_say() -> None:
    read: dict[str, list[LabelPassage]] = {}
    for one in orjson.loads(shared("data/tac2017/tac2017_train_labels.json").read_bytes()):
        read.setdefault(one["label_id"].lower(), []).append(
            passage(one["label_id"].lower(), one["section_text"], one["section_name"])
        )
    gold = [one for part in ("tuned", "untouched") for one in read_gold(DEVELOPMENT / part)]
    asked = [one for one in gold if one.category in read and one.effect is not DOWN]
    harm = [judge_drug(one.category, outcome_of(one.outcome), read[one.category]).p_harm for one in asked]
    assert len(asked) > 100
    assert (auc([one.effect is UP for one in asked], harm) or 0) > 0.8


def test_drugs_and_labels_of_the_development_table_are_in_one_part_only() -> None:
    tuned, untouched = ({one.category for one in read_gold(DEVELOPMENT / part)} for part in PARTS)
    assert tuned
    assert untouched
    assert not tuned & untouched
