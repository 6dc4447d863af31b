"""The chain of what happened: everything is in it, changes of it show, and purges leave it whole."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, text, update

from adapters.errors import LegalHold
from adapters.storage import Storage, open_storage
from adapters.storage.audit import Entry, sha256
from adapters.storage.tables import AUDIT, AUDIT_TEXTS, METADATA
from agents.reports.revisions import Action, Revision
from agents.reports.values import Paragraph, Section
from agents.runs.records import Request, RunRecord, RunState, StepRecord
from agents.usage import Usage
from bot.accounts import Account
from bot.rights import Policy
from bot.values import EXPORTED, Card, CardKind, ThreadRef
from retrieval.collections import REST, Collection
from tests.adapters.storage.places import DATABASES, MovableClock, emptied

THREAD = ThreadRef("slack", "C1", "1.2")
RUN = RunRecord("r1", "archive", '{"question":"What of KP-100?"}', "e1", THREAD.thread_id, "U1")
SECTION = Section("dose", "Dose", (Paragraph("4 mg"),))


@pytest.fixture(params=DATABASES)
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Storage]:
    storage = await open_storage(await emptied(request.param, tmp_path), MovableClock())
    yield storage
    await storage.close()


async def told(kept: Storage) -> list[Entry]:
    return [one async for one in kept.audit.entries()]


async def lived(kept: Storage) -> None:
    """A day in the house."""
    await kept.accounts.add(Account("ada", "hash"))
    await kept.accounts.open_session("ada", "key", 60)
    await kept.policies.change(Policy().collected(Collection("tox", ("/tox",))), "bob")
    policy = await kept.policies.current()
    await kept.policies.change(policy.granting(REST, "web:ada"), "bob")
    await kept.conversations.start(RUN, THREAD, Card(CardKind.PROGRESS, "Working", "r1"))
    await kept.ledger.ask("r1", "approve", Request("May it?", ("yes", "no")))
    await kept.ledger.decide("r1", "approve", "yes", "U1")
    output = json.dumps({"hits": ["KP-1#3", "no chunk"], "at": {"doc_id": "KP-2", "start": 4, "end": 9}})
    spent = Usage(5, 5, calls=1, models=("m-1",))
    step = StepRecord("r1", "read", "h", output, "2026", 0.1, usage=spent, fingerprints=("read.md 1a2b",))
    await kept.ledger.save_step(step)
    await kept.ledger.set_state("r1", RunState.DONE, result='{"short":"4 mg"}')
    await kept.revisions.append(Revision("r1", 1, Action.ACCEPTED, SECTION, "U2", "2026"))
    await kept.ledger.append("r1", EXPORTED, json.dumps({"by": "web:ada", "format": "pdf"}))
    await kept.accounts.close_session("key")


async def test_everything_that_happens_is_told_with_by_whom(kept: Storage) -> None:
    await lived(kept)
    entries = await told(kept)
    assert [(one.kind, one.texts["by"]) for one in entries] == [
        ("account added", "web:ada"),
        ("logged in", "web:ada"),
        ("granted", "cli:bob"),
        ("granted", "cli:bob"),
        ("asked", "slack:U1"),
        ("decided", "slack:U1"),
        ("answered", "slack:U1"),
        ("accepted", "slack:U2"),
        ("exported", "web:ada"),
        ("logged out", "web:ada"),
    ]
    of = {one.kind: one for one in entries}
    assert (of["asked"].texts["text"], of["asked"].texts["thread"]) == (RUN.inputs, THREAD.thread_id)
    answered = of["answered"].facts
    assert answered["passages"] == ["KP-1#3", "KP-2:4-9"]
    assert (answered["models"], answered["prompts"]) == (["m-1"], ["read.md 1a2b"])
    assert answered["answer"] == sha256('{"short":"4 mg"}')
    assert of["granted"].texts["text"] == '+ grants: ["everything", "web:ada"]'
    assert {one.run for one in entries[4:9]} == {"r1"}
    assert not any("hash" in value or value == "key" for one in entries for value in one.texts.values())
    assert await kept.audit.verified() == (10, entries[-1].hash, "")


async def test_what_is_undone_or_comes_twice_is_told_once_or_never(kept: Storage) -> None:
    for _ in range(2):
        await kept.conversations.start(RUN, THREAD, Card(CardKind.PROGRESS, "Working", "r1"))
        await kept.accounts.add(Account("ada", "hash"))
    await kept.accounts.close_session("no session")
    await kept.ledger.set_state("r1", RunState.DONE)
    await kept.ledger.set_state("r1", RunState.DONE)
    assert [one.kind for one in await told(kept)] == ["asked", "account added", "answered"]


@pytest.mark.parametrize(
    "change",
    [
        update(AUDIT).where(AUDIT.c.number == 4).values(facts='{"texts":{}}'),
        update(AUDIT).where(AUDIT.c.number == 4).values(kind="asked"),
        update(AUDIT_TEXTS).where(AUDIT_TEXTS.c.number == 4).values(value="web:eve"),
        delete(AUDIT).where(AUDIT.c.number == 4),
        delete(AUDIT_TEXTS).where(AUDIT_TEXTS.c.number == 4),
        text("UPDATE audit SET number = 14 WHERE number = 4"),
    ],
)
async def test_a_change_of_the_chain_shows_at_its_entry(kept: Storage, change: Any) -> None:
    await lived(kept)
    async with kept.database.writing() as connection:
        await connection.execute(change)
    assert "entry 4 " in (await kept.audit.verified())[2].lower()


async def test_a_cut_end_shows_against_a_head_noted_elsewhere(kept: Storage) -> None:
    await lived(kept)
    _, head, _ = await kept.audit.verified()
    await kept.audit.note("more", by="cli:bob")
    assert (await kept.audit.verified(head))[2] == ""
    async with kept.database.writing() as connection:
        await connection.execute(delete(AUDIT).where(AUDIT.c.number > 9))
        await connection.execute(delete(AUDIT_TEXTS).where(AUDIT_TEXTS.c.number > 9))
    assert (await kept.audit.verified())[2] == ""
    assert "does not contain the head" in (await kept.audit.verified(head))[2]


async def test_a_purge_by_age_and_kind_leaves_the_chain_whole(kept: Storage) -> None:
    await lived(kept)
    assert await kept.audit.purge("cli:bob", "2026-02-01") == 0
    assert await kept.audit.purge("cli:bob", "2027", ["asked", "decided"]) == 2
    entries = await told(kept)
    assert [one.number for one in entries if not one.texts] == [5, 6]
    assert [one.kind for one in entries[-2:]] == ["logged out", "purged"], (
        "one that found nothing is not told"
    )
    assert (await kept.audit.verified())[2] == ""


async def test_what_the_rules_keep_no_longer_is_purged_but_for_what_a_hold_is_on(tmp_path: Path) -> None:
    clock = MovableClock()
    kept = await open_storage(f"sqlite:///{tmp_path}/pestle.db", clock)
    await lived(kept)
    rules = {"asked": 10.0, "everything": 30.0}
    await kept.audit.retain(rules)
    assert len(await told(kept)) == 10
    clock.move(11 * 86_400)
    for _ in range(2):
        await kept.audit.retain(rules)
    entries = await told(kept)
    assert [one.kind for one in entries if not one.texts] == ["asked"]
    assert [one.texts["by"] for one in entries[10:]] == ["pestle:retention"]
    await kept.audit.hold("web:ada", "cli:bob", "a suit")
    clock.move(20 * 86_400)
    await kept.audit.retain(rules)
    of = {one.kind: one.texts.get("by") for one in await told(kept)}
    assert (of["logged in"], of["exported"], of["granted"], of["decided"]) == (
        "web:ada",
        "web:ada",
        None,
        None,
    )
    assert (await kept.audit.verified())[2] == ""
    await kept.close()


@pytest.mark.parametrize("on", ["slack:U1", "r1", "everything"])
async def test_a_hold_keeps_what_it_is_on_until_it_is_released(kept: Storage, on: str) -> None:
    await lived(kept)
    await kept.audit.hold(on, "cli:bob", "a suit")
    await kept.audit.purge("cli:bob", "2027")
    asked = next(one for one in await told(kept) if one.kind == "asked")
    assert asked.texts["by"] == "slack:U1"
    with pytest.raises(LegalHold):
        await kept.audit.forget("slack:U1", "cli:bob")
    assert await kept.audit.hold(on, "cli:bob", end=True)
    assert not await kept.audit.hold(on, "cli:bob", end=True)
    await kept.audit.purge("cli:bob", "2027")
    assert not next(one for one in await told(kept) if one.kind == "asked").texts
    assert (await kept.audit.verified())[2] == ""


async def test_a_person_is_forgotten_everywhere_and_nobody_else(kept: Storage) -> None:
    await lived(kept)
    other = RunRecord("r2", "archive", "{}", "e2", ThreadRef("web", "", "t").thread_id, "U1")
    await kept.ledger.create(other)
    await kept.accounts.add(Account("ada2", "hash"))
    await kept.audit.forget("slack:U1", "cli:bob")
    await kept.audit.forget("web:ada", "cli:bob")
    run, others = await kept.ledger.run("r1"), await kept.ledger.run("r2")
    assert run is not None
    assert run.asked_by.startswith("gone-")
    assert others is not None
    assert others.asked_by == "U1"
    assert await kept.accounts.names() == ["ada2"]
    async with kept.database.reading() as connection:
        rows = {
            one.name: repr(list(await connection.execute(one.select()))) for one in METADATA.sorted_tables
        }
    named = re.compile(r"slack:U1\b|web:ada\b|\"U1\"")
    assert [name for name, told in rows.items() if named.search(told)] == []
    assert "web:U1" in rows["audit_texts"]
    assert "web:ada2" in rows["audit_texts"]
    assert (await kept.audit.verified())[2] == ""


async def test_a_database_of_the_version_before_gets_the_tables_and_keeps_its_rows(tmp_path: Path) -> None:
    url = await emptied("sqlite", tmp_path)
    storage = await open_storage(url)
    await storage.ledger.create(RUN)
    async with storage.database.writing() as connection:
        for name in ("audit", "audit_texts"):
            await connection.execute(text(f"DROP TABLE {name}"))
        await connection.execute(text("UPDATE alembic_version SET version_num = '0011'"))
    await storage.close()
    again = await open_storage(url)
    assert (await again.ledger.run("r1")) is not None
    await again.accounts.add(Account("ada", "hash"))
    assert (await again.audit.verified())[0] == 1
    await again.close()


async def test_whatever_words_an_entry_has_its_hash_holds(kept: Storage) -> None:
    odd = '"number":0,"before":"" \\ \' :head µg „Maus“ 鼠 \U0001f400'
    await kept.audit.note(odd, facts={odd: [odd]}, by=odd, text=odd)
    await kept.audit.note("alone")
    count, _, wrong = await kept.audit.verified()
    assert (count, wrong) == (2, "")
    assert (await told(kept))[0].texts == {"by": odd, "text": odd}
