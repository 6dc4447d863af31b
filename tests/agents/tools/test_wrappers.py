"""Rate limits, and what each wrapper adds to a tool: an approval, and that what it fetched is kept."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import ToolFailed
from agents.evidence.sources import document_source
from agents.tools.approved import Approval, Files, approved
from agents.tools.kept import kept
from agents.tools.limited import RateLimit
from agents.tools.reply import ToolRecord, ToolReply
from retrieval.values import DocumentRecord, Passage
from tests.agents.tools.builders import Counter, Lookup, lookup, reply_on
from tests.support.memory.sources import MemorySources

A = Lookup(drug="aspirin")


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
    held = limit(time, 2, 10)

    async def call(name: str) -> None:
        await held.wait()
        started.append((name, time.now))

    await asyncio.gather(*map(call, "abcde"))
    assert started == [("a", 0), ("b", 0), ("c", 10), ("d", 10), ("e", 20)]


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
