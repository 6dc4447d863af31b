"""The scoring rule, on small cells and against the reference scorer of the development set."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from agents.archive.evaluate.scoring import CellOutcome, GoldCell, figures, grade
from tests.support.services import shared

PRESENT = GoldCell(
    molecule="X-1",
    question_id="Q3",
    present=True,
    accept=(r"\b20 ?mg",),
    must_not=({"pattern": r"\b40 ?mg", "trap": "SAD vs MAD", "fatal": False},),
)
ABSENT = GoldCell(
    molecule="X-1",
    question_id="Q5",
    present=False,
    must_not=({"pattern": r"\b5 ?mg", "trap": "preclinical"},),
)


@pytest.mark.parametrize(
    ("cell", "present", "answer", "outcome", "trap"),
    [
        (PRESENT, True, "20 mg QD", CellOutcome.TP, ""),
        (PRESENT, True, "20 milligrams", CellOutcome.TP, ""),
        (PRESENT, True, "40 mg, then 20 mg", CellOutcome.FP, "SAD vs MAD"),
        (PRESENT, True, "20 mg (40 mg as a single dose)", CellOutcome.TP, ""),
        (PRESENT, True, "30 mg", CellOutcome.FP, "wrong value"),
        (PRESENT, False, "", CellOutcome.FN, ""),
        (ABSENT, False, "", CellOutcome.TN, ""),
        (ABSENT, True, "not stated", CellOutcome.TN, ""),
        (ABSENT, True, "5 mg", CellOutcome.FP, "preclinical"),
        (ABSENT, True, "7 mg", CellOutcome.FP, "unsupported value"),
    ],
)
def test_an_answer_is_judged_by_the_rule(
    cell: GoldCell, present: bool, answer: str, outcome: CellOutcome, trap: str
) -> None:
    judged = grade(cell, present, answer)

    assert (judged.outcome, judged.trap) == (outcome, trap)


def test_a_figure_with_an_empty_denominator_is_none() -> None:
    only_absent = figures([(ABSENT, grade(ABSENT, False, ""))])

    assert (only_absent.precision, only_absent.recall, only_absent.f1) == (None, None, None)
    assert (only_absent.specificity, only_absent.accuracy) == (1.0, 1.0)


def reference(folder: Path) -> ModuleType:
    """The development set's own scorer."""
    spec = importlib.util.spec_from_file_location("reference_scorer", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("baseline", ["absent", "gold", "every trap", "first accepted word"])
def test_figures_equal_those_of_the_reference_scorer(baseline: str) -> None:
    folder = shared("data/archive")
    scorer = reference(folder)
    lines = (folder / "gold/gold.jsonl").read_text(encoding="utf-8").splitlines()
    pairs, rows = [], []
    for raw in (json.loads(line) for line in lines):
        given = given_by(baseline, raw)
        cell = GoldCell.model_validate(raw)
        judged = grade(cell, given["present"], given["answer"] or "")
        outcome, trap, share, touched = scorer.judge(raw, given)
        assert (judged.outcome, judged.trap or None) == (outcome, trap)
        if raw["scored"]:
            pairs.append((cell, judged))
            rows.append(
                {
                    "outcome": outcome,
                    "gold_present": raw["present"],
                    "components": share,
                    "traps_touched": touched,
                }
            )

    ours, theirs = figures(pairs), scorer.summary(rows)
    assert (ours.precision, ours.recall, ours.specificity, ours.accuracy) == (
        theirs["precision"],
        theirs["recall"],
        theirs["specificity"],
        theirs["accuracy"],
    )
    assert (ours.cells, ours.tp, ours.tn, ours.fp, ours.fn) == tuple(
        theirs[key] for key in ("cells", "TP", "TN", "FP", "FN")
    )


def given_by(baseline: str, raw: dict[str, object]) -> dict[str, object]:
    """What a simple system answers."""
    if baseline == "absent":
        return {"present": False, "answer": ""}
    if baseline == "gold":
        return {"present": raw["present"], "answer": raw["answer"]}
    if baseline == "every trap":
        traps = [str(trap.get("quote") or trap["why"]) for trap in raw["must_not"]]  # type: ignore[attr-defined]
        return {"present": True, "answer": f"{'; '.join(traps)} {raw['answer']}"}
    return {"present": True, "answer": f"{raw['answer']} 50 mg"}
