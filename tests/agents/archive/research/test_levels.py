"""Dose levels are read with their species, and only where the value is the level's own."""

import pytest

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.levels import values_in
from tests.agents.archive.research.archives import from_texts


def read(text: str) -> list[tuple[str, str, str]]:
    archive = from_texts(QXT_1=f"# QXT-801: toxicity\n\nQXT-801 was given orally.\n\n{text}\n")
    return [
        (value.parameter, value.quantity, value.species)
        for document in annotated_documents(archive.research_input("QXT-801"))
        for line in document.lines
        for value in values_in(document, line)
    ]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        (
            "The NOAELs were 30 mg/kg/day in rats and 10 mg/kg/day in dogs.",
            [("30 mg/kg/day", "rat"), ("10 mg/kg/day", "dog")],
        ),
        (
            "The NOAEL in rats was 30 mg/kg/day and in dogs 10 mg/kg/day.",
            [("30 mg/kg/day", "rat"), ("10 mg/kg/day", "dog")],
        ),
        ("The NOAEL in beagle dogs was set at 5 mg/kg twice daily.", [("5 mg/kg twice daily", "dog")]),
        (
            "In rats 10 mg/kg/day was considered the NOAEL, with findings at 50 mg/kg/day.",
            [("10 mg/kg/day", "rat")],
        ),
        ("In rats the NOAEL was 30 mg/kg/day for males and females.", [("30 mg/kg/day", "rat")]),
        (
            "| Level | Rat | Dog |\n|---|---|---|\n| NOAEL (mg/kg) | 30 | 5 |",
            [("30 mg/kg", "rat"), ("5 mg/kg", "dog")],
        ),
    ],
)  # fmt: skip
def test_a_level_has_its_value_and_species(text: str, levels: list[tuple[str, str]]) -> None:
    assert read(text) == [("NOAEL", value, species) for value, species in levels]


@pytest.mark.parametrize(
    "text",
    [
        "The NOAEL in rats was exceeded at 100 mg/kg/day.",
        "The NOAEL in rats was below 10 mg/kg/day.",
        "A NOAEL could not be established in rats given 10 mg/kg/day.",
        "In rats and dogs the NOAELs were 30 and 10 mg/kg/day.",
        "| Species | NOAEL (mg/kg/day) |\n|---|---|\n| Rat | 30 (males), 100 (females) |",
    ],
)
def test_a_dose_near_a_level_is_not_taken_for_it(text: str) -> None:
    assert not read(text)


def test_the_next_level_keeps_its_value() -> None:
    text = "In rats a NOAEL was not established; the LOAEL was 10 mg/kg/day."

    assert read(text) == [("LOAEL", "10 mg/kg/day", "rat")]
