"""Heads that go on counting days, the study of a report's title, and shares by weight and volume."""

import pytest

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, faults
from tests.agents.trust.builders import passage, record, table_row
from tests.agents.trust.test_true_and_told import stands


def passes(text: str, memory: EvidenceMemory) -> bool:
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in memory.all())
    return not list(faults(text, Support(carriers)))


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("Day 1, before administration", True),
        ("Day 3, after administration", True),
        ("On day 2", True),
        ("Day 4, after administration", False),
        ("Day 8", False),
    ],
)
def test_heads_go_on_counting_the_days_of_the_first(text: str, true: bool) -> None:
    header = ("Animal", "1000 mg/kg Days / 1 / post", "2 / pre", "3 / post", "Score", "8 / post")
    assert passes(text, table_row("", header, ("F7", "+", "-", "+", "2", "+"))) is true


@pytest.mark.parametrize(
    ("title", "text", "true"),
    [
        ("Clinical study report 101", "Twelve ferrets coughed in study 101.", True),
        ("Clinical study report no. 101: Qualit in ferrets", "Study 101: twelve ferrets coughed.", True),
        ("Clinical trial protocol 101", "Twelve ferrets coughed in trial 101.", True),
        ("Clinical study report 101", "Twelve ferrets coughed in study 102.", False),
        ("Clinical study report 101", "In 101 studies twelve ferrets coughed.", False),
        ("Clinical study report 101", "Twelve ferrets coughed in cohort 101.", False),
        ("Clinical study report 101 of study 7", "Twelve ferrets coughed in study 101.", False),
        ("A clinical study report 101 pages long", "Twelve ferrets coughed in study 101.", False),
        ("Report 101", "Twelve ferrets coughed in study 101.", False),
    ],
)
def test_the_number_of_a_study_report_is_that_of_its_study(title: str, text: str, true: bool) -> None:
    memory = EvidenceMemory()
    memory.add(passage("Twelve ferrets coughed."), record(title=title))
    assert passes(text, memory) is true


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("0.5 w/v% methylcellulose", True),
        ("0.5w/v% methylcellulose 400", True),
        ("0.6 w/v% methylcellulose", False),
        ("5 w/v% methylcellulose", False),
        ("0.5 mg/mL methylcellulose", False),
    ],
)
def test_a_share_by_weight_and_volume(text: str, true: bool) -> None:
    assert stands(text, "| General name: | 0.5w/v% methylcellulose 400 solution |") is true
