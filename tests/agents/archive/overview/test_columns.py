"""Columns of a table of all molecules: dose levels, and where each molecule stands."""

from pathlib import Path

import pytest

from tests.agents.archive.world import archive, ask

TOX = """# {0}: 13-week oral toxicity study in the rat

Toxicology report. {0} was given orally once daily for 13 weeks. {1}
"""
STATUS = """# Status of all projects

Date: 3 May 2019

| Code | For | Stage |
|---|---|---|
| KV-301 | gout | Phase II |
| KV-302 | asthma | terminated (Apr 2019) |
"""
QUESTION = "Table of all molecules with NOAEL and status"


async def test_a_table_has_the_columns_asked_for(tmp_path: Path) -> None:
    documents = {
        "KV-TX-1": TOX.format("KV-301", "The NOAEL was 30 mg/kg/day."),
        "KV-TX-2": TOX.format("KV-302", "All animals survived."),
        "KV-ST-1": STATUS,
    }
    table = (await ask(await archive(tmp_path / "docs", documents), QUESTION)).tables[0]

    assert table.columns == ("Molecule", "NOAEL", "Status (2019-05-03)")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["KV-301", "30 mg/kg/day (rat)", "Phase II"],
        ["KV-302", "not stated", "terminated (Apr 2019)"],
    ]
    assert all(cell.citations for row in table.rows for cell in row[1:] if cell.text != "not stated")


async def test_a_value_that_was_not_read_is_not_told_as_not_stated(tmp_path: Path) -> None:
    documents = {
        "KV-TX-1": TOX.format("KV-301", "The NOAEL was 30 mg/kg/day."),
        "KV-TX-2": TOX.format("KV-302", "The NOAEL was exceeded at 10 mg/kg/day."),
    }
    table = (await ask(await archive(tmp_path / "docs", documents), QUESTION)).tables[0]

    cells = {row[0].text: row[table.columns.index("NOAEL")] for row in table.rows}
    assert cells["KV-302"].text == "not read for certain"
    assert cells["KV-302"].citations


REGISTER = """# Register of projects

| Code | Target | Status |
|---|---|---|
| KV-301 | URAT1 | preclinical |
| KV-302 | LTB4 receptor | terminated |
"""


async def test_the_target_of_a_register_fills_its_column(tmp_path: Path) -> None:
    documents = {
        "KV-TX-1": TOX.format("KV-301", "All animals survived."),
        "KV-TX-2": TOX.format("KV-302", "All animals survived."),
        "KV-RG-1": REGISTER,
    }
    asked = "Give me a table of all molecules with target and status"
    table = (await ask(await archive(tmp_path / "docs", documents), asked)).tables[0]

    assert [[cell.text for cell in row] for row in table.rows] == [
        ["KV-301", "URAT1", "preclinical"],
        ["KV-302", "LTB4 receptor", "terminated"],
    ]


async def test_no_study_is_not_told_where_a_text_names_one(tmp_path: Path) -> None:
    mail = "# Rat 4-week, first look\n\nThe numbers of the study KV-T-042 of {0} are in. {0} was tolerated.\n"
    documents = {
        "KV-TX-1": TOX.format("KV-301", "All animals survived."),
        "mail": mail.format("KV-302"),
        "KV-RG-1": REGISTER,
    }
    answer = await ask(
        await archive(tmp_path / "docs", documents), "How many studies of KV-302 have been done?"
    )

    assert not answer.short.startswith("0")


async def test_a_summary_and_notes_are_no_studies(tmp_path: Path) -> None:
    documents = {
        "KV-TX-1": TOX.format("KV-301", "All animals survived."),
        "KV-R-7": "# Summary of repeat-dose toxicity: KV-301\n\nReport R-7. Dogs got KV-301.\n",
        "notes": "# Notes, R&D committee, 21 January 2013\n\nReport of the chair on KV-301.\n",
    }
    answer = await ask(await archive(tmp_path / "docs", documents), "List all trials.")

    assert answer.short.startswith("1 study: KV-TX-1")


@pytest.mark.parametrize(
    "question",
    ["How many molecules are in preclinical stage?", "Which molecules are in the preclinical stage?"],
)
async def test_molecules_of_a_state_are_those_of_the_register(tmp_path: Path, question: str) -> None:
    documents = {
        "KV-TX-1": TOX.format("KV-301", "All animals survived."),
        "KV-TX-2": TOX.format("KV-302", "All animals survived."),
        "KV-RG-1": REGISTER,
    }
    answer = await ask(await archive(tmp_path / "docs", documents), question)

    assert answer.short == "1 molecule: KV-301."
