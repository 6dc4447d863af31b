"""Tries to be told of a document that one may not read, or of what others were answered from it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.storage.tables import OUTBOX
from adapters.web.login import COOKIE, csrf_of, key_of
from adapters.wiring import Runtime
from agents.errors import AgentError
from bot.accounts import Account
from bot.delivery import WITHHELD, Pump
from bot.rights import EVERYBODY, Readers
from bot.values import Incoming, ThreadRef
from bot.values import Origin as Whence
from retrieval.collections import REST
from retrieval.errors import IndexForbidden
from retrieval.records import RecordFilter, Thing, find_records
from retrieval.values import Filters, SearchRequest
from tests.adapters.rights.world import HIDDEN, OPEN, PLACE, SECRETS, archive, ask
from tests.support.memory import MemoryPlatform

NAMES = (*SECRETS, *HIDDEN)
TOOLS: Mapping[str, tuple[str, ...]] = {
    "read_document": ("doc_id",),
    "read_table": ("doc_id",),
    "search_archive": ("query", "query doc_id", "query molecule"),
    "records": ("words", "molecule", "type", "year"),
}
"""Tools, and the arguments in which a name is tried; several at once where they stand together."""
CHANNEL = ThreadRef("slack", "C1", "1.0")


async def tried(built: Runtime, user: str) -> dict[str, str]:
    """What every name of a hidden document gets out of the tools and the index."""
    theirs = await built.reading_at(PLACE, user)
    told = {}
    for name in NAMES:
        for tool, forms in TOOLS.items():
            for form in forms:
                told[f"{tool} {form} {name}"] = await called(theirs, tool, dict.fromkeys(form.split(), name))
        told |= {f"{what} {name}": repr(await look(theirs, name)) for what, look in LOOKS.items()}
    return told


async def called(built: Runtime, tool: str, arguments: dict[str, str]) -> str:
    try:
        return repr(await built.house_tools.call(tool, json.dumps(arguments)))
    except AgentError as error:
        return f"{type(error).__name__}: {error}"


LOOKS: Mapping[str, Callable[[Runtime, str], Awaitable[object]]] = {
    "document": lambda built, name: built.index.document(name),
    "chunks": lambda built, name: built.index.chunks([f"{name}#0", f"{name}#1"]),
    "found": lambda built, name: built.index.found([f"{name}#0"]),
    "stored": lambda built, name: built.index.stored(name),
    "records of an id": lambda built, name: built.index.records(Filters(doc_ids=(name,))),
    "records of a molecule": lambda built, name: built.index.records(Filters(molecules=(name,))),
    "words": lambda built, name: built.index.lexical(SearchRequest(name)),
    "words in an id": lambda built, name: built.index.lexical(
        SearchRequest("dose", Filters(doc_ids=(name,)))
    ),
    "molecules": lambda built, name: find_records(built.index, RecordFilter(Thing.MOLECULES, molecule=name)),
    "studies": lambda built, name: find_records(built.index, RecordFilter(Thing.STUDIES, words=name)),
}


async def test_no_name_gets_more_out_of_tools_and_index_than_where_it_means_nothing(tmp_path: Path) -> None:
    async with archive(tmp_path / "with", OPEN, HIDDEN) as built:
        had = await tried(built, "anna")
        theirs = await built.reading_at(PLACE, "anna")
        with pytest.raises(IndexForbidden):
            theirs.index.write()
        for taken in (theirs.files.remove, theirs.files.put_back):
            with pytest.raises(IndexForbidden):
                await taken("AF-CL-06-001")
    async with archive(tmp_path / "without", OPEN, {}) as built:
        never = await tried(built, "anna")
    paths = [(str(tmp_path / one), "HOME") for one in ("without", "with")]
    assert len(had) >= 200
    for what, told in had.items():
        assert without(told, paths) == without(never[what], paths), what


def without(text: str, replaced: list[tuple[str, str]]) -> str:
    for one, other in replaced:
        text = text.replace(one, other)
    return text


COMMANDS = (
    "sources",
    "status",
    "sources 1",
    *(f"export {form}" for form in ("md", "json", "html", "docx", "pdf")),
    "changes",
    "history",
    "revise: shorter",
    "undo",
    "accept",
    "dispute 1",
    "pin",
    "guidance",
    "digests",
    "responsible",
    "records",
    "which documents are there?",
    "which studies do you have about ZK-701?",
)
PRESSES = ("sources", "export", "stop", "resume", "feedback", "share", "cite", "accept", "dispute")


async def test_what_others_were_answered_is_not_there_for_who_may_not_read_it(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        run = await ask(built, "bea", "What was the highest dose of ZK-701?")
        assert run is not None
        assert "400 mg" in run.result
        before = await card_texts(built)
        theirs = await built.reading_at(PLACE, "anna")
        assert await theirs.ledger.run(run.run_id) is None
        assert await theirs.ledger.runs() == []
        assert await theirs.storage.conversations.runs(PLACE) == []
        assert "400" not in str(await theirs.storage.conversations.remembered(PLACE))
        for number, text in enumerate((*COMMANDS, "Why?", "And which dose before?", f"sources {run.run_id}")):
            await say(built, f"c{number}", text)
        for action in PRESSES:
            for value in (run.run_id, f"{run.run_id} 1", f"{run.run_id} md", f"{run.run_id} docx"):
                await say(built, f"p{action}{value}", "", action, value)
        for receipt in await theirs.ledger.runs():
            await built.finished(receipt.run_id)
        told = [text for text in await card_texts(built) if text not in before]
        assert len(told) > 10
        shown = "\n".join(told)
        assert not [secret for secret in SECRETS if secret in shown]


async def say(built: Runtime, event: str, text: str, action: str = "", value: str = "") -> None:
    await built.intake.receive(Incoming(event, PLACE, "anna", text, action, value))


async def card_texts(built: Runtime) -> list[str]:
    async with built.storage.database.reading() as connection:
        return list(await connection.scalars(select(OUTBOX.c.card)))


async def test_a_document_that_moved_into_a_closed_collection_takes_its_answers_along(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        run = await ask(built, "anna", "Was liver necrosis seen in rats given ZK-701?")
        theirs = await built.reading_at(PLACE, "anna")
        assert run is not None
        assert await theirs.ledger.run(run.run_id) is not None
        policy = await built.storage.policies.current()
        (secret,) = policy.collections
        moved = replace(secret, documents=("ZK-TX-01",))
        assert await built.storage.policies.change(policy.collected(moved), "test")
        theirs = await built.reading_at(PLACE, "anna")
        assert await theirs.index.document("ZK-TX-01") is None
        assert await theirs.ledger.run(run.run_id) is None


class Fixed:
    """`bot.rights.Members` of one channel; None: it is not told."""

    def __init__(self, *people: str) -> None:
        self.people: frozenset[str] | None = frozenset(people)
        self.grouped: frozenset[str] | None = None

    async def members(self, channel: str) -> frozenset[str] | None:
        return self.people

    async def group(self, group: str) -> frozenset[str] | None:
        return self.grouped


async def test_a_channel_reads_what_everybody_in_it_may(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        policy = await built.storage.policies.current()
        for collection in (REST, "secret"):
            policy = policy.granting(collection, "slack:UBEA")
        assert await built.storage.policies.change(policy.granting(REST, "slack:UANN"), "test")
        here, now = Fixed("UBEA"), [0.0]
        readers = Readers(
            built.storage.policies, built.storage.conversations, {"slack": here}, lambda: now[0]
        )
        built.__dict__["readers"] = readers
        assert await readers.of(CHANNEL, "UBEA") is None
        run = await ask(built, "UBEA", "What was the highest dose of ZK-701?", CHANNEL)
        assert run is not None
        here.people, now[0] = frozenset({"UBEA", "UANN"}), 1000.0
        assert await readers.of(CHANNEL, "UBEA") == {REST}
        assert await readers.of(CHANNEL.seen_only_by("UBEA")) is None
        assert await readers.of(ThreadRef("slack", "D1", ""), "UANN", alone=True) == {REST}
        assert await readers.of(ThreadRef("slack", "D1", "")) == {REST}
        platform = MemoryPlatform()
        platform.name = "slack"
        pump = Pump(built.storage.outbox, built.ledger, [platform], owner="p", permits=built.permits)
        await pump.drain()
        shown = [message.card for message in platform.messages]
        assert {card.text for card in shown} == {WITHHELD}
        here.people, now[0] = None, 2000.0
        assert await readers.of(CHANNEL, "UBEA") == frozenset()
        policy = await built.storage.policies.current()
        assert await built.storage.policies.change(policy.granting(REST, EVERYBODY), "test")
        assert await readers.of(CHANNEL, "UBEA") == {REST}
        here.people, now[0] = frozenset({"UBEA", "UGUEST"}), 3000.0
        assert await readers.of(CHANNEL, "UBEA") == {REST}


async def test_a_group_of_the_platform_reads_as_long_as_its_people_are_told(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        group = "group:slack:S0614TZR7"
        policy = (await built.storage.policies.current()).granting(REST, group).granting("expert", group)
        assert await built.storage.policies.change(policy, "test")
        here, now = Fixed("UBEA", "UANN"), [0.0]
        readers = Readers(
            built.storage.policies, built.storage.conversations, {"slack": here}, lambda: now[0]
        )
        assert await readers.of(CHANNEL, "UBEA") == frozenset(), "a doubt counts as no"
        here.grouped = frozenset({"UBEA"})
        assert await readers.of(CHANNEL.seen_only_by("UBEA")) == {REST}
        assert await readers.of(CHANNEL, "UBEA") == frozenset(), "not everybody here is in the group"
        assert [await readers.may_sign(CHANNEL, one) for one in ("UBEA", "UANN")] == [True, False]
        assert (await readers.policy()).granted("web:UBEA") == frozenset(), "no other platform's people"
        here.grouped = frozenset({"UBEA", "UANN"})
        assert await readers.of(CHANNEL, "UBEA") == frozenset(), "known for minutes"
        now[0] = 1000.0
        assert await readers.of(CHANNEL, "UBEA") == {REST}
        here.grouped, now[0] = None, 2000.0
        assert await readers.of(CHANNEL, "UBEA") == frozenset()


async def test_a_private_answer_is_shared_only_where_everybody_may_read_it(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        policy = await built.storage.policies.current()
        for collection in (REST, "secret"):
            policy = policy.granting(collection, "slack:UBEA")
        assert await built.storage.policies.change(policy.granting(REST, "slack:UANN"), "test")
        here = Fixed("UBEA", "UANN")
        built.__dict__["readers"] = Readers(
            built.storage.policies, built.storage.conversations, {"slack": here}, lambda: 0.0
        )
        run = await ask(built, "UBEA", "Why was ZK-701 stopped?", CHANNEL.seen_only_by("UBEA"))
        assert run is not None
        press = Incoming("s1", CHANNEL, "UBEA", "", "share", run.run_id, Whence(("T1",)))
        with pytest.raises(Exception, match="Not everybody here may read"):
            await built.intake.sharing.share(press, run.run_id, no_thread)


async def no_thread(text: str) -> ThreadRef:
    raise AssertionError("a thread was opened")


PATHS = (
    *("/documents/{}", "/documents/{}?start=0&end=20", "/documents/{}/page/1.png", "/documents/{}/record"),
    *("/runs/{}", "/runs/{}/export.md", "/runs/{}/export.json", "/runs/{}/next", "/artefacts/{}"),
    *("/runs/{}/export.docx", "/runs/{}/export.pdf", "/runs/{}/export.html", "/artefacts/{}/file"),
)


async def test_the_page_knows_nothing_of_what_its_reader_may_not_read(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        run = await ask(built, "bea", "What was the highest dose of ZK-701?")
        assert run is not None
        for name in ("anna", "bea"):
            await built.storage.accounts.add(Account(name, "no password"))
            await built.storage.accounts.open_session(name, key_of(name), 600.0)
        home = built.settings.home
    settings = Settings(home=home, web=WebSettings(port=0, login="always"))
    async with page(settings) as (server, _):
        app = server._server.config.app
        transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for path in PATHS:
                for one in (run.run_id, "ZK-CL-02", "ZK-MIN-01"):
                    there, none = [await got(client, "anna", path.format(id)) for id in (one, "nothing-9")]
                    assert there.replace(one, "ID") == none.replace("nothing-9", "ID"), path
            thread = f"channel={PLACE.channel}&thread={PLACE.thread}"
            for path in ("/", f"/?{thread}", "/documents", "/starters", "/threads", "/threads?q=highest"):
                seen = await got(client, "anna", path)
                assert not [secret for secret in SECRETS if secret in seen], path
                assert run.run_id not in seen
            assert "400 mg" in await got(client, "bea", f"/?{thread}")
            assert "QX-900" in await got(client, "bea", "/documents")
            files = {"file": ("QX-01.md", HIDDEN["QX-01"].encode())}
            told = {await sent(client, name, files) for name in ("QX-01.md", "new.md")}
            assert len(told) == 1


async def got(client: httpx.AsyncClient, name: str, path: str) -> str:
    answer = await client.get(path, headers={"cookie": f"{COOKIE}={name}", "accept": "text/html"})
    return f"{answer.status_code} {answer.text}"


async def sent(client: httpx.AsyncClient, name: str, files: dict[str, tuple[str, bytes]]) -> str:
    content = {"file": (name, files["file"][1])}
    headers = {"cookie": f"{COOKIE}=anna", "x-pestle": "page", "x-pestle-csrf": csrf_of("anna")}
    answer = await client.post("/documents", files=content, headers=headers)
    return f"{answer.status_code} {answer.text.replace(name, 'NAME')}"
