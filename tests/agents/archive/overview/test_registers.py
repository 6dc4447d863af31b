"""Studies that only a register lists are counted too, and a register is no study."""

from pathlib import Path

import pytest

from agents.archive.kind import KIND
from agents.archive.overview.narrowed import status_in
from agents.archive.overview.registers import number_among
from agents.archive.overview.studies import Study
from agents.reports.gate import STRUCK
from agents.reports.values import Table
from retrieval.values import DocumentRecord
from tests.agents.archive.world import archive, ask

REPORT = """@document_type: Clinical study report
@study_id: KV-CL-01
# KV-417 single ascending dose study in healthy volunteers
KV-417 was given to 24 healthy volunteers in study KV-CL-01, a Phase 1 study.
"""
REGISTER = """# Register of studies, March 2019

| Study | Compound | Phase | Population | Status |
|---|---|---|---|---|
| KV-CL-01 | KV-417 | 1 | healthy volunteers | completed |
| KV-CL-02 | KV-417 | 1 | healthy volunteers | completed |
| KV-CL-03 | KV-417 | 2 | patients with gout | completed |
| RB-CL-01 | RB-200 | 1 | healthy volunteers | completed |
"""


async def test_a_count_holds_the_studies_that_a_register_lists(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-01": REPORT, "register": REGISTER})

    answer = await ask(tools, "How many clinical studies were done with KV-417?")

    assert all(number in answer.text for number in ("KV-CL-01", "KV-CL-02", "KV-CL-03"))
    assert "RB-CL-01" not in answer.text
    assert "1 study" not in answer.short


async def test_a_register_tells_phase_and_status_of_what_no_document_describes(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-01": REPORT, "register": REGISTER})

    answer = await ask(tools, "How many studies of KV-417 are in Phase 1?")

    assert answer.short.startswith("2 studies: KV-CL-01, KV-CL-02")
    assert any("from register" in note and "1 of them only listed" in note for note in answer.notes)


PLANS = """# Register of studies

| Study | Molecule | Species_or_population | Type | Status | Start | Report_date |
|---|---|---|---|---|---|---|
| TX/rat/11 | KV-417 | Wistar rat | 28-day toxicity | reported | 2019-01-07 | 2019-06-30 |
| TX/dog/12 | KV-417 | beagle dog | 13-week toxicity | planned | 2024-05-13 | |
| CL/Holm-1 | KV-417 | healthy volunteers | phase 1 | on hold | | |
| CL/Holm-3 | RB-200 | patients with gout | phase 3 | planned | | |
"""
RAT = """@document_type: Toxicology report
# Report TX/rat/11: KV-417, 28-day toxicity study in rats

KV-417 was given to Wistar rats for 28 days.
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which studies are planned?", {"TX/dog/12", "CL/Holm-3"}),
        ("Which phase 3 studies are there?", {"CL/Holm-3"}),
        ("List all clinical trials", {"CL/Holm-1", "CL/Holm-3"}),
        ("How many studies are in the archive?", {"TX/rat/11", "TX/dog/12", "CL/Holm-1", "CL/Holm-3"}),
    ],
)
async def test_a_register_is_read_without_a_molecule_too(
    tmp_path: Path, question: str, found: set[str]
) -> None:
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS})

    answer = await ask(tools, question)

    assert {row[0].text for row in answer.tables[0].rows} == found
    assert answer.short.startswith(f"{len(found)} ")
    assert KIND.report(answer).short == answer.short
    assert all(row[0].citations for row in answer.tables[0].rows)


async def test_what_a_register_leaves_open_is_told_in_its_own_word(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS})

    answer = await ask(tools, "Which studies are planned?")

    assert any("CL/Holm-1 (on hold)" in note for note in answer.notes)
    assert not any("TX-rat-11" in note for note in answer.notes)


async def test_a_molecule_whose_only_study_of_a_phase_is_planned_says_so(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS})

    answer = await ask(tools, "Which molecules are in phase 3?")

    assert [row[2].text for row in answer.tables[0].rows] == ["CL/Holm-3 (planned)"]


LABEL = """@document_type: Drug label
# Vexamab label

The safety of Vexamab was evaluated in a randomized trial of 371 patients.
"""
ARTICLE = """# Evidence of small-study bias in gout

Each study of gout was looked at.
"""


async def test_labels_and_articles_are_no_studies_and_none_is_not_zero(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"Vexamab_label": LABEL, "journal-12": ARTICLE})

    answer = await ask(tools, "How many studies are in the archive?")

    assert answer.short == "None of the 2 documents is on record as the report of a study."
    assert {row[0].text for row in answer.tables[0].rows} == {"Vexamab_label", "journal-12"}


STATUS = """# Portfolio, 2 April 2024

| Molecule | Target | Stage | Next milestone |
|---|---|---|---|
| KV-417 | URAT1 | Phase 2 done | 11 June 2024 |
| RB-200 | PDE4 | Stopped | none |
"""


async def test_a_file_with_an_ordinary_word_for_a_name_is_not_named_by_it(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS, "status": STATUS})

    answer = await ask(tools, "What is the status of each project?")

    assert answer.short == "KV-417: Phase 2 done; RB-200: Stopped."
    assert [[cell.text for cell in row] for row in answer.tables[0].rows][1] == [
        "RB-200",
        "PDE4",
        "Stopped",
        "none",
    ]
    assert KIND.report(answer).short == answer.short


OF_OTHERS = """# Notes, 2 April 2025

| {0} | {1} | Dose |
|---|---|---|
| KV-417 | {2} | 5 mg |
| RB-200 | {3} | 7 mg |
"""


@pytest.mark.parametrize(
    "cells",
    [
        ("Treatment", "Phase", "induction", "maintenance"),
        ("Treatment", "Phase", "1", "2"),
        ("Drug", "State", "solid", "liquid"),
        ("Product", "Stage", "granulation", "coating"),
        ("Drug", "Stage", "granulation", "coating"),
    ],
)
async def test_a_state_of_matter_or_a_phase_of_treatment_is_no_status_of_a_project(
    tmp_path: Path, cells: tuple[str, str, str, str]
) -> None:
    notes = OF_OTHERS.format(*cells)
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS, "status": STATUS, "notes": notes})

    answer = await ask(tools, "What is the status of each project?")

    assert answer.short == "KV-417: Phase 2 done; RB-200: Stopped."


async def test_a_bare_phase_tells_the_status_where_its_cells_do(tmp_path: Path) -> None:
    notes = OF_OTHERS.format("Drug", "Phase", "II", "preclinical")
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS, "notes": notes})

    answer = await ask(tools, "What is the status of each project?")

    assert answer.short == "KV-417: II; RB-200: preclinical."


async def test_without_a_table_the_status_of_all_is_what_is_on_record(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"TX-rat-11": RAT, "register": PLANS})

    answer = await ask(tools, "What is the status of all projects?")

    assert answer.short.startswith("KV-417: ")


async def test_without_molecules_the_documents_are_named_and_other_questions_are_left_to_passages(
    tmp_path: Path,
) -> None:
    leaflet = "# Gout in short\n\nDo not take plum brandy as an example of a remedy.\n"
    tools = await archive(tmp_path, {"leaflet": leaflet})

    listed = await ask(tools, "Which molecules are in the archive?")
    assert listed.short == "No molecule is on record for any of 1 document."
    other = await ask(tools, "Which medicines does the leaflet give as examples of remedies against gout?")
    assert "on record" not in other.short


@pytest.mark.parametrize(
    ("cell", "status"),
    [
        ("Completed", "completed"),
        ("reported", "completed"),
        ("Final report signed 2020", "completed"),
        ("Ongoing", "ongoing"),
        ("Active, not recruiting", "ongoing"),
        ("Not yet started", "planned"),
        ("Planned; not yet recruiting", "planned"),
        ("Terminated early; reported 2020", "terminated"),
        ("Stopped (final report signed)", "terminated"),
        ("Withdrawn (reported)", "withdrawn"),
        ("Not completed", None),
        ("Not yet reported", None),
        ("To be reported Q4", None),
        ("Final report pending; ongoing", None),
        ("Ongoing, not terminated", None),
        ("Ongoing; part A reported", None),
        ("Never started", None),
        ("No longer recruiting", None),
        ("Interim report issued", None),
    ],
)
def test_a_status_is_read_only_where_its_words_are_not_denied(cell: str, status: str | None) -> None:
    assert status_in(cell) == status


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("KV-301", "KV-301"),
        ("KV-301-report", "KV-301"),
        ("KV-301 extension", "KV-301"),
        ("KV-301E", "KV-301E"),
        ("KV_301E_report", "KV-301E"),
        ("KV-302", "KV-302"),
        ("KV-3012", ""),
    ],
)
def test_a_study_has_the_number_that_fits_its_document_best(name: str, number: str) -> None:
    record = DocumentRecord(doc_id=f"reports/{name}", path=f"{name}.md", sha256="", format="md", title="")
    numbers = {"kv301": "KV-301", "kv301e": "KV-301E", "kv302": "KV-302"}

    assert numbers.get(number_among(Study(name, (record,)), numbers), "") == number


LISTED = """# Register of studies

| Study | Compound | Type | Status |
|---|---|---|---|
| KV-301 | KV-417 | phase 2 | completed |
| KV-301E | KV-417 | phase 2 extension | ongoing |
| KV-302 | KV-417 | phase 2 | not completed |
"""


async def test_an_extension_is_a_study_of_its_own(tmp_path: Path) -> None:
    report = "@document_type: Clinical study report\n@study_id: {0}\n# Study {0} of KV-417 in patients\n"
    report += "KV-417 was given to patients with gout in study {0}.\n"
    texts = {number: report.format(number) for number in ("KV-301", "KV-301E", "KV-302")}
    tools = await archive(tmp_path, {**texts, "register": LISTED})

    answer = await ask(tools, "How many studies were done with KV-417?")

    assert answer.short.startswith("3 studies")


SIGNED = f"""@document_type: Clinical study protocol
@study_id: KV-CL-02
# KV-417: protocol of a multiple dose study in healthy volunteers

## Design

KV-417 will be given to 36 healthy volunteers in study KV-CL-02, a Phase 1 study.
{"Blood is drawn at noon. " * 60}

## Signatures

Signed on 21 May 2015 by the sponsor.
"""


async def test_a_register_may_be_named_in_a_note(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-02": SIGNED, "KV-LST-07": REGISTER})

    report = KIND.report(await ask(tools, "Which studies are in Phase 3?"))

    assert not any(note.startswith(STRUCK) for note in report.notes)
    assert any("from KV-LST-07" in note for note in report.notes)


async def test_the_date_of_a_study_cites_the_passage_that_states_it(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-02": SIGNED})

    report = KIND.report(await ask(tools, "List all studies of KV-417"))

    (table,) = (block for part in report.sections for block in part.blocks if isinstance(block, Table))
    (date,) = (cell for row in table.rows for cell in row if cell.text == "2015-05-21")
    quotes = {citation.number: citation.quote for citation in report.citations}
    assert any("21 May 2015" in quotes[number] for number in date.citations)


async def test_a_register_may_head_its_numbers_in_the_way_of_a_data_file(tmp_path: Path) -> None:
    register = REGISTER.replace("| Study |", "| study_no |")
    tools = await archive(tmp_path, {"KV-CL-01": REPORT, "KV-LST-07": register})

    answer = await ask(tools, "How many clinical studies were done with KV-417?")

    assert answer.short.startswith("3 studies")
