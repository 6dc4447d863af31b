"""The one tool of a model that reads."""

from pathlib import Path

import pytest

from agents.archive.look import FEWEST_CHARACTERS, READ_CHARACTERS, look_toolset
from agents.errors import ToolRetry
from agents.tools.toolset import Toolset
from tests.agents.archive.world import DOCUMENTS, archive

LONG = "# Long\n\n" + "".join(f"Sentence {n} says nothing of note. " for n in range(900))


async def tools_over(tmp_path: Path, **more: str) -> Toolset:
    return look_toolset(await archive(tmp_path / "docs", {**DOCUMENTS, **more}))


async def test_a_search_shows_the_lines_that_answer_and_their_documents(tmp_path: Path) -> None:
    many = {f"LONG-{n}": LONG[:READ_CHARACTERS].replace("Long", f"Long {n}") for n in range(3)}
    tools = await tools_over(tmp_path, **many)

    reply = await tools.call("look", '{"keep": [], "query": "Who was the study director?"}')

    assert any("Ann Example" in record.place.text for record in reply.records)
    assert "ZK-CL-01" in reply.summary
    assert sum(len(record.place.text) for record in reply.records) <= 2 * FEWEST_CHARACTERS + 2_000


async def test_one_document_is_searched_orread_part(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, LONG=LONG)

    found = await tools.call("look", '{"keep": [], "query": "asthma inhalation", "doc_id": "ZK-CL-09"}')
    read = await tools.call("look", '{"keep": [], "doc_id": "LONG"}')

    assert {record.place.doc_id for record in found.records} == {"ZK-CL-09"}
    assert [len(record.place.text) for record in read.records] == [READ_CHARACTERS]


async def test_without_a_query_the_documents_are_listed(tmp_path: Path) -> None:
    reply = await (await tools_over(tmp_path)).call("look", '{"keep": []}')

    assert reply.records == ()
    assert all(doc_id in reply.note for doc_id in DOCUMENTS)


async def test_a_document_that_there_is_not_is_said(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path)
    with pytest.raises(ToolRetry, match="no document"):
        await tools.call("look", '{"keep": [], "doc_id": "QQ-999-NONE"}')


async def test_a_long_document_is_read_on_where_a_part_ends(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, LONG=LONG)

    parts = [
        await tools.call("look", f'{{"keep": [], "doc_id": "LONG", "start": {start}}}')
        for start in (0, READ_CHARACTERS)
    ]

    assert parts[0].note == f"The part goes on: read on with start={READ_CHARACTERS}."
    first, second = (part.records[0].place for part in parts)
    assert (first.start, first.end) == (0, second.start)


async def test_a_document_without_pages_is_read_by_pages_too(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, LONG=LONG)

    second = await tools.call("look", '{"keep": [], "doc_id": "LONG", "page": 2}')

    assert second.records[0].place.start == READ_CHARACTERS


async def test_a_search_tells_the_other_names_of_the_molecules_it_shows(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, NAMES="# Notice\n\nZK-701 (formerly QQ-418) is a P2X3 antagonist.\n")

    reply = await tools.call("look", '{"keep": [], "query": "liver necrosis in rats"}')

    assert "ZK-701 is also called QQ-418." in reply.summary


async def test_corrections_name_only_what_the_tool_takes(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, LONG=LONG)

    for arguments in (
        '"doc_id": "LONG", "page": 99',
        '"doc_id": "LONG", "start": 99999999',
        '"doc_id": "NONE"',
        '"doc_id": "NONE", "query": "dose"',
    ):
        with pytest.raises(ToolRetry) as wrong:
            await tools.call("look", f'{{"keep": [], {arguments}}}')
        assert not any(word in str(wrong.value) for word in ("section", "offset", "list_documents"))
