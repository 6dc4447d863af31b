"""Records as one query: documents, studies and molecules by molecule, type, year and what they hold."""

from pathlib import Path

import pytest

from agents.archive.tools import ArchiveTools, title_passage
from agents.archive.work import as_shown
from retrieval.records import RecordFilter, Thing, find_records
from tests.agents.archive.world import archive, ask

TEXTS = {
    "QB-TX-1": "# QB-710: 4-week oral toxicity study in rats\n\nDate: 3 May 2017\n\nRats got QB-710.\n",
    "QB-TX-2": "# QB-710: 13-week toxicity study in dogs\n\nDate: 9 June 2019\n\nDogs got QB-710.\n",
    "QB-CL-1": "# QB-710 (kelvorad): Phase 2 trial in patients\n\nDate: 1 July 2021\n\nThey got QB-710.\n",
    "guide": "# Study Data Guide: RX-940 in pigs\n\nStudy Number: RX-TX-9\n\nThe rate of RX-940.\n",
    "board": "# Minutes of the Board: RX-940\n\nThe Board heard of RX-940 in a Phase 1 study.\n",
    "RX-CL-4": "# RX-940: Phase 1 study in volunteers\n\nDate: 2 August 2019\n\nVolunteers got RX-940.\n",
}


@pytest.fixture
async def tools(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", TEXTS)


async def names(tools: ArchiveTools, asked: RecordFilter) -> list[str]:
    return [row.name for row in (await find_records(tools.index, asked)).rows]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (RecordFilter(), ["QB-CL-1", "QB-TX-1", "QB-TX-2", "RX-CL-4", "board", "guide"]),
        (RecordFilter(molecule="qb710"), ["QB-CL-1", "QB-TX-1", "QB-TX-2"]),
        (RecordFilter(molecule="QQ-404"), []),
        (RecordFilter(year="2019"), ["QB-TX-2", "RX-CL-4"]),
        (RecordFilter(molecule="QB-710", year="2017-2019"), ["QB-TX-1", "QB-TX-2"]),
        (RecordFilter(phase="phase 1"), ["RX-CL-4"]),
        (RecordFilter(Thing.STUDIES, words="toxicity studies QB-710 2019"), ["QB-TX-2"]),
        (RecordFilter(Thing.STUDIES, molecule="RX-940"), ["RX-CL-4", "RX-TX-9"]),
        (RecordFilter(words="in dogs"), ["QB-TX-2"]),
        (RecordFilter(words="rat"), ["QB-TX-1"]),
        (RecordFilter(Thing.MOLECULES), ["QB-710", "RX-940"]),
    ],
)
async def test_rows_meet_all_conditions(tools: ArchiveTools, asked: RecordFilter, found: list[str]) -> None:
    assert await names(tools, asked) == found


async def test_a_page_of_rows_tells_how_many_there_are(tools: ArchiveTools) -> None:
    page = await find_records(tools.index, RecordFilter(), offset=1, limit=2)
    assert ([row.name for row in page.rows], page.total) == (["QB-TX-1", "QB-TX-2"], 6)


async def test_a_row_cites_the_passage_with_its_title(tools: ArchiveTools) -> None:
    passage = await title_passage(tools, "QB-TX-1")
    assert passage is not None
    assert "4-week oral toxicity study" in passage.text
    assert await title_passage(tools, "NONE") is None


async def test_a_study_has_its_own_title_and_no_type_of_document(tools: ArchiveTools) -> None:
    (row,) = (await find_records(tools.index, RecordFilter(Thing.STUDIES, words="pigs"))).rows
    assert (row.name, row.title, row.type, row.documents) == ("RX-TX-9", "RX-940 in pigs", "", ("guide",))


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("Which studies of QB-710 have been done?", ["QB-CL-1", "QB-TX-1", "QB-TX-2"]),
        ("How many toxicity studies of QB-710 are there?", ["QB-TX-1", "QB-TX-2"]),
        ("List the studies of RX-940", ["RX-CL-4", "RX-TX-9"]),
        ("Which documents do I have on RX-940?", ["RX-CL-4", "board", "guide"]),
        ("Which studies of QB-710 were done in pigs?", []),
        ("Which documents mention hair loss?", []),
        ("How many patients took part in the trial of QB-710?", []),
    ],
)
async def test_a_list_is_told_from_the_records_with_what_stands_for_each(
    tools: ArchiveTools, question: str, listed: list[str]
) -> None:
    shown = as_shown(await ask(tools, question))
    assert [row[0].text for table in shown.tables for row in table.rows] == listed
    assert all(row[0].citations for table in shown.tables for row in table.rows)
