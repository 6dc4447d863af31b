"""What each wrapper adds to a tool: a limit, a memory, a record, a choice, an approval."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import ToolFailed, ToolRetry
from agents.evidence.sources import MemorySources, document_source
from agents.tools.approved import Approval, Files, approved
from agents.tools.cached import ReplyCache, cached
from agents.tools.filtered import filtered
from agents.tools.kept import kept
from agents.tools.limited import RateLimit, rate_limited
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.snapshot import SnapshotMode, file_name, snapshotted
from agents.tools.tool import call_key
from agents.tools.toolset import Toolset
from retrieval.values import DocumentRecord, Passage
from tests.agents.tools.builders import Counter, Lookup, lookup, reply_on

A, B = Lookup(drug="aspirin"), Lookup(drug="zorvatinib")


class Time:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


# Rate limit


def limit(time: Time, calls: int, seconds: float) -> RateLimit:
    return RateLimit(calls, seconds, clock=time, sleep=time.sleep)


async def test_calls_over_the_limit_wait_for_their_turn() -> None:
    time = Time()
    started: list[tuple[str, float]] = []

    async def work(inputs: Lookup) -> ToolReply:
        started.append((inputs.drug, time.now))
        return ToolReply()

    tool = rate_limited(lookup(work), {"label database": limit(time, 2, 10)})
    await asyncio.gather(*(tool(Lookup(drug=name)) for name in "abcde"))
    assert started == [("a", 0), ("b", 0), ("c", 10), ("d", 10), ("e", 20)]


async def test_tools_of_one_source_share_its_limit_and_others_have_none() -> None:
    time, work = Time(), Counter()
    limits = {"label database": limit(time, 1, 10)}
    first, second = (rate_limited(lookup(work, name), limits) for name in ("first", "second"))
    await first(A)
    await second(A)
    assert time.now == 10
    tool = lookup(work)
    assert rate_limited(tool, {"openFDA": limit(time, 1, 10)}) is tool


async def test_one_who_leaves_the_queue_takes_no_turn() -> None:
    time = Time()
    held = limit(time, 1, 10)
    await held.wait()
    waiting = asyncio.create_task(held.wait())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    time.now = 10
    await held.wait()
    assert time.now == 10


@given(st.lists(st.floats(0, 30), min_size=1, max_size=30), st.integers(1, 4), st.floats(0.5, 20))
async def test_no_window_ever_holds_more_calls(pauses: list[float], calls: int, seconds: float) -> None:
    time = Time()
    held = limit(time, calls, seconds)
    started = []
    for pause in pauses:
        time.now += pause
        await held.wait()
        started.append(time.now)
    assert all(late - early >= seconds - 1e-6 for early, late in zip(started, started[calls:], strict=False))


@pytest.mark.parametrize(("calls", "seconds"), [(0, 1.0), (1, 0.0)])
def test_a_limit_that_lets_nothing_by_is_refused(calls: int, seconds: float) -> None:
    with pytest.raises(ValueError, match="rate limit"):
        RateLimit(calls, seconds)


# Cache


async def test_the_same_call_is_made_once_until_it_is_too_old() -> None:
    time, work = Time(), Counter()
    tool = cached(lookup(work), ReplyCache(max_age=60, clock=time))
    first = await tool(A)
    time.now = 60
    assert await tool(Lookup(limit=5, drug="aspirin")) == first
    time.now = 61
    assert await tool(A) != first
    assert len(work.asked) == 2


async def test_another_call_release_or_name_is_another_reply() -> None:
    work, cache = Counter(), ReplyCache()
    for tool in (lookup(work), lookup(work, release="2026-06"), lookup(work, "other")):
        await cached(tool, cache)(A)
        await cached(tool, cache)(B)
    assert len(work.asked) == 6


async def test_the_reply_that_was_used_last_stays() -> None:
    work = Counter()
    tool = cached(lookup(work), ReplyCache(size=2))
    for inputs in (A, B, A, Lookup(drug="c"), A):
        await tool(inputs)
    assert [asked.drug for asked in work.asked] == ["aspirin", "zorvatinib", "c"]


async def test_errors_and_tools_that_write_are_not_cached() -> None:
    calls = []

    async def failing(inputs: Lookup) -> ToolReply:
        calls.append(inputs)
        raise ToolFailed("down")

    tool = cached(lookup(failing), ReplyCache())
    for _ in range(2):
        with pytest.raises(ToolFailed):
            await tool(A)
    assert len(calls) == 2
    writing = lookup(Counter(), read_only=False)
    assert cached(writing, ReplyCache()) is writing


# Snapshot


def only_file(folder: Path) -> tuple[str, str]:
    (path,) = folder.iterdir()
    return path.name, path.read_text()


async def test_a_recorded_reply_is_replayed_without_the_source(tmp_path: Path) -> None:
    work = Counter()
    recorded = await snapshotted(lookup(work), tmp_path, SnapshotMode.RECORD)(A)
    name, content = only_file(tmp_path)
    assert name.startswith("drug_label-aspirin-")
    assert json.loads(content)["arguments"] == {"drug": "aspirin", "limit": 5}
    assert await snapshotted(lookup(work), tmp_path, SnapshotMode.REPLAY)(A) == recorded
    assert len(work.asked) == 1


async def test_a_missing_record_is_told_by_call_and_file(tmp_path: Path) -> None:
    work = Counter()
    tool = snapshotted(lookup(work), tmp_path, SnapshotMode.REPLAY)
    with pytest.raises(ToolFailed) as raised:
        await tool(B)
    assert 'drug_label({"drug": "zorvatinib", "limit": 5})' in str(raised.value)
    assert file_name(tool, B) in str(raised.value)
    assert work.asked == []


async def test_a_refusal_of_arguments_is_recorded_and_a_failure_is_not(tmp_path: Path) -> None:
    async def work(inputs: Lookup) -> ToolReply:
        if inputs == A:
            raise ToolRetry("did you mean acetylsalicylic acid?")
        raise ToolFailed("no connection")

    recording = snapshotted(lookup(work), tmp_path, SnapshotMode.RECORD)
    replaying = snapshotted(lookup(work), tmp_path, SnapshotMode.REPLAY)
    for tool in (recording, replaying):
        with pytest.raises(ToolRetry, match="acetylsalicylic"):
            await tool(A)
    with pytest.raises(ToolFailed, match="no connection"):
        await recording(B)
    with pytest.raises(ToolFailed, match="no recorded reply"):
        await replaying(B)


@pytest.mark.parametrize("content", ["", "{}", '{"reply": {"records": 3}}', "[]"])
async def test_a_damaged_record_is_told(tmp_path: Path, content: str) -> None:
    tool = snapshotted(lookup(Counter()), tmp_path, SnapshotMode.REPLAY)
    (tmp_path / file_name(tool, A)).write_text(content)
    with pytest.raises(ToolFailed, match="damaged"):
        await tool(A)


async def test_live_mode_leaves_the_tool_alone(tmp_path: Path) -> None:
    tool = lookup(Counter())
    assert snapshotted(tool, tmp_path, SnapshotMode.LIVE) is tool


@given(st.text(min_size=1, max_size=200))
def test_any_argument_gives_a_safe_file_name(drug: str) -> None:
    name = file_name(lookup(Counter()), Lookup(drug=drug))
    assert name.isascii()
    assert len(name) < 100
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.")


# Filter


def test_a_toolset_is_cut_to_names_and_to_what_only_reads() -> None:
    tools = Toolset("test", [lookup(Counter(), "a"), lookup(Counter(), "b", read_only=False)])
    assert list(filtered(tools, ["b"])) == ["b"]
    assert list(filtered(tools, read_only=True)) == ["a"]
    assert list(filtered(tools, ["b"], read_only=True)) == []
    assert list(filtered(tools)) == ["a", "b"]
    with pytest.raises(ValueError, match="has no tool c; it has a, b"):
        filtered(tools, ["a", "c"])


# Approval


class Person:
    """Answers every question alike, and remembers it."""

    def __init__(self, choice: str) -> None:
        self.asked: list[str] = []
        self.files: list[Files] = []
        self._choice = choice

    async def __call__(self, question: str, options: tuple[str, ...], files: Files) -> Approval:
        self.files.append(files)
        assert options == ("approve", "reject")
        self.asked.append(question)
        return Approval(self._choice, "Ada", "too dear")


async def test_an_approved_call_runs() -> None:
    ada = Person("approve")
    tool = approved(lookup(Counter(), needs_approval=True, read_only=False), ada)
    assert await tool(A) == reply_on("aspirin", "aspirin was asked for 1 times.")
    assert '{"drug": "aspirin", "limit": 5}' in ada.asked[0]
    assert "may change something" in ada.asked[0]
    assert not tool.needs_approval


async def test_nothing_of_long_arguments_is_cut() -> None:
    ada, text = Person("approve"), "print(1)\n" * 1000 + "last line"
    await approved(lookup(Counter(), needs_approval=True), ada)(Lookup.model_construct(drug=text, limit=5))
    assert ada.files == [{"drug.txt": text}]
    assert '"drug": "see drug.txt"' in ada.asked[0]


@pytest.mark.parametrize("choice", ["reject", "", "Approve, but not this"])
async def test_any_other_choice_rejects(choice: str) -> None:
    work = Counter()
    with pytest.raises(ToolFailed, match="rejected by Ada: too dear"):
        await approved(lookup(work, needs_approval=True), Person(choice))(A)
    assert work.asked == []


async def test_without_an_approver_the_answer_is_no() -> None:
    with pytest.raises(ToolFailed, match="nobody can be asked"):
        await approved(lookup(Counter(), needs_approval=True))(A)


async def test_a_tool_that_needs_none_is_not_asked_for() -> None:
    tool = lookup(Counter())
    assert approved(tool) is tool


# Keeping


async def test_what_a_tool_fetched_is_kept_and_documents_are_not() -> None:
    record = DocumentRecord("ib-1", "ib-1.pdf", "ab" * 32, "pdf", "Brochure")
    reply = reply_on("aspirin", "Nausea.")
    document = ToolRecord(document_source(record), Passage("ib-1", 0, 4, "Text"))

    async def work(inputs: Lookup) -> ToolReply:
        return replace(reply, records=(*reply.records, document))

    sources = MemorySources()
    given = await kept(lookup(work), sources)(A)
    assert len(given.records) == 2
    assert await sources.get(reply.records[0].source.id) == reply.records[0].source
    assert await sources.get("ib-1") is None


async def test_wrappers_stack_and_keep_what_the_tool_is(tmp_path: Path) -> None:
    work, ada = Counter(), Person("approve")
    tool = lookup(work, needs_approval=True)
    stacked = rate_limited(
        snapshotted(tool, tmp_path, SnapshotMode.RECORD), {"label database": RateLimit(5, 1)}
    )
    stacked = approved(cached(stacked, ReplyCache()), ada)
    assert await stacked(A) == await stacked(A)
    assert (len(work.asked), len(ada.asked)) == (1, 2)
    assert stacked.spec == tool.spec
    assert call_key(stacked, A) == call_key(tool, A)
