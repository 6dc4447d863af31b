"""Columns of a table of all molecules: dose levels, and where each molecule stands."""

from pathlib import Path

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
