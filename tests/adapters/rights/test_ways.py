"""Ways on which a hidden document could show that are not asked by name: other programs, digests, steps."""

from datetime import timedelta
from pathlib import Path

from mcp import Client, MCPError

from adapters.mcp.served import FILES, page_address
from adapters.mcp.server import mcp_server, offered
from adapters.wiring import Runtime
from agents.runs.clock import utc_now
from bot.accounts import Account
from bot.values import Incoming
from retrieval.ingest.folder import Folder
from tests.adapters.rights.test_attacks import NAMES, TOOLS, card_texts, without
from tests.adapters.rights.world import HIDDEN, OPEN, PLACE, SECRETS, archive, ask


async def through_mcp(built: Runtime) -> dict[str, str]:
    """What another program that serves Anna is told of every name, of tools and of files."""
    told = {}
    tools = offered(built.tools_as("web:anna"), writing=True)
    server = mcp_server(tools, page_address("127.0.0.1", 8321), built.storage.artefacts)
    async with Client(server) as client:
        told["tools"] = repr(await client.list_tools())
        for name in NAMES:
            for tool, forms in TOOLS.items():
                for form in forms:
                    arguments = dict.fromkeys(form.split(), name)
                    told[f"{tool} {form} {name}"] = repr(await client.call_tool(tool, arguments))
            try:
                told[f"file {name}"] = repr(await client.read_resource(f"{FILES}{name.replace(' ', '-')}"))
            except MCPError as error:
                told[f"file {name}"] = str(error)
        told["files"] = repr(await client.list_resources())
    return told


async def test_another_program_is_told_what_an_archive_without_them_would_tell(tmp_path: Path) -> None:
    async with archive(tmp_path / "with", OPEN, HIDDEN) as built:
        had = await through_mcp(built)
    async with archive(tmp_path / "without", OPEN, {}) as built:
        never = await through_mcp(built)
    paths = [(str(tmp_path / one), "HOME") for one in ("without", "with")]
    assert len(had) > 100
    for what, told in had.items():
        assert without(told, paths) == without(never[what], paths), what


async def test_a_digest_tells_a_channel_of_new_documents_that_all_in_it_may_read(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, {"QX-01": HIDDEN["QX-01"]}) as built:
        await built.storage.accounts.add(Account("anna", "no password"))
        order = Incoming("d1", PLACE, "anna", "digest every day 08:00 UTC")
        await built.intake.receive(order)
        for folder, name, text in (
            ("secret", "ZK-CL-02", HIDDEN["ZK-CL-02"]),
            (
                "open",
                "ZK-CL-11",
                "# ZK-702: study in children\n\nChildren received 25 mg ZK-702 once daily.\n",
            ),
        ):
            (tmp_path / folder / f"{name}.md").write_text(text, encoding="utf-8")
            await built.files.ingest(Folder(tmp_path / folder))
        telling = built.telling(lambda: utc_now() + timedelta(days=2))
        await telling.round()
        told = "\n".join(await card_texts(built))
        assert "ZK-702: study in children" in told
        assert not [secret for secret in SECRETS if secret in told]


async def test_nobody_is_told_a_step_of_a_run_that_they_may_not_see(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        run = await ask(built, "bea", "What was the highest dose of ZK-701?")
        assert run is not None
        theirs = await built.reading_at(PLACE, "anna")
        assert await built.ledger.steps(run.run_id)
        assert await theirs.ledger.steps(run.run_id) == []
