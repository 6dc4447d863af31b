"""Values of lines that tell something else are struck; the true ones beside them stand."""

from dataclasses import replace

import pytest

from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.stated import read_values
from agents.trust.support import Support, faults
from tests.agents.trust.builders import evidence
from tests.agents.trust.test_true_and_told import stands


@pytest.mark.parametrize(
    ("line", "true", "false"),
    [
        (
            "Itch changed by -12 points, sleep by -3 points.",
            "Itch and sleep fell by 12 and 3 points.",
            "Itch fell by 12 and sleep rose by 3.",
        ),
        (
            "Ferrets were dosed on days 1 to 5.",
            "Ferrets were dosed from day 1.",
            "Ferrets were dosed on days 1 and 5.",
        ),
        (
            "They got 10 mg quorlin in saline per kg.",
            "They got 10 mg quorlin.",
            "They got 10 mg/kg.",
        ),
        (
            "On 3 August 2021, 3 of 8 ferrets died.",
            "On 3/8/2021, 3 of 8 ferrets died.",
            "On 3/8/2021, 3 of 9 ferrets died.",
        ),
        (
            "ALT was 20% lower with quorlin.",
            "Quorlin lowered the increase in ALT by 20%.",
            "Quorlin made ALT increase by 20%.",
        ),
        (
            "Body weight gain was 12% lower.",
            "It lowered body weight gain by 12%.",
            "Body weight rose by 12%.",
        ),
    ],
)
def test_the_true_value_stands_and_the_false_one_does_not(line: str, true: str, false: str) -> None:
    assert stands(true, line)
    assert not stands(false, line)


@pytest.mark.parametrize(
    ("caption", "header", "row", "stated", "other"),
    [
        # a mean with its spread beside shares
        ("Ferrets, n (%) or mean (SD)", ("", "Quorlin"), ("Age, years", "54 (12)"), 54 * 12, 0),
        # two columns of one unit, of which one ends in the number of a day
        (
            "Doses (mg/kg)",
            ("Group", "Cmax (ng/mL) / Day 8", "Cmax (ng/mL) / Steady state"),
            ("A", "20", "340"),
            340,
            8,
        ),
        ("Doses (mg/kg)", ("Group", "Cmax (ng/mL) / Day 8"), ("A", "20"), 20, 8),
    ],
)
def test_a_cell_keeps_the_unit_of_its_head(
    caption: str, header: tuple[str, ...], row: tuple[str, ...], stated: float, other: float
) -> None:
    units = {
        round(one.standard_low): one.standard_unit for one in read_values("", caption, header, row).quantities
    }
    assert units[stated] in ("month", "ng/mL")
    assert other not in units


def test_the_least_is_no_minute() -> None:
    assert not read_values("", "", ("Group", "Age min", "Age max"), ("A", "42", "60")).quantities


@pytest.mark.parametrize(("heading", "right"), [("30 mg/kg, males", True), ("30 Males", False)])
def test_the_amount_of_a_heading_is_told(heading: str, right: bool) -> None:
    item = replace(evidence("Two ferrets died."), section=(heading,))
    carrier = carrier_of(Citation.of(1, item, item.start, item.end))
    assert (not list(faults("Two ferrets died at 30 mg/kg.", Support((carrier,))))) is right
