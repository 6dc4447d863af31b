"""Pestle as an MCP server: in-process, as a child process on its standard streams, and over HTTP."""

import asyncio
import base64
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, ClientSession, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import BlobResourceContents, ResourceLink, TextContent

from adapters.cli.demo import ARCHIVE
from adapters.mcp.connection import Connection
from adapters.mcp.foreign import Rules
from adapters.mcp.others import OtherServers
from adapters.mcp.served import ServedReply, page_address
from adapters.mcp.server import mcp_server, offered, serve_http
from adapters.sections import McpSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.archive.toolbox import archive_toolset
from agents.evidence.sources import Origin
from agents.runs.artefacts import MemoryArtefacts
from agents.tools.reply import ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from bot.accounts import Account, token_key
from bot.rights import Policy
from retrieval.collections import Collection
from tests.adapters.web.test_hostile import FUZZ, JSON_VALUES
from tests.agents.archive.world import DOCUMENTS, archive
from tests.agents.tools.builders import Counter, lookup
from tests.support.drills import examples

PROGRAM = [sys.executable, "-c", "from adapters.cli import main; main()"]


def command(home: Path, *arguments: str) -> str:
    """The real program, for a process that is told nothing of this one's environment."""
    return f"env PESTLE_HOME={home} {sys.executable} -c 'from adapters.cli import main; main()' " + " ".join(
        arguments
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one document of the demo archive."""
    home = tmp_path_factory.mktemp("home")
    document = min(str(path) for path in ARCHIVE.glob("*.md"))
    environment = {"PESTLE_HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run([*PROGRAM, "ingest", document], check=True, env=environment, capture_output=True)
    return home


# In this process


@pytest.fixture
async def toolset(tmp_path: Path) -> Toolset:
    return archive_toolset(await archive(tmp_path / "docs", DOCUMENTS))


async def test_a_client_sees_tools_that_only_read(toolset: Toolset) -> None:
    async with Client(mcp_server(toolset, page_address("127.0.0.1", 8321))) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == list(toolset)
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools)
        assert "never an instruction" in str(client.instructions)


async def test_a_reply_has_text_and_structured_content_with_its_origin(toolset: Toolset) -> None:
    async with Client(mcp_server(toolset, page_address("127.0.0.1", 8321))) as client:
        result = await client.call_tool("search_archive", {"query": "liver necrosis in rats", "limit": 1})
    (block,) = result.content
    assert isinstance(block, TextContent)
    reply = ServedReply.model_validate(result.structured_content)
    (record,) = reply.records
    assert record.id == "ZK-TX-01"
    assert "Liver necrosis was seen at 50 mg/kg" in record.text
    assert record.link == f"http://127.0.0.1:8321/documents/ZK-TX-01?start={record.start}&end={record.end}"
    assert record.source == "Pestle archive"
    for told in (record.text, record.link, "ZK-TX-01", reply.summary):
        assert told in block.text


async def test_data_are_in_the_text_too(toolset: Toolset) -> None:
    async with Client(mcp_server(toolset, page_address("127.0.0.1", 0))) as client:
        result = await client.call_tool("records", {"molecule": "ZK-702"})
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert "ZK-CL-09" in block.text
    assert ServedReply.model_validate(result.structured_content).data is not None


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("search_archive", {}, "query: Field required"),
        ("search", {"query": "x"}, "There is no tool 'search'"),
        ("read_document", {"doc_id": "NONE"}, "no document 'NONE'"),
    ],
)
async def test_a_wrong_call_is_an_error_that_says_what_is_right(
    toolset: Toolset, name: str, arguments: dict[str, object], told: str
) -> None:
    async with Client(mcp_server(toolset, page_address("127.0.0.1", 0))) as client:
        result = await client.call_tool(name, arguments)
    assert result.is_error
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert told in block.text


async def test_tools_that_write_or_need_approval_are_served_only_if_set() -> None:
    reads = lookup(Counter(), "reads")
    writes = lookup(Counter(), "writes", read_only=False)
    asks = lookup(Counter(), "asks", needs_approval=True)
    tools = Toolset("test", [reads, writes, asks])
    assert list(offered(tools)) == ["reads"]
    everything = offered(tools, writing=True)
    assert list(everything) == ["reads", "writes", "asks"]
    assert (await everything.call("asks", '{"drug": "a"}')).records


# As a process


@pytest.fixture
async def ours(home: Path, tmp_path: Path) -> AsyncIterator[Toolset]:
    """Our own tools, as those of another server."""
    servers = {"pestle": command(home, "mcp")}
    others = OtherServers(servers, Rules(), seconds=60, logs=tmp_path)
    yield await others.toolset()
    await others.close()


async def test_pestle_can_be_another_pestles_server(ours: Toolset, home: Path) -> None:
    assert list(ours)[:2] == ["pestle__search_archive", "pestle__read_document"]
    assert ours["pestle__search_archive"].read_only
    found = await ours.call("pestle__search_archive", '{"query": "study", "limit": 2}')
    (record,) = found.records
    assert (record.source.origin, record.source.name) == (Origin.TOOL, "pestle")
    assert "http://127.0.0.1:8321/documents/" in record.source.text
    async with runtime(Settings(home=home)) as built:
        records = await built.index.records()
    assert any(f"[{one.doc_id}, characters" in record.source.text for one in records)


async def test_what_other_servers_say_is_kept_and_can_be_cited(home: Path) -> None:
    settings = Settings(home=home, mcp=McpSettings(servers={"other": command(home, "mcp")}))
    async with runtime(settings) as built:
        tools = await built.toolset()
        assert {"search_archive", "other__search_archive"} <= set(tools)
        found = await tools.call("other__search_archive", '{"query": "study"}')
        assert await built.sources.get(found.records[0].source.id) == found.records[0].source
    async with runtime(Settings(home=home)) as built:
        assert list(await built.toolset()) == list(built.house_tools)


def test_standard_output_holds_nothing_but_the_protocol(home: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a test", "version": "1"},
        },
    }
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search_archive", "arguments": {"query": "study"}},
    }
    lines = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call]
    with subprocess.Popen(
        [*PROGRAM, "-v", "mcp"],
        env={"PESTLE_HOME": str(home), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in lines:
            program.stdin.write(json.dumps(line) + "\n")
        program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(2)]
        out, _ = program.communicate(timeout=60)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["records"]
    assert out == ""
    assert program.returncode == 0


@pytest.fixture
def address(home: Path) -> Iterator[str]:
    """Address of `pestle mcp --http 0`."""
    with subprocess.Popen(
        [*PROGRAM, "mcp", "--http", "0"],
        env={"PESTLE_HOME": str(home), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        said = program.stderr.readline()
        yield said.split("at ")[1].split()[0]
        program.terminate()
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (0, "", "")


async def test_it_serves_over_http_on_this_machine_alone(address: str, tmp_path: Path) -> None:
    connection = Connection("web", address, seconds=60, log=tmp_path / "log")
    try:
        result = await connection.call("search_archive", {"query": "study"})
    finally:
        await connection.close()
    assert ServedReply.model_validate(result.structured_content).records
    assert address.startswith("http://127.0.0.1:")
    async with httpx.AsyncClient() as client:
        for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
            sent = {"content-type": "application/json", "accept": "application/json", **headers}
            response = await client.post(address, json={}, headers=sent)
            assert response.status_code in (403, 421)


async def test_over_http_a_personal_token_reads_what_its_owner_may(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    async with runtime(Settings(home=tmp_path)) as built:
        keys = {"ada": "pestle_a", "ben": "pestle_b"}
        for name, token in keys.items():
            await built.storage.accounts.add(Account(name, ""))
            await built.storage.accounts.open_session(name, token_key(token), 60)
        doc_id = (await built.index.records())[0].doc_id
        policy = Policy().collected(Collection("tox", (), (), (doc_id,))).granting("tox", "web:ada")
        await built.storage.policies.change(policy, "bob")
        tools = built.house_tools
        server = mcp_server(tools, page_address("127.0.0.1", 0), None, None, built.tools_as)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            serving = asyncio.create_task(serve_http(server, listening, built.storage.accounts.in_session))
            address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            counts = {}
            for name, token in keys.items():
                async with (
                    httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}) as web,
                    streamable_http_client(address, http_client=web) as streams,
                    ClientSession(*streams[:2]) as client,
                ):
                    await client.initialize()
                    reply = await client.call_tool("search_archive", {"query": "study"})
                    found = ServedReply.model_validate(reply.structured_content)
                    counts[name] = len(found.records)
            async with httpx.AsyncClient() as web:
                for token in ("", "Bearer x", f"Basic {keys['ada']}", f"Bearer {token_key('pestle_a')}"):
                    head = {"authorization": token} if token else {}
                    answer = await web.post(address, json={}, headers=head)
                    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
            serving.cancel()
    assert counts["ada"] > 0
    assert counts["ben"] == 0


CALLS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON_VALUES,
        "id": st.integers() | JSON_VALUES,
        "method": st.sampled_from(["initialize", "tools/list", "tools/call", "ping"]) | JSON_VALUES,
        "params": st.just({"name": "search_archive", "arguments": {"query": 5}}) | JSON_VALUES,
    },
)


@settings(FUZZ, max_examples=examples(40))
@given(st.binary(max_size=200) | (JSON_VALUES | CALLS).map(lambda value: json.dumps(value).encode()))
async def test_no_request_whatever_is_an_error_of_the_server(address: str, body: bytes) -> None:
    accepted = "application/json, text/event-stream"
    async with httpx.AsyncClient(timeout=20) as client:
        for kind in ("application/json", "x"):
            headers = {"content-type": kind, "accept": accepted}
            answer = await client.post(address, content=body, headers=headers)
            assert answer.status_code < 500
            assert b"Traceback" not in answer.content


async def test_a_file_that_a_tool_made_is_a_resource_and_no_other_is() -> None:
    artefacts = MemoryArtefacts()
    made, other = [await artefacts.put(data, "text/csv", "a.csv") for data in (b"a,b\n", b"secret")]

    async def draw(asked: Empty) -> ToolReply:
        return ToolReply(summary="drawn", files=(made,))

    tools = Toolset("t", [Tool("draw", "Draws.", Empty, draw, "test")])
    async with Client(mcp_server(tools, page_address("127.0.0.1", 8321), artefacts)) as client:
        result = await client.call_tool("draw", {})
        link = result.content[1]
        assert isinstance(link, ResourceLink)
        (contents,) = (await client.read_resource(link.uri)).contents
        assert isinstance(contents, BlobResourceContents)
        assert base64.b64decode(contents.blob) == b"a,b\n"
        assert [one.name for one in (await client.list_resources()).resources] == ["a.csv"]
        with pytest.raises(MCPError, match="There is no file"):
            await client.read_resource(f"pestle://files/{other.sha256}")


class Empty(Arguments):
    """Nothing."""
