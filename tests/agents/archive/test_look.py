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
    many = {f"LONG-{n}": LONG.replace("Long", f"Long {n}") for n in range(3)}
    tools = await tools_over(tmp_path, **many)

    reply = await tools.call("look", '{"keep": [], "query": "Who was the study director?"}')

    assert any("Ann Example" in record.place.text for record in reply.records)
    assert "ZK-CL-01" in reply.summary
    assert sum(len(record.place.text) for record in reply.records) <= 2 * FEWEST_CHARACTERS + 2_000


async def test_one_document_is_searched_or_read(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path, LONG=LONG)

    found = await tools.call("look", '{"keep": [], "query": "asthma inhalation", "doc_id": "ZK-CL-09"}')
    read = await tools.call("look", '{"keep": [], "doc_id": "LONG"}')

    assert {record.place.doc_id for record in found.records} == {"ZK-CL-09"}
    assert [len(record.place.text) for record in read.records] == [READ_CHARACTERS]


async def test_without_a_query_the_documents_are_listed(tmp_path: Path) -> None:
    reply = await (await tools_over(tmp_path)).call("look", '{"keep": []}')

    assert reply.records == ()
    assert all(doc_id in reply.summary for doc_id in DOCUMENTS)


async def test_a_document_that_there_is_not_is_said(tmp_path: Path) -> None:
    tools = await tools_over(tmp_path)
    with pytest.raises(ToolRetry, match="no document"):
        await tools.call("look", '{"keep": [], "doc_id": "QQ-999-NONE"}')
