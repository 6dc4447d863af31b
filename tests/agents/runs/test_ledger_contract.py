"""What every ledger does: in memory, in SQLite, in PostgreSQL."""

import asyncio
import json
from dataclasses import replace

import pytest

from agents.errors import UnknownRun
from agents.runs.artefacts import Artefact
from agents.runs.polls import VOTED, Poll, Vote, ballots
from agents.runs.records import (
    Budget,
    Decision,
    Neglected,
    OpenRequest,
    Past,
    Request,
    RunRecord,
    RunState,
    Spent,
    StepRecord,
)
from agents.usage import Usage
from tests.adapters.storage.places import Place
from tests.support.memory.ledger import unheld

RUN = RunRecord(
    "r1",
    "archive",
    '{"text":"How much? µg \\u0000"}',
    "event 1",
    "web:c:t",
    "ana",
    budget=Budget(60.0, 1000, 0.5),
    created="2026-03-01T11:00:00.000000+00:00",
)
STEP = StepRecord(
    "r1",
    "classify",
    "hash",
    '["µg"]',
    "2026-03-01T12:00:00.000000+00:00",
    0.25,
    "outer",
    Usage(3, 4, 0.01, 2, 1, ("small",)),
    ("prompt abc", "skill def"),
    parent_inputs="outer hash",
)


async def test_run_comes_back_as_it_was_created(place: Place) -> None:
    assert await place.ledger.create(RUN)
    assert await place.ledger.run("r1") == RUN
    assert await place.ledger.run_of_request("event 1") == RUN
    assert await place.ledger.run("other") is None
    assert await place.ledger.run_of_request("other") is None


@pytest.mark.parametrize("again", [replace(RUN, run_id="r2"), replace(RUN, request_key="event 2")])
async def test_same_id_or_request_creates_nothing(place: Place, again: RunRecord) -> None:
    await place.ledger.create(RUN)
    assert not await place.ledger.create(replace(again, inputs="{}"))
    assert await place.ledger.runs() == [RUN]


async def test_request_that_comes_ten_times_at_once_gives_one_run(place: Place) -> None:
    created = await asyncio.gather(*[place.ledger.create(replace(RUN, run_id=f"r{n}")) for n in range(10)])
    assert created.count(True) == 1


async def test_runs_are_listed_newest_first_by_thread_and_state(place: Place) -> None:
    for number, thread in enumerate("abab"):
        await place.ledger.create(
            replace(RUN, run_id=f"r{number}", request_key=thread * number, thread_id=thread)
        )
    await place.ledger.set_state("r1", RunState.FAILED)
    assert [run.run_id for run in await place.ledger.runs()] == ["r3", "r2", "r1", "r0"]
    assert [run.run_id for run in await place.ledger.runs(limit=2)] == ["r3", "r2"]
    assert [run.run_id for run in await place.ledger.runs(thread_id="b")] == ["r3", "r1"]
    assert [run.run_id for run in await place.ledger.runs(state=RunState.FAILED)] == ["r1"]


async def test_states_carry_their_times_result_and_error(place: Place) -> None:
    await place.ledger.create(replace(RUN, created=""))
    place.clock.move(1)
    await place.ledger.set_state("r1", RunState.RUNNING)
    place.clock.move(1)
    await place.ledger.set_state("r1", RunState.STOPPED, result='"half"', error="time")
    stopped = await place.ledger.run("r1")
    assert stopped is not None
    assert (stopped.state, stopped.result, stopped.error) == (RunState.STOPPED, '"half"', "time")
    assert [stopped.created[17:19], stopped.started[17:19], stopped.ended[17:19]] == ["00", "01", "02"]
    place.clock.move(1)
    await place.ledger.set_state("r1", RunState.QUEUED)
    await place.ledger.set_state("r1", RunState.RUNNING)
    resumed = await place.ledger.run("r1")
    assert resumed is not None
    assert (resumed.result, resumed.error, resumed.ended, resumed.started) == ("", "", "", stopped.started)


async def test_run_that_is_done_stays_done(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.set_state("r1", RunState.DONE, result="42")
    await place.ledger.set_state("r1", RunState.FAILED, error="a worker that was late")
    done = await place.ledger.run("r1")
    assert done is not None
    assert (done.state, done.result, done.error) == (RunState.DONE, "42", "")


async def test_finished_step_comes_back_and_is_never_overwritten(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.save_step(STEP)
    await place.ledger.save_step(replace(STEP, output='["other"]'))
    assert await place.ledger.step("r1", "classify", "hash") == STEP
    assert await place.ledger.steps("r1") == [STEP]
    assert await place.ledger.step("r1", "classify", "other hash") is None
    assert await place.ledger.step("r2", "classify", "hash") is None


async def test_failed_attempts_are_kept_and_do_not_count_as_finished(place: Place) -> None:
    await place.ledger.create(RUN)
    failed = replace(STEP, output="", error="KeyError: 1")
    await place.ledger.save_step(failed)
    assert await place.ledger.step("r1", "classify", "hash") is None
    await place.ledger.save_step(failed)
    await place.ledger.save_step(STEP)
    assert await place.ledger.steps("r1") == [failed, failed, STEP]


async def test_events_are_numbered_from_one_without_gaps_also_at_once(place: Place) -> None:
    await place.ledger.create(RUN)
    numbers = await asyncio.gather(*[place.ledger.append("r1", "step.started", f'"{n}"') for n in range(20)])
    assert sorted(numbers) == list(range(1, 21))
    events = await place.ledger.events("r1")
    assert [event.number for event in events] == list(range(1, 21))
    assert [(event.kind, event.at[:19]) for event in events[:1]] == [("step.started", "2026-03-01T12:00:00")]
    assert await place.ledger.events("r1", after=18) == events[18:]


async def test_stop_is_requested_of_unfinished_runs_and_forgotten_when_queued_again(place: Place) -> None:
    await place.ledger.create(RUN)
    assert await place.ledger.stop_requested("r1") == ""
    await place.ledger.request_stop("r1", "stopped by ana")
    assert await place.ledger.stop_requested("r1") == "stopped by ana"
    await place.ledger.set_state("r1", RunState.STOPPED)
    await place.ledger.set_state("r1", RunState.QUEUED)
    assert await place.ledger.stop_requested("r1") == ""
    await place.ledger.set_state("r1", RunState.FAILED)
    await place.ledger.request_stop("r1", "too late")
    assert await place.ledger.stop_requested("r1") == ""


async def test_lease_belongs_to_one_owner_until_it_expires(place: Place) -> None:
    await place.ledger.create(RUN)
    lease = await place.ledger.acquire("r1", "one", 10)
    assert lease is not None
    assert lease.expires == "2026-03-01T12:00:10.000000+00:00"
    assert await place.ledger.acquire("r1", "two", 10) is None
    place.clock.move(9)
    assert await place.ledger.acquire("r1", "one", 10), "an owner renews"
    place.clock.move(9)
    assert await place.ledger.acquire("r1", "two", 10) is None
    place.clock.move(1)
    assert await place.ledger.acquire("r1", "two", 10), "the lease ran out"
    assert await place.ledger.acquire("r1", "one", 10) is None


async def test_only_the_owner_gives_a_lease_back(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.acquire("r1", "one", 10)
    await place.ledger.release("r1", "two")
    assert await place.ledger.acquire("r1", "two", 10) is None
    await place.ledger.release("r1", "one")
    assert await place.ledger.acquire("r1", "two", 10)


async def test_of_many_who_ask_at_once_one_gets_the_lease(place: Place) -> None:
    await place.ledger.create(RUN)
    leases = await asyncio.gather(*[place.ledger.acquire("r1", f"owner {n}", 10) for n in range(10)])
    assert sum(lease is not None for lease in leases) == 1


async def test_unattended_are_unfinished_runs_without_a_live_lease_oldest_first(place: Place) -> None:
    for name in ("queued", "running", "leased", "expired", "waiting", "done", "stopped", "failed"):
        await place.ledger.create(replace(RUN, run_id=name, request_key=name))
        if name in {state.value for state in RunState}:
            await place.ledger.set_state(name, RunState(name))
    await place.ledger.acquire("expired", "one", 5)
    await place.ledger.acquire("leased", "one", 10)
    place.clock.move(5)
    assert await unheld(place.ledger) == ["queued", "running", "expired"]


ASKED = Request("Run the code?", ("yes", "no"), "ana", 60, "no")


async def running(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.set_state("r1", RunState.RUNNING)


async def state(place: Place) -> RunState:
    run = await place.ledger.run("r1")
    assert run is not None
    return run.state


async def test_first_decision_stands_and_is_told_with_who_gave_it(place: Place) -> None:
    await running(place)
    assert await place.ledger.ask("r1", "approve", ASKED) is None
    assert await place.ledger.ask("r1", "approve", ASKED) is None, "asking again changes nothing"
    now, due = "2026-03-01T12:00:00.000000+00:00", "2026-03-01T12:01:00.000000+00:00"
    assert await place.ledger.open_requests("r1") == [OpenRequest("r1", "approve", ASKED, now, due)]
    given = await asyncio.gather(*[place.ledger.decide("r1", "approve", "yes", by) for by in "abc"])
    assert sum(given) == 1
    by = "abc"[given.index(True)]
    assert await place.ledger.ask("r1", "approve", ASKED) == Decision("yes", by, now, shown=ASKED.shown)
    assert await place.ledger.open_requests("r1") == []
    assert [(event.kind, json.loads(event.detail)) for event in await place.ledger.events("r1")] == [
        ("request.asked", {"name": "approve", "question": "Run the code?", "who": "ana", "due": due}),
        (
            "request.decided",
            {"name": "approve", "choice": "yes", "by": by, "timed_out": False, "shown": ASKED.shown},
        ),
    ]
    assert not await place.ledger.decide("r1", "nothing asked", "yes")


async def test_run_waits_without_a_worker_until_a_decision_queues_it(place: Place) -> None:
    await running(place)
    await place.ledger.acquire("r1", "one", 10)
    await place.ledger.ask("r1", "a", ASKED)
    await place.ledger.ask("r1", "b", ASKED)
    assert await place.ledger.suspend("r1", "one", ["a", "b"])
    waiting = await place.ledger.run("r1")
    assert waiting is not None
    assert (waiting.state, waiting.ended) == (RunState.WAITING, "")
    assert await unheld(place.ledger) == []
    assert await place.ledger.acquire("r1", "two", 10), "the lease was given back"
    await place.ledger.release("r1", "two")
    assert await place.ledger.decide("r1", "b", "yes", "ana")
    assert await state(place) is RunState.QUEUED
    assert await unheld(place.ledger) == ["r1"]
    assert not await place.ledger.suspend("r1", "one", ["a", "b"]), "it has something to go on with"
    assert await place.ledger.suspend("r1", "one", ["a"])


async def test_no_decision_is_missed_by_a_run_that_is_about_to_wait(place: Place) -> None:
    await running(place)
    for number in range(20):
        name = f"approve {number}"
        await place.ledger.ask("r1", name, ASKED)
        decided, waits = await asyncio.gather(
            place.ledger.decide("r1", name, "yes"), place.ledger.suspend("r1", "one", [name])
        )
        assert decided
        assert await state(place) is (RunState.QUEUED if waits else RunState.RUNNING)
        await place.ledger.set_state("r1", RunState.RUNNING)


async def test_waiting_run_that_is_stopped_is_queued_for_a_worker_to_end_it(place: Place) -> None:
    await running(place)
    await place.ledger.ask("r1", "approve", ASKED)
    await place.ledger.suspend("r1", "one", ["approve"])
    await place.ledger.request_stop("r1", "enough")
    assert await state(place) is RunState.QUEUED
    assert await place.ledger.stop_requested("r1") == "enough"
    assert not await place.ledger.suspend("r1", "one", ["approve"])


async def test_overdue_are_open_requests_of_unfinished_runs_after_their_time(place: Place) -> None:
    for name, seconds in (("soon", 5.0), ("later", 60.0), ("never", None), ("over", 5.0), ("stopping", 5.0)):
        await place.ledger.create(replace(RUN, run_id=name, request_key=name))
        await place.ledger.ask(name, "approve", replace(ASKED, seconds=seconds))
    await place.ledger.set_state("over", RunState.STOPPED)
    await place.ledger.request_stop("stopping", "enough")
    assert await place.ledger.overdue() == []
    place.clock.move(5)
    assert [asked.run_id for asked in await place.ledger.overdue()] == ["soon"]
    assert await place.ledger.decide("soon", "approve", "no", timed_out=True)
    assert await place.ledger.overdue() == []
    assert not await place.ledger.decide("over", "approve", "yes", "ana"), "the run is over"
    await place.ledger.set_state("over", RunState.QUEUED)
    assert await place.ledger.overdue() == [], "a run that is resumed asks with its time anew"
    place.clock.move(5)
    assert [asked.run_id for asked in await place.ledger.overdue()] == ["over"]


PATIENCE = 20.0


async def neglected(place: Place) -> list[tuple[str, bool]]:
    return [(run.run_id, run.handed_on) for run in await place.ledger.neglected(PATIENCE)]


async def test_queued_run_is_neglected_once_nobody_handed_it_on_for_long(place: Place) -> None:
    await place.ledger.create(replace(RUN, created="", queue="chat"))
    assert await neglected(place) == []
    place.clock.move(PATIENCE)
    assert await place.ledger.neglected(PATIENCE) == [Neglected("r1", "chat", False)]
    assert await place.ledger.hand_on("r1")
    assert await neglected(place) == []
    place.clock.move(PATIENCE)
    assert await neglected(place) == [("r1", True)], "its message may be lost"
    noted = await asyncio.gather(*[place.ledger.hand_on("r1", PATIENCE) for _ in range(5)])
    assert sum(noted) == 1, "of several sweepers one hands it on"
    assert await neglected(place) == []


async def test_run_whose_worker_is_gone_is_neglected_at_once_until_it_is_handed_on(place: Place) -> None:
    await place.ledger.create(replace(RUN, created=""))
    await place.ledger.hand_on("r1")
    await place.ledger.acquire("r1", "one", 10)
    await place.ledger.set_state("r1", RunState.RUNNING)
    assert not await place.ledger.hand_on("r1"), "it was taken before its message was noted"
    assert await neglected(place) == []
    place.clock.move(10)
    assert await neglected(place) == [("r1", False)]
    assert await place.ledger.hand_on("r1", PATIENCE)
    assert await neglected(place) == []


async def test_run_that_need_not_wait_any_longer_is_neglected_until_it_is_handed_on(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.hand_on("r1")
    await place.ledger.set_state("r1", RunState.RUNNING)
    await place.ledger.ask("r1", "approve", ASKED)
    await place.ledger.suspend("r1", "one", ["approve"])
    assert await neglected(place) == []
    await place.ledger.decide("r1", "approve", "yes", "ana")
    assert await neglected(place) == [("r1", False)]


async def test_runs_of_a_thread_that_are_over_are_listed_until_they_are_handed_over(place: Place) -> None:
    for name in ("queued", "waiting", "done", "stopped", "failed"):
        await place.ledger.create(replace(RUN, run_id=name, request_key=name))
        await place.ledger.set_state(name, RunState(name))
    await place.ledger.create(replace(RUN, run_id="replay", request_key="replay", thread_id=""))
    await place.ledger.set_state("replay", RunState.DONE)
    assert await place.ledger.not_handed_over() == ["done", "stopped", "failed"]
    stopped = await place.ledger.run("stopped")
    assert stopped is not None
    given = await asyncio.gather(*[place.ledger.handed_over(stopped) for _ in range(3)])
    assert sum(given) == 1
    assert [event.kind for event in await place.ledger.events("stopped")] == ["answer.handed_over"]
    assert await place.ledger.not_handed_over() == ["done", "failed"]
    place.clock.move(1)
    await place.ledger.set_state("stopped", RunState.QUEUED)
    assert not await place.ledger.handed_over(stopped), "it goes on meanwhile"
    await place.ledger.set_state("stopped", RunState.DONE)
    assert not await place.ledger.handed_over(stopped), "it ended anew meanwhile"
    assert await place.ledger.not_handed_over() == ["done", "stopped", "failed"]


POLL = Poll("Which one?", ("A", "B", "C"), quorum=3, seconds=60)
ON_POLL = Request(POLL.question, POLL.options, seconds=60, otherwise="deadline", poll=POLL)


async def standing(place: Place, poll: Poll = POLL) -> dict[str, tuple[str, ...]]:
    events = [(one.detail, one.at) for one in await place.ledger.events("r1") if one.kind == VOTED]
    return {ballot.by: ballot.choices for ballot in ballots(poll, "poll", events)}


async def test_ballots_at_once_are_all_counted_and_the_last_closes_the_poll_once(place: Place) -> None:
    await running(place)
    await place.ledger.ask("r1", "poll", ON_POLL)
    await place.ledger.suspend("r1", "one", ["poll"])
    assert await place.ledger.vote("r1", "poll", Vote("d", ("C",)))
    assert await place.ledger.vote("r1", "poll", Vote("d", (), POLL.options)), "taken back"
    assert await state(place) is RunState.WAITING
    votes = [place.ledger.vote("r1", "poll", Vote(by, (choice,))) for by, choice in ("aA", "bB", "cB", "eB")]
    assert sum(await asyncio.gather(*votes)) == 3, "after the third it is closed"
    assert len(await standing(place)) == 3
    assert await state(place) is RunState.QUEUED
    decision = await place.ledger.ask("r1", "poll", ON_POLL)
    assert decision is not None
    assert (decision.choice, decision.by) == ("quorum", "")
    assert not await place.ledger.vote("r1", "poll", Vote("a", ("B",))), "a ballot after closing"


async def test_ballot_is_changed_and_one_after_the_time_is_not_taken(place: Place) -> None:
    await running(place)
    several = replace(POLL, several=True)
    await place.ledger.ask("r1", "poll", replace(ON_POLL, poll=several))
    for chosen, dropped in ((("A",), ()), (("C", "B"), ()), ((), ("A",))):
        assert await place.ledger.vote("r1", "poll", Vote("a", chosen, dropped))
    assert await standing(place, several) == {"a": ("B", "C")}
    place.clock.move(60)
    assert not await place.ledger.vote("r1", "poll", Vote("b", ("A",)))
    assert not await place.ledger.vote("r1", "no poll", Vote("b", ("A",)))
    await place.ledger.ask("r1", "approve", replace(ASKED, seconds=None))
    assert not await place.ledger.vote("r1", "approve", Vote("b", ("yes",))), "it is no poll"


async def test_decision_tells_what_was_shown_with_its_files(place: Place) -> None:
    await running(place)
    program = Artefact("ab" * 32, "text/x-r", "run.R", 12)
    shown = replace(ASKED, attachments=(program,), touches=("writes out.csv",))
    await place.ledger.ask("r1", "approve", shown)
    (asked,) = await place.ledger.open_requests("r1")
    assert asked.request == shown
    await place.ledger.decide("r1", "approve", "yes", "ana")
    decision = await place.ledger.ask("r1", "approve", shown)
    assert decision is not None
    assert decision.shown == shown.shown != ASKED.shown


async def test_unknown_run_is_said_to_be_unknown(place: Place) -> None:
    ledger = place.ledger
    for asked in (
        ledger.set_state("r1", RunState.DONE),
        ledger.save_step(STEP),
        ledger.steps("r1"),
        ledger.append("r1", "kind", "{}"),
        ledger.events("r1"),
        ledger.request_stop("r1", "why"),
        ledger.stop_requested("r1"),
        ledger.acquire("r1", "one", 1),
        ledger.ask("r1", "approve", Request("Go on?")),
        ledger.suspend("r1", "one", ["approve"]),
        ledger.decide("r1", "approve", "yes"),
        ledger.vote("r1", "approve", Vote("ana")),
        ledger.open_requests("r1"),
    ):
        with pytest.raises(UnknownRun, match="no run r1"):
            await asked


async def test_run_that_is_moved_belongs_to_its_new_thread_alone(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.move("r1", "web:c:other")
    assert [run.run_id for run in await place.ledger.runs(thread_id="web:c:other")] == ["r1"]
    assert await place.ledger.runs(thread_id="web:c:t") == []
    with pytest.raises(UnknownRun):
        await place.ledger.move("r9", "web:c:t")


async def test_line_has_unfinished_runs_oldest_first_with_whether_somebody_has_them(place: Place) -> None:
    for number, queue in enumerate(("pipeline", "pipeline", "programs", "pipeline")):
        name = f"r{number}"
        await place.ledger.create(replace(RUN, run_id=name, request_key=name, queue=queue))
    await place.ledger.acquire("r1", "one", 15)
    await place.ledger.set_state("r3", RunState.FAILED, error="why")
    line = await place.ledger.line("pipeline")
    assert [(one.run_id, one.held, one.thread_id) for one in line] == [
        ("r0", False, "web:c:t"),
        ("r1", True, "web:c:t"),
    ]
    assert [one.run_id for one in await place.ledger.line()] == ["r0", "r1", "r2"]
    place.clock.move(16)
    assert not any(one.held for one in await place.ledger.line())


async def test_past_has_time_and_spending_of_the_latest_runs_of_a_kind_that_are_done(place: Place) -> None:
    for number, seconds in enumerate((1, 2, 3)):
        name = f"r{number}"
        await place.ledger.create(replace(RUN, run_id=name, request_key=name))
        await place.ledger.set_state(name, RunState.RUNNING)
        place.clock.move(seconds)
        await place.ledger.set_state(name, RunState.DONE if number else RunState.FAILED, result="1")
    for step in ("one", "two", "by rules"):
        spent = Usage() if step == "by rules" else Usage(40, 2, 0.25, 1, models=("m",))
        await place.ledger.save_step(StepRecord("r2", step, "h", "1", "2026", 1.0, usage=spent))
    last, one_before = Past(3.0, Usage(80, 4, 0.5, 2, models=("m",))), Past(2.0)
    assert await place.ledger.past("archive") == [last, one_before]
    assert await place.ledger.past("archive", 1) == [last]
    assert await place.ledger.past("other") == []


async def test_spent_has_what_asked_a_model_in_runs_since_then(place: Place) -> None:
    await place.ledger.create(RUN)
    await place.ledger.create(
        replace(RUN, run_id="r0", request_key="r0", created="2026-02-28T11:00:00+00:00")
    )
    for run_id in ("r1", "r0"):
        await place.ledger.save_step(replace(STEP, run_id=run_id))
        await place.ledger.save_step(replace(STEP, run_id=run_id, name="no model", usage=Usage()))
    assert await place.ledger.spent("2026-03-01") == [Spent("ana", "web:c:t", 7, 0.01)]
