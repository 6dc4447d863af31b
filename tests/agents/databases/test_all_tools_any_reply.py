"""Whatever a database replies, or a loaded file holds, a tool gives records or says in a sentence why not."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.databases import hgnc
from agents.databases.facts import Facts
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.registry import FORMATS
from agents.databases.target_tool import TargetArguments
from agents.databases.toolset import database_tools
from agents.errors import ToolFailed, ToolRetry
from agents.tools.tool import Tool
from tests.support.services import shared

HGNC = (
    "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tensembl_gene_id\tentrez_id\tuniprot_ids",
    "HGNC:1\tBRAF\tB-Raf\tApproved\tBRAF1\t\tENSG00000157764\t673\tP15056",
)
DEEP = "[" * 100_000 + "]" * 100_000
GARBLED = (
    "",
    "null",
    "true",
    "0",
    '"text"',
    "[]",
    "{}",
    "[[], [[]], null]",
    "[{}]",
    "{" * 50,
    "<html><body>502 Bad Gateway</body></html>",
    "\x00\ud800 \u202e",
    '{"error": "no such gene"}',
    '{"data": null}',
    '{"data": {"target": null}}',
    '{"data": [null, 1, "x", {}]}',
    '{"results": [null], "hits": [null], "studies": [null], "reports": [null]}',
    '{"results": {}, "hits": 7, "result": "x", "data": "x", "_embedded": 1}',
    DEEP,
    '{"x": 1e999, "y": -1e999, "z": NaN}',
    json.dumps({"data": ["x" * 200_000] * 10}),
)


class Everywhere:
    """`Web` that gives the same reply to every request."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    async def fetch(self, request: WebRequest) -> WebReply | None:
        return None if self._text is None else WebReply(self._text, request.url, "2026-01-01")


def tools(web: Everywhere, bulk: MemoryBulk | None = None) -> list[Tool[Any]]:
    if bulk is None:
        bulk = MemoryBulk()
        bulk.load(hgnc.TSV, HGNC)
    return list(database_tools(Reach(bulk, web)).values())


async def survives(tool: Tool[Any], target: str = "BRAF") -> None:
    """The tool is called past the net that a toolset spreads; nothing but a sentence may come out.

    Nor may the net of `target_tool` be needed, which stands below a parser that stumbles.
    """
    if not issubclass(tool.inputs, TargetArguments):
        return
    said, reply = "", None
    try:
        reply = await tool(tool.parse(json.dumps({"target": target})))
    except (ToolFailed, ToolRetry) as error:
        said = str(error)
    if reply is None:
        assert 10 < len(said) < 1000
        assert "cannot be read (" not in said
        return
    found = Facts.model_validate(reply.data)
    for fact in found.facts:
        assert fact.topic in tool.topics
        text = reply.records[fact.record].source.text
        assert all(quote in text for quote in fact.quotes), f"{tool.name}: {fact}"


@pytest.mark.parametrize("text", [None, *GARBLED], ids=lambda text: repr(text)[:30])
async def test_no_reply_breaks_a_tool(text: str | None) -> None:
    for tool in tools(Everywhere(text)):
        await survives(tool)


async def test_no_recorded_reply_of_any_database_breaks_the_tool_of_another() -> None:
    for file in captures():
        text = file.read_text(errors="replace")
        for tool in tools(Everywhere(text)):
            await survives(tool)


async def test_no_recorded_reply_with_values_of_other_types_breaks_a_tool() -> None:
    chance = random.Random(11)
    for file in captures():
        value = json.loads(file.read_text()) if file.suffix == ".json" else None
        changed = json.dumps(other_types(value, chance))
        for tool in tools(Everywhere(changed)):
            await survives(tool)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.source}-{form.file[:20]}")
async def test_no_loaded_row_breaks_a_tool(form: Any) -> None:
    """Rows of the gene in which all values are another thing than they should be."""
    for value in ("", "x", "-1e999", "{", "[[null]]", '{"rows": 3}', "NaN;1,2|3"):
        bulk = OddRows(form.source, value)
        bulk.load(hgnc.TSV, HGNC)
        for tool in tools(Everywhere(None), bulk):
            await survives(tool)


class OddRows(MemoryBulk):
    """Files of which one has a row under every key, with one value in all columns."""

    def __init__(self, source: str, value: str) -> None:
        super().__init__()
        self._odd = (source, value)

    def release(self, source: str) -> Any:
        return super().release("hgnc") if source == self._odd[0] else super().release(source)

    async def rows(self, source: str, key: str) -> Any:
        if source != self._odd[0] or source == "hgnc":
            return await super().rows(source, key)
        return (Odd(self._odd[1]),)


class Odd(dict[str, str]):
    """A row with the same value in whatever column is asked for."""

    def __init__(self, value: str) -> None:
        super().__init__({"Gene": "BRAF", "symbol": "BRAF", "other": value})
        self._value = value

    def __missing__(self, name: str) -> str:
        return self._value

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]


def captures() -> Iterator[Path]:
    """The smallest recorded replies, two of each service."""
    folder = shared("data/tsa/api_captures")
    for service in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted((path for path in service.glob("*.json")), key=lambda path: path.stat().st_size)
        yield from files[-2:]


def other_types(value: Any, chance: random.Random) -> Any:
    """The value with some of its parts replaced by parts of other types."""
    if chance.random() < 0.08:
        return chance.choice([None, 7, -0.5, "x", "", [], {}, [None], {"value": []}, True, "9" * 400])
    if isinstance(value, dict):
        return {name: other_types(inner, chance) for name, inner in value.items()}
    if isinstance(value, list):
        return [other_types(inner, chance) for inner in value[:20]]
    return value
