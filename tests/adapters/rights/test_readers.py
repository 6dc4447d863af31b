"""Readers' runtimes: few stay open, a closed one still answers, and all follow a change of the rules."""

import asyncio
import json
from pathlib import Path

import pytest

from adapters import wiring
from adapters.reader import ReaderRuntime
from adapters.wiring import Runtime
from retrieval.collections import REST
from retrieval.values import SearchRequest
from tests.adapters.rights.world import HIDDEN, OPEN, PLACE, archive, ask


async def reader(built: Runtime, user: str) -> ReaderRuntime:
    theirs = await built.reading_at(PLACE, user)
    assert isinstance(theirs, ReaderRuntime)
    return theirs


async def test_who_was_asked_longest_ago_is_closed_and_still_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "READERS_KEPT", 2)
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        policy = await built.storage.policies.current()
        assert await built.storage.policies.change(policy.granting("secret", "web:carl"), "test")
        anna, carl = await reader(built, "anna"), await reader(built, "carl")
        for one in (anna, carl):
            await one.index.records()
        assert await reader(built, "anna") is anna
        nobody = await reader(built, "dora")
        assert await nobody.index.records() == []
        assert carl.readable._own is None
        assert anna.readable._own is not None
        assert {one.doc_id for one in await carl.index.records()} >= {"QX-01", "ZK-CL-02"}
        assert carl.readable._own is None
        assert await reader(built, "carl") is not carl


async def test_a_question_under_way_is_answered_before_the_index_is_closed(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        theirs = await reader(built, "anna")
        (vector,) = await theirs.encoder.encode(["liver"])
        wanted = await theirs.index.candidates(SearchRequest("liver"), vector)
        asked = [
            asyncio.ensure_future(theirs.index.candidates(SearchRequest("liver"), vector)) for _ in range(4)
        ]
        await asyncio.sleep(0)
        await theirs.close()
        assert await asyncio.gather(*asked) == [wanted] * 4
        assert wanted.lexical
        assert theirs.readable._own is None


async def test_what_is_made_of_a_reader_is_made_once_and_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "READERS_KEPT", 1)
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        first = await reader(built, "anna")
        for number in range(3):
            await ask(built, "anna", f"What was dose {number} of ZK-701?")
        assert len(first._made) == 1
        await reader(built, "dora")
        await ask(built, "anna", "Which molecules are there?")
        again = await reader(built, "anna")
        assert again is not first
        assert len(again._made) == len(first._made) == 1
        assert built._made == {}


async def test_tools_of_another_program_follow_a_change_of_the_rules(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        tools = built.tools_as("web:anna")

        async def told(doc_id: str) -> str:
            try:
                return repr(await tools.call("read_document", json.dumps({"doc_id": doc_id})))
            except Exception as error:
                return str(error)

        assert "hepatitis" not in await told("ZK-CL-02")
        assert "Liver necrosis" in await told("ZK-TX-01")
        policy = await built.storage.policies.current()
        assert await built.storage.policies.change(policy.granting("secret", "web:anna"), "test")
        assert "hepatitis" in await told("ZK-CL-02")
        policy = await built.storage.policies.current()
        policy = policy.revoking("secret", "web:anna").revoking(REST, "web:anna")
        assert await built.storage.policies.change(policy, "test")
        for doc_id in ("ZK-CL-02", "ZK-TX-01"):
            assert "hepatitis" not in await told(doc_id)
            assert "necrosis" not in await told(doc_id)
