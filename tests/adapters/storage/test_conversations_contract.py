"""What is kept of conversations: in memory, in SQLite, in PostgreSQL."""

import asyncio
from dataclasses import replace

from agents.runs.clock import stamp
from agents.runs.pipeline import new_run
from agents.runs.records import RunState
from bot.values import Card, CardKind, Feedback, Reacted, Shown, ThreadRef, progress_slot
from tests.adapters.storage.places import Place

THREAD = ThreadRef("slack", "C1", "1700000000.000100")
CARD = Card(CardKind.PROGRESS, title="Reading")


async def test_start_writes_the_run_and_its_progress_card_once(place: Place) -> None:
    run = new_run("archive", {"text": "How much?"}, "event 1", thread_id=THREAD.thread_id)
    assert await place.conversations.start(run, THREAD, CARD)
    again = new_run("archive", {"text": "How much?"}, "event 1", thread_id=THREAD.thread_id)
    assert not await place.conversations.start(again, THREAD, CARD)
    assert [record.run_id for record in await place.ledger.runs()] == [run.run_id]
    item = await place.outbox.claim("pump", ["slack"], 30)
    assert item is not None
    assert (item.thread, item.slot, item.card) == (THREAD, progress_slot(run.run_id), CARD)
    await place.outbox.delivered(item, "m1")
    assert await place.outbox.claim("pump", ["slack"], 30) is None


async def test_event_that_comes_many_times_at_once_starts_one_run(place: Place) -> None:
    runs = [new_run("archive", None, "event 1") for _ in range(8)]
    started = await asyncio.gather(*[place.conversations.start(run, THREAD, CARD) for run in runs])
    assert started.count(True) == 1
    assert len(await place.ledger.runs()) == 1


async def test_runs_of_a_channel_are_those_of_its_threads_newest_first(place: Place) -> None:
    threads = [THREAD, ThreadRef("slack", "C1", "2").seen_only_by("U1"), ThreadRef("slack", "C2", "3")]
    ids, begun = [], []
    for number, thread in enumerate((*threads, THREAD)):
        run = new_run("archive", None, f"event {number}", thread_id=thread.thread_id)
        begun.append(stamp(place.clock()))
        await place.conversations.start(run, thread, CARD)
        ids.append(run.run_id)
        place.clock.move(60)
    first, private, _, last = ids

    async def found(since: str = "", limit: int = 9, state: RunState | None = None) -> list[str]:
        runs = await place.conversations.runs(THREAD, since=since, limit=limit, state=state)
        return [run.run_id for run in runs]

    assert await found() == [last, private, first]
    assert await found(since=begun[0]) == [last, private]
    assert await found(limit=1) == [last]
    await place.ledger.set_state(first, RunState.STOPPED)
    assert await found(state=RunState.STOPPED) == [first]


async def test_event_is_remembered(place: Place) -> None:
    assert not await place.conversations.was_seen("event 1")
    assert not await place.conversations.seen("event 1")
    assert await place.conversations.seen("event 1")
    assert await place.conversations.was_seen("event 1")
    assert not await place.conversations.seen("event 2")


async def test_event_seen_many_times_at_once_is_new_once(place: Place) -> None:
    seen = await asyncio.gather(*[place.conversations.seen("event 1") for _ in range(8)])
    assert seen.count(False) == 1


async def test_a_thread_keeps_what_each_kind_set_last(place: Place) -> None:
    assert await place.conversations.remembered(THREAD) == {}
    await place.conversations.remember(THREAD, "archive", '["A-1"]')
    await place.conversations.remember(THREAD, "archive", '["B-2"]')
    await place.conversations.remember(THREAD, "safety", "7")
    assert await place.conversations.remembered(THREAD) == {"archive": '["B-2"]', "safety": "7"}
    assert await place.conversations.remembered(ThreadRef("slack", "C1", "other")) == {}


async def test_what_all_threads_keep_under_a_name_is_read_at_once(place: Place) -> None:
    other = ThreadRef("web", "archive", "0123456789ab")
    await place.conversations.remember(THREAD, "title", "Dose")
    await place.conversations.remember(other, "title", "Organs")
    await place.conversations.remember(other, "safety", "7")
    assert await place.conversations.remembered_as("title") == {
        THREAD.thread_id: "Dose",
        other.thread_id: "Organs",
    }
    await place.conversations.remember(THREAD, "title", "")
    assert await place.conversations.remembered_as("title") == {other.thread_id: "Organs"}


async def test_feedback_is_one_judgement_per_user_and_run_newest_first(place: Place) -> None:
    await place.conversations.add_feedback(Feedback("r1", "ana", "up"))
    place.clock.move(1)
    await place.conversations.add_feedback(Feedback("r1", "ben", "up", "good"))
    place.clock.move(1)
    await place.conversations.add_feedback(
        Feedback("r2", "ana", "down", at="2026-03-01T12:00:01.500000+00:00")
    )
    place.clock.move(1)
    await place.conversations.add_feedback(Feedback("r1", "ana", "down", "wrong study"))
    given = await place.conversations.feedback()
    assert [(one.run_id, one.user, one.verdict, one.comment) for one in given] == [
        ("r1", "ana", "down", "wrong study"),
        ("r2", "ana", "down", ""),
        ("r1", "ben", "up", "good"),
    ]
    assert [one.user for one in await place.conversations.feedback("r1")] == ["ana", "ben"]


async def test_a_reaction_is_kept_with_who_and_when_and_replaced_by_a_later_one(place: Place) -> None:
    shown = Shown(THREAD, "answer:r1")
    first = Reacted(shown, "ada", "accept", "white_check_mark", "2026-03-01T12:00", "slack:e1")
    other = Reacted(shown, "bob", "reject", "x", "2026-03-01T12:01", "slack:e2", before="up: good")
    for one in (first, other, replace(first, removed="slack:e3")):
        await place.conversations.note_reaction(one)
    assert await place.conversations.reactions(shown) == [replace(first, removed="slack:e3"), other]
    assert await place.conversations.reactions(Shown(THREAD, "answer:r2")) == []


async def test_feedback_can_be_withdrawn(place: Place) -> None:
    await place.conversations.add_feedback(Feedback("r1", "ada", "up"))
    await place.conversations.add_feedback(Feedback("r1", "bob", "down"))
    await place.conversations.withdraw_feedback("r1", "ada")
    assert [one.user for one in await place.conversations.feedback("r1")] == ["bob"]
