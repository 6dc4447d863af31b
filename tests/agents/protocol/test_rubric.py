"""The five measures of a protocol: steps cut by code, faults listed by a judge, shares reckoned."""

import math

import pytest

from agents.protocol.rubric import Judged, brevity, measures, numbered, proxies, steps_in

TEXT = """## 1. Cells

1. Treat cells of four donors with 1 µM dexamethasone in fresh medium [A1.1].

| group | wells |
|---|---|
| control | 4 |

2. Wait for 18 h.

## 2. Test

### Fit

- The model has donors and treatment.

### Report

- Give all genes.

## 3. End

Store all.

Tell all.
"""


def judged(**lists: list[object]) -> Judged:
    given: dict[str, object] = {
        "missing": [],
        "wrong": [],
        "misplaced": [],
        "detail": 0.8,
        "structure": 0.9,
        **lists,
    }
    return Judged.model_validate(given)


def test_a_step_is_a_number_or_a_smaller_heading_with_what_stands_below_it() -> None:
    cells, test, end = steps_in(TEXT)
    assert [one[:8] for one in cells[1]] == ["1. Treat", "2. Wait "]
    assert "| control | 4 |" in cells[1][0]
    assert test == (
        "2. Test",
        ["### Fit\n\n- The model has donors and treatment.", "### Report\n\n- Give all genes."],
    )
    assert end[1] == ["Store all.", "Tell all."]
    assert "<step 3>\n### Fit" in numbered(TEXT)


def test_counts_without_a_judge() -> None:
    found = proxies(TEXT)
    assert (found.parts, found.steps, found.brevity) == (3, 6, 0.5)
    assert (found.sentences, found.amounts, found.cited) == pytest.approx((1 / 6, 2 / 6, 1 / 6))


def test_measures_are_the_formulas_of_the_paper_and_a_step_counts_once() -> None:
    missing = ["1. Cells: add a vehicle.", "2. Test: correct."]
    wrong = [{"step": 2, "why": "Too short."}, {"step": 2}, {"step": 99}]
    found = measures(proxies(TEXT), judged(missing=missing, wrong=wrong, misplaced=[{"step": 1}]))
    shares = {
        "completeness": 6 / 8,
        "detail": 0.8,
        "correctness": 0.5 * 5 / 6,
        "logic": 5 / 6,
        "structure": 0.9,
    }
    assert found == pytest.approx({**shares, "overall": sum(shares.values())})
    assert measures(proxies(""), judged())["correctness"] == 0.5


@pytest.mark.parametrize(
    ("sentences", "penalty"), [(7.3, 1.0), (4.42, 1.0), (4.0, math.exp(1 - 4.42 / 4)), (1.2, 0.5), (0.0, 0.5)]
)
def test_short_steps_cost_up_to_half_of_correctness(sentences: float, penalty: float) -> None:
    assert brevity(sentences) == pytest.approx(penalty)
