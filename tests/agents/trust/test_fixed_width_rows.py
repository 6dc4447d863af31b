"""A row of a fixed-width table passes the gate with the unit of its column; another value does not."""

import pytest

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Citation
from agents.text.units import find_units
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Verdict
from retrieval.parse.fixed_width import with_tables
from retrieval.passages import passages_of
from tests.agents.trust.builders import record
from tests.retrieval.ingest.texts import document

LEVELS = """\
Levels of 77-Osprel in men

  Dose        Route   n     Cmax     Half-life
                            ug/mL    days
  2 mg/kg     IV      8     27       58
  20 mg/kg    IV      10    541      61
"""
RUNS = """\
                  run 1       run 2
  feed            constant    by oxygen
  titre (g/L)     2.1         3.4
"""


def passes(claim: str, text: str, row: str) -> bool:
    memory = EvidenceMemory()
    for passage in passages_of(document(with_tables(text))):
        if passage.text.startswith(f"| {row}"):
            memory.add(passage, record())
    items = memory.all()
    checked, _ = check_numbers(Claim(claim, tuple(one.key for one in items)), items)
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in items)
    return checked is Verdict.SUPPORTED and not list(faults(claim, Support(carriers)))


@pytest.mark.parametrize(
    ("text", "row", "right", "wrong"),
    [
        (LEVELS, "20 mg/kg", "The half-life was 61 days.", "The half-life was 61 hours."),
        (LEVELS, "20 mg/kg", "Half-life at 20 mg/kg: 61 days", "Half-life at 20 mg/kg: 58 days"),
        (LEVELS, "20 mg/kg", "Cmax was 541 ug/mL.", "The half-life was 541 days."),
        (RUNS, "titre", "The titre was 3.4 g/L.", "The titre was 3.4 mg/L."),
    ],
)
def test_a_row_has_the_unit_of_its_column(text: str, row: str, right: str, wrong: str) -> None:
    assert passes(right, text, row)
    assert not passes(wrong, text, row)


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Cmax ng/mL", "ng/mL"),
        ("Half-life days", "days"),
        ("AUC0-24 ng.h/mL", "ng.h/mL"),
        ("IV 2 mg/kg", ""),
        ("Doses per week", ""),
        ("Study day", ""),
        ("Animals M/F", ""),
    ],
)
def test_the_last_word_of_a_head_can_be_its_unit(head: str, unit: str) -> None:
    assert [found.text for found in find_units(head)] == [unit] * bool(unit)
