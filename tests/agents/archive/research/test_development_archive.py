"""The extractors over the development archive, by the reference scorer."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.values import Draft
from tests.agents.archive.research.archives import QUESTIONS, Archive, from_folder, scorer
from tests.support.services import shared

pytestmark = pytest.mark.service("shared")
Cells = list[tuple[dict[str, object], Draft]]


@cache
def opened(folder: Path) -> Archive:
    return from_folder(folder)


@cache
def cells(root: Path) -> Cells:
    molecules = {
        item["molecule"]: item for item in json.loads((root / "molecules.json").read_text(encoding="utf-8"))
    }
    gold = [json.loads(line) for line in (root / "gold/gold.jsonl").read_text(encoding="utf-8").splitlines()]
    drafts = []
    for cell in gold:
        item = molecules[cell["molecule"]]
        research_input = opened(root / item["folder"]).research_input(
            item["molecule"], tuple(item["aliases"])
        )
        drafts.append((cell, EXTRACTORS[QUESTIONS[cell["question_id"]]](research_input)))
    return drafts


def outcomes(root: Path, questions: set[str]) -> Counter[str]:
    judge = scorer(root).judge
    return Counter(
        judge(cell, {"present": draft.present, "answer": draft.short})[0]
        for cell, draft in cells(root)
        if cell["scored"] and cell["question_id"] in questions
    )


def test_recall_precision_and_absent_cells_of_the_quantitative_questions() -> None:
    found = outcomes(shared("data/archive"), {"Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7"})
    assert found["TP"] / (found["TP"] + found["FN"]) >= 0.9
    assert found["TP"] / (found["TP"] + found["FP"]) >= 0.9
    assert found["TN"] / (found["TN"] + found["FP"]) >= 0.95


def test_reasons_and_organs_are_found_and_not_invented() -> None:
    found = outcomes(shared("data/archive"), {"Q8", "Q9"})
    assert found["TP"] / (found["TP"] + found["FN"]) >= 0.9
    assert found["TP"] / (found["TP"] + found["FP"]) >= 0.9


def test_answers_are_complete() -> None:
    root = shared("data/archive")
    judge = scorer(root).judge
    judged = [judge(cell, {"present": draft.present, "answer": draft.short}) for cell, draft in cells(root)]
    shares = [share for outcome, _, share, _ in judged if outcome == "TP" and share is not None]
    assert sum(shares) / len(shares) >= 0.9
    assert not [traps for outcome, _, _, traps in judged if outcome == "TP" and traps]
