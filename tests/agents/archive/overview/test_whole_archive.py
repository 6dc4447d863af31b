"""Lists, counts and dossiers over all records of an archive, in many wordings."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer
from agents.archive.overview.asked import Shape, Thing, asked_over_archive
from agents.archive.tools import ArchiveTools
from agents.reports.values import Points, Table
from tests.agents.archive.world import archive, ask

DOCUMENTS = {
    "kr-201": """# Design

Karvelo Research

Clinical Study Report

A controlled study of KRV-118 in adults with psoriasis

Study number KR-201

Phase II

Adults took 30 mg KRV-118 once daily for 12 weeks. The study was completed as planned.

## Conclusion

KRV-118 30 mg once daily is efficacious in psoriasis.
""",
    "kr-101": """# Final Report

Protocol KR-101

A Phase 1 single ascending dose study of KRV-118 in healthy volunteers

## Summary

Healthy men took single oral doses of 2 to 120 mg KRV-118. KRV-118 was well tolerated up to 60 mg.
""",
    "kr-t-07": """# Report

Thirteen-week oral toxicity study of KRV-118 in the rat

Study no. KR-T-07

Rats took 10, 40 or 160 mg/kg KRV-118 daily. The NOAEL was 40 mg/kg per day. No other effect was seen.
""",
    "kr-t-08": """# Report

Four-week oral toxicity study of KRV-118 in the dog

Study no. KR-T-08

Dogs took 1, 3 or 9 mg/kg KRV-118 daily. The NOAEL was 3 mg/kg.
""",
    "pk-table": """# Pharmacokinetic parameters of KRV-118

| Study | Dose | Cmax (ng/mL) |
|---|---|---|
| KR-101 | 60 mg | 640 |
| KR-201 | 30 mg | 320 |
""",
    "register": """# Register of studies

| Study number | Molecule | Type | Species | Phase | Status |
|---|---|---|---|---|---|
| KR-101 | KRV-118 | single dose | human | 1 | completed |
| KR-201 | KRV-118 | psoriasis | human | II | completed |
| KR-301 | KRV-118 | psoriasis | human | 3 | planned |
""",
}
CLINICAL = {"KR-101", "KR-201", "KR-301"}
TOXICOLOGY = {"KR-T-07", "KR-T-08"}


@pytest.fixture
async def tools(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", DOCUMENTS)


def column(answer: Answer, name: str) -> list[str]:
    """What a column of the first table shows."""
    table = answer.tables[0]
    return [row[table.columns.index(name)].text for row in table.rows]


@pytest.mark.parametrize(
    ("question", "studies"),
    [
        ("Give me a list of all clinical studies", CLINICAL),
        ("List of clinical studies", CLINICAL),
        ("Can you show me an overview of all clinical studies?", CLINICAL),
        ("How many clinical studies are there?", CLINICAL),
        ("Number of clinical studies", CLINICAL),
        ("Which studies do we have?", CLINICAL | TOXICOLOGY),
        ("All studies in the archive", CLINICAL | TOXICOLOGY),
        ("show me all the tox studies", TOXICOLOGY),
        ("Do we have any dog studies?", {"KR-T-08"}),
        ("Are there any rat studies?", {"KR-T-07"}),
    ],
)
async def test_studies_are_listed_in_many_wordings_and_no_table_of_values_is_one(
    tools: ArchiveTools, question: str, studies: set[str]
) -> None:
    answer = await ask(tools, question)
    assert set(column(answer, "Study")) == studies
    assert answer.short.startswith(f"{len(studies)} stud")


async def test_phases_are_shown_in_one_form(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Give me a list of all clinical studies")
    assert column(answer, "Phase") == ["Phase I", "Phase II", "Phase III"]
    listed = (await ask(tools, "How many studies of KRV-118 are there?")).short
    assert "Phase I;" in listed
    assert "Phase III;" in listed
    assert "Phase 3" not in listed


@pytest.mark.parametrize(
    "question",
    [
        "How many entries in the register?",
        "Number of entries in the register",
        "How many rows does the study register have?",
        "How many studies does the register list?",
    ],
)
async def test_entries_of_a_register_are_its_rows(tools: ArchiveTools, question: str) -> None:
    answer = await ask(tools, question)
    assert answer.short == "3 entries in register."
    assert answer.citations


async def test_entries_with_a_mark_are_counted_by_their_cells(tools: ArchiveTools) -> None:
    answer = await ask(tools, "How many entries in the register are marked as completed?")
    assert answer.short == "2 entries in register marked “completed”."


async def test_entries_of_a_molecule_are_the_rows_that_name_it(tmp_path: Path) -> None:
    other = "| TOV-22 | TOV-904 | single dose | human | 1 | completed |\n"
    tools = await archive(tmp_path / "two", DOCUMENTS | {"register": DOCUMENTS["register"] + other})
    for question in (
        "Number of entries for KRV-118 in the register",
        "How many rows does the register have for KRV-118?",
    ):
        assert (await ask(tools, question)).short == "3 entries of KRV-118 in register."
    assert "entries" not in (await ask(tools, "How many entries for dogs in the register?")).short


async def test_no_register_of_that_name_is_counted(tools: ArchiveTools) -> None:
    assert not (await ask(tools, "How many entries in the batch register?")).short.startswith("3 ")


@pytest.mark.parametrize("question", ["Give me an overview of the archive", "What is in the archive?"])
async def test_an_overview_of_the_archive_lists_its_documents(tools: ArchiveTools, question: str) -> None:
    assert (await ask(tools, question)).short.startswith(f"{len(DOCUMENTS)} documents: ")


@pytest.mark.parametrize(
    "question", ["Are there any reports of nausea?", "Do we have any studies that showed QT prolongation?"]
)
async def test_whether_something_was_seen_is_no_list(tools: ArchiveTools, question: str) -> None:
    answer = await ask(tools, question)
    assert not any(table.title == "From the records" for table in answer.tables)


async def test_a_dossier_fits_a_page_with_a_conclusion_a_study(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Summarise what we know about KRV-118")
    assert answer.short == "KRV-118: 5 studies: KR-101, KR-201, KR-T-07, KR-T-08, KR-301 (planned)."
    told = [one.text for block in answer.blocks if isinstance(block, Points) for one in block.statements]
    assert "KR-T-07: The NOAEL was 40 mg/kg per day." in told
    assert len([text for text in told if text.startswith("KR-T-07: ")]) == 1
    assert all(one.citations for b in answer.blocks if isinstance(b, Points) for one in b.statements)
    assert not any(isinstance(block, Table) for block in answer.blocks)


async def test_a_planned_study_is_not_how_far_a_molecule_came(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What is the status of KRV-118?")
    assert answer.short.startswith("KRV-118: Phase II; ")
    assert "KR-301 is planned" in answer.short


async def test_what_was_given_is_not_asked_of_the_records(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "plain", {"note": "# Assay\n\nThe assay was run at 37 degrees."})
    answer = await ask(tools, "Which substances were used in the assay?")
    assert "No molecule is on record" not in answer.short
    assert (await ask(tools, "Which molecules do we have?")).short.startswith("No molecule is on record")


def test_an_overview_of_something_else_stays_a_dossier() -> None:
    asked = asked_over_archive("Give me an overview of the studies of KRV-118")
    assert asked
    assert asked.shape is Shape.DOSSIER
    listed = asked_over_archive("Give me an overview of all studies")
    assert listed
    assert (listed.shape, listed.thing) == (Shape.LIST, Thing.STUDIES)
