"""Tools of other MCP servers, over real processes: what they say becomes sources, what they do is bounded."""

import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import CallToolResult, ImageContent, ResourceLink, TextContent
from mcp.types import Tool as McpTool
from pydantic import JsonValue

from adapters.errors import SettingsError
from adapters.mcp.connection import Connection
from adapters.mcp.foreign import Rules, UnusableTool, foreign_tool, name_of, reply_of
from adapters.mcp.others import OtherServers
from agents.errors import ToolFailed, ToolRetry
from agents.evidence.sources import Origin
from agents.tools.toolset import Toolset

TINY = f"{sys.executable} {Path(__file__).with_name('tiny_server.py')}"


class Servers:
    """Opens other servers, and closes them at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: list[OtherServers] = []

    def at(self, rules: Rules | None = None, seconds: float = 30.0, **servers: str) -> OtherServers:
        self.opened.append(
            OtherServers(servers or {"tiny": TINY}, rules or Rules(), seconds=seconds, logs=self.folder)
        )
        return self.opened[-1]


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[Servers]:
    made = Servers(tmp_path)
    yield made
    for one in made.opened:
        await one.close()


async def test_each_tool_has_the_servers_name_before_it_and_is_marked_as_foreign(servers: Servers) -> None:
    tools = await servers.at().toolset()
    assert "tiny__label" in tools
    label, order = tools["tiny__label"], tools["tiny__order"]
    assert (label.read_only, label.needs_approval, label.source) == (True, False, "tiny")
    assert (order.read_only, order.needs_approval) == (False, True)
    assert label.release == "2026-06"
    assert label.spec.description == "A tool of the server tiny, which describes it so: The label of a drug."
    assert label.spec.parameters["required"] == ["drug"]


async def test_a_reply_is_a_source_with_query_release_and_date(servers: Servers) -> None:
    tools = await servers.at().toolset()
    reply = await tools.call("tiny__label", '{"drug": "aspirin", "limit": 1}')
    (record,) = reply.records
    source = record.source
    assert source.origin is Origin.TOOL
    assert source.text == "# Label of aspirin\n\nNausea was seen in 12 % of patients."
    assert (source.name, source.title, source.release) == ("tiny", "Drug label", "2026-06")
    assert source.query == '{"drug": "aspirin", "limit": 1}'
    assert datetime.fromisoformat(source.date)
    again = await tools.call("tiny__label", '{"limit": 1, "drug": "aspirin"}')
    assert again.records[0].source.id == source.id


async def test_structured_replies_become_markdown(servers: Servers) -> None:
    tools = await servers.at().toolset()
    reply = await tools.call("tiny__rows", '{"drug": "aspirin"}')
    assert "| aspirin | rash |" in reply.records[0].source.text


async def test_wrong_arguments_are_refused_before_the_server_is_asked(servers: Servers) -> None:
    tools = await servers.at().toolset()
    for arguments in ("{}", '{"drug": 3}', "[]", "{"):
        with pytest.raises(ToolRetry, match="tiny__label cannot be called so"):
            await tools.call("tiny__label", arguments)


async def test_a_refusal_is_passed_on_as_data(servers: Servers) -> None:
    tools = await servers.at().toolset()
    with pytest.raises(ToolRetry) as raised:
        await tools.call("tiny__refuse", '{"drug": "x"}')
    assert "no such drug: x" in str(raised.value)
    assert str(raised.value).count("</data>") == 1


async def test_a_tool_that_may_write_waits_for_approval(servers: Servers) -> None:
    tools = await servers.at().toolset()
    with pytest.raises(ToolFailed, match="approval"):
        await tools.call("tiny__order", '{"drug": "aspirin"}')
    always = await servers.at(Rules(approval="always")).toolset()
    assert always["tiny__label"].needs_approval
    never = await servers.at(Rules(approval="never")).toolset()
    assert "was ordered" in (await never.call("tiny__order", '{"drug": "aspirin"}')).records[0].source.text


async def test_a_slow_call_ends_in_time_and_the_server_goes_on(servers: Servers) -> None:
    tools = await servers.at(seconds=3).toolset()
    with pytest.raises(ToolFailed, match="within 3 seconds"):
        await tools.call("tiny__sleep", "{}")
    assert (await tools.call("tiny__label", '{"drug": "a"}')).records


async def test_a_server_that_dies_is_started_again(servers: Servers) -> None:
    tools = await servers.at().toolset()
    first = await process(tools)
    with pytest.raises(ToolFailed, match="closed the connection"):
        await tools.call("tiny__die", "{}")
    assert await process(tools) != first


async def test_a_server_at_an_address_is_found_again_after_it_was_away(servers: Servers) -> None:
    port = free_port()
    tools = await servers.at(tiny=f"http://127.0.0.1:{port}/mcp").toolset()
    assert list(tools) == []
    for _ in range(2):
        with listening(port):
            tools = await servers.opened[0].toolset()
            assert (await tools.call("tiny__label", '{"drug": "a"}')).records
        with pytest.raises(ToolFailed, match="tiny cannot be reached"):
            await tools.call("tiny__label", '{"drug": "a"}')


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def listening(port: int) -> Iterator[None]:
    """The tiny server over HTTP, killed at the end."""
    command = [*TINY.split(), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        while program.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield
        program.kill()


async def process(tools: Toolset) -> str:
    return (await tools.call("tiny__process", "{}")).records[0].source.text


async def test_a_server_is_told_nothing_of_our_settings(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODEL_API_KEY", "secret")
    text = await process(await servers.at().toolset())
    assert text.endswith("[]")


async def test_what_it_logs_goes_to_a_file(servers: Servers, capfd: pytest.CaptureFixture[str]) -> None:
    await servers.at().toolset()
    assert "a line on standard error" in read(servers.folder / "mcp-tiny.log")
    assert "a line" not in "".join(capfd.readouterr())


def read(path: Path) -> str:
    return path.read_text()


async def test_a_server_that_is_not_there_is_left_out_and_told(
    servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    others = servers.at(gone="/no/such/program --x", web="http://127.0.0.1:9/mcp", tiny=TINY)
    tools = await others.toolset()
    assert {name.split("__")[0] for name in tools} == {"tiny"}
    assert "the MCP server gone are missing" in caplog.text
    assert "the MCP server web are missing" in caplog.text


@pytest.mark.parametrize("target", ["", "  ", "python 'x"])
def test_a_target_that_is_no_command_is_a_setting_to_change(target: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="'bad'"):
        Connection("bad", target, seconds=1, log=tmp_path / "log")


# What a server says, without a process


def offered(**more: Any) -> McpTool:
    schema = {"type": "object", "properties": {"drug": {"type": "string"}}, "required": ["drug"]}
    return McpTool(**{"name": "label", "description": "A label.", "input_schema": schema, **more})


@pytest.fixture
def tiny(tmp_path: Path) -> Connection:
    return Connection("tiny", "tiny", seconds=1, log=tmp_path / "log")


def reply(tiny: Connection, result: CallToolResult, characters: int = 1000) -> Any:
    inputs = foreign_tool(tiny, offered(), Rules()).inputs({"drug": "a"})
    return reply_of(tiny, offered(), inputs, result, Rules(characters))


def test_a_long_reply_is_cut_and_says_so(tiny: Connection) -> None:
    found = reply(tiny, CallToolResult(content=[TextContent(text="x" * 5000)]))
    assert len(found.records[0].source.text) == 1000
    assert "Only 1000 of 5000 characters were taken." in found.note


def test_links_are_kept_and_pictures_are_left_out(tiny: Connection) -> None:
    content = [
        TextContent(text="See"),
        ResourceLink(name="Label", uri="https://example.org/1"),
        ImageContent(data="AAAA", mime_type="image/png"),
    ]
    found = reply(tiny, CallToolResult(content=list(content)))
    assert found.records[0].source.link == "https://example.org/1"
    assert found.records[0].source.text == "See\n\n- Label: https://example.org/1"
    assert found.note == "1 part without text left out."


def test_a_reply_without_text_is_no_source(tiny: Connection) -> None:
    found = reply(tiny, CallToolResult(content=[]))
    assert (found.records, found.note) == ((), "tiny gave no text.")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists), st.text())
def test_any_content_becomes_a_reply(structured: JsonValue, text: str) -> None:
    tiny = Connection("tiny", "tiny", seconds=1, log=Path("log"))
    result = CallToolResult(content=[TextContent(text=text)], structured_content=structured)
    for record in reply(tiny, result).records:
        assert record.source.text == record.place.text != ""


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"type": "object", "description": "x" * 30_000}, {"properties": 3}]
)
def test_a_tool_with_a_broken_schema_is_left_out(tiny: Connection, schema: dict[str, Any]) -> None:
    with pytest.raises(UnusableTool):
        foreign_tool(tiny, offered(input_schema=schema), Rules())


def test_a_schema_cannot_have_anything_fetched(tiny: Connection) -> None:
    tool = foreign_tool(tiny, offered(input_schema={"$ref": "http://127.0.0.1:9/schema"}), Rules())
    assert tool.parse('{"anything": 1}') == tool.inputs({"anything": 1})


@given(st.text(min_size=1, max_size=200))
def test_a_models_endpoint_takes_any_name(tool: str) -> None:
    name = name_of("a_server_with_quite_a_long_nam", tool)
    assert len(name) <= 64
    assert name.isascii()
    assert name.replace("_", "a").isalnum()
