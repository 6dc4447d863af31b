"""Where a molecule stands: as a table of projects says, and no "no decision" beside words of an end."""

from pathlib import Path

from tests.agents.archive.world import archive, ask

REPORT = """# {name}: 4-week oral toxicity study in the rat

Rats received 5 or 20 mg/kg {name} once daily. The NOAEL was 5 mg/kg/day. One rat was found dead.
"""
BOARD = """# Minutes of the project board

## 4. OVR-33

Not to be separated from the series. Decision 7: terminated. The target stays open.
"""
PROJECTS = """# Projects, May 2021

| Molecule | For | Stage |
|---|---|---|
| OVR-33 | gout | terminated (April 2021) |
| OVR-35 | gout | toxicology |
"""
REPORTS = {f"T-{name[-2:]}": REPORT.format(name=name) for name in ("OVR-33", "OVR-35")}


async def test_a_table_of_projects_tells_where_a_molecule_stands(tmp_path: Path) -> None:
    tools = await archive(tmp_path, REPORTS | {"projects": PROJECTS})
    answer = await ask(tools, "What is the status of OVR-33?")
    assert answer.short == "OVR-33: terminated (April 2021)."
    assert "projects" in {one.doc_id for one in answer.citations}


async def test_no_decision_is_denied_beside_words_of_an_end(tmp_path: Path) -> None:
    tools = await archive(tmp_path, REPORTS | {"board": BOARD})
    assert "no decision" not in (await ask(tools, "What is the status of OVR-33?")).text
    assert "no decision" in (await ask(tools, "What is the status of OVR-35?")).text


async def test_a_word_in_a_report_does_not_say_what_a_molecule_is(tmp_path: Path) -> None:
    tools = await archive(tmp_path, REPORTS)
    assert "1 molecule" not in (await ask(tools, "Which molecules are dead?")).short
    assert "2 molecules" not in (await ask(tools, "Which molecules are dead?")).short


async def test_no_phase_is_denied_beside_one_that_a_memo_tells(tmp_path: Path) -> None:
    memo = "# Memo on OVR-33\n\nOVR-33 entered Phase II in 2019. The next step is open.\n"
    board = "# Minutes of the board\n\nOVR-35 was given up in June.\n"
    tools = await archive(tmp_path, REPORTS | {"memo": memo, "board": board})
    assert "no clinical phase" not in (await ask(tools, "What is the status of OVR-33?")).text
    assert "no decision" not in (await ask(tools, "What is the status of OVR-35?")).text
