"""Runs carried to their end, over every ledger."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest

from agents.errors import UnknownRun
from agents.runs.execute import MOST_DEATHS, execute, resume
from agents.runs.meter import spend
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import Budget, RunRecord, RunState
from agents.runs.replay import Change, replay
from agents.runs.run import Run
from agents.usage import Usage
from retrieval.errors import ArchiveNotFound
from tests.adapters.storage.places import Place
from tests.support.memory.ledger import unheld


@dataclass(frozen=True, slots=True)
class Report:
    text: str
    partial: str = ""


def with_reason(report: Report, reason: str) -> Report:
    return replace(report, partial=reason)


def pipeline(work: Callable[[Run, str], Awaitable[Report]]) -> dict[str, Pipeline]:
    return {"write": Pipeline(work, str, Report, with_reason)}


async def upper(text: str) -> str:
    spend(Usage(prompt_tokens=10))
    return text.upper()


async def write(run: Run, text: str) -> Report:
    first = await run.step("first", upper, text)
    run.keep(lambda: Report(first))
    second = await run.step("second", upper, text + "!")
    return Report(first + second)


async def ordered(place: Place, **changes: object) -> RunRecord:
    record = replace(new_run("write", "dose"), **changes)  # type: ignore[arg-type]
    await place.ledger.create(record)
    return record


async def ended(place: Place, run_id: str) -> RunRecord:
    record = await place.ledger.run(run_id)
    assert record is not None
    return record


async def kinds(place: Place, run_id: str) -> list[str]:
    return [event.kind for event in await place.ledger.events(run_id)]


async def test_run_is_carried_to_its_answer(place: Place) -> None:
    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    done = await ended(place, run.run_id)
    assert (done.state, json.loads(done.result)) == (RunState.DONE, {"text": "DOSEDOSE!", "partial": ""})
    steps = ["step.started", "step.finished"] * 2
    assert await kinds(place, run.run_id) == ["run.started", *steps, "run.finished"]
    assert await place.ledger.acquire(run.run_id, "other", 1), "the lease was given back"


async def test_run_that_is_over_is_not_carried_again(place: Place) -> None:
    run = await ordered(place)
    for _ in range(2):
        await execute(run.run_id, place.ledger, pipeline(write), "one")
    assert (await kinds(place, run.run_id)).count("run.started") == 1


async def test_unknown_run_is_refused(place: Place) -> None:
    with pytest.raises(UnknownRun):
        await execute("nowhere", place.ledger, {}, "one")


async def test_job_delivered_twice_at_once_is_carried_once(place: Place) -> None:
    run = await ordered(place)
    await asyncio.gather(*[execute(run.run_id, place.ledger, pipeline(write), "one") for _ in range(4)])
    assert (await kinds(place, run.run_id)).count("step.started") == 2
    assert (await ended(place, run.run_id)).state is RunState.DONE


async def test_stopped_run_yields_what_it_has_and_goes_on_when_resumed(place: Place) -> None:
    run = await ordered(place)

    async def stop_then_upper(text: str) -> str:
        await place.ledger.request_stop(run.run_id, "stopped by ana")
        return text.upper()

    async def stopping(run: Run, text: str) -> Report:
        run.keep(lambda: Report("nothing yet"))
        await run.step("first", stop_then_upper, text)
        raise AssertionError("the stop was not seen")

    await execute(run.run_id, place.ledger, pipeline(stopping), "one")
    stopped = await ended(place, run.run_id)
    assert (stopped.state, stopped.error) == (RunState.STOPPED, "stopped by ana")
    assert json.loads(stopped.result) == {"text": "nothing yet", "partial": "stopped by ana"}

    assert await resume(run.run_id, place.ledger, by="ana")
    assert not await resume(run.run_id, place.ledger, by="ana"), "it is queued already"
    await execute(run.run_id, place.ledger, pipeline(write), "two")
    done = await ended(place, run.run_id)
    assert (done.state, json.loads(done.result)["text"]) == (RunState.DONE, "DOSEDOSE!")
    trail = await kinds(place, run.run_id)
    assert trail[3:] == [
        "run.stopped",
        "resume.requested",
        "run.resumed",
        "step.replayed",
        "step.started",
        "step.finished",
        "run.finished",
    ]


async def test_run_stopped_before_it_began_does_nothing(place: Place) -> None:
    run = await ordered(place)
    await place.ledger.request_stop(run.run_id, "stopped by ana")
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    stopped = await ended(place, run.run_id)
    assert (stopped.state, stopped.result) == (RunState.STOPPED, "")
    assert await place.ledger.steps(run.run_id) == []


async def test_partial_result_is_made_of_all_finished_steps_also_of_replayed_ones(place: Place) -> None:
    run = await ordered(place)
    made: list[Report] = []

    async def stop_at_b(text: str) -> str:
        if text == "b":
            await place.ledger.request_stop(run.run_id, "enough")
        if text == "c":
            await asyncio.Event().wait()
        return text.upper()

    async def collecting(run: Run, text: str) -> Report:
        finished: dict[str, None] = {}

        async def partial_result() -> Report:
            made.append(Report("".join(sorted(finished))))
            return made[-1]

        run.keep(partial_result)
        await run.step("one", stop_at_b, "a", then=finished.setdefault)
        await run.gather(*[run.call("two", stop_at_b, letter, then=finished.setdefault) for letter in "cb"])
        raise AssertionError("the stop was not seen")

    for _ in range(3):
        await execute(run.run_id, place.ledger, pipeline(collecting), "one")
        stopped = await ended(place, run.run_id)
        assert json.loads(stopped.result) == {"text": "AB", "partial": "enough"}
        assert await resume(run.run_id, place.ledger)
        await place.ledger.request_stop(run.run_id, "enough")
    assert len(made) == 3, "it is made at an end only"


async def test_run_whose_partial_result_cannot_be_made_says_why_it_ended(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    run = await ordered(place)

    async def broken(run: Run, text: str) -> Report:
        run.keep(lambda: Report({}["key"]))
        await place.ledger.request_stop(run.id, "enough")
        return Report(await run.step("first", upper, text))

    await execute(run.run_id, place.ledger, pipeline(broken), "one")
    stopped = await ended(place, run.run_id)
    assert (stopped.state, stopped.error, stopped.result) == (RunState.STOPPED, "enough", "")
    assert "without its partial result" in caplog.text


async def test_budget_gives_the_partial_result(place: Place) -> None:
    run = await ordered(place, budget=Budget(tokens=15))
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    stopped = await ended(place, run.run_id)
    assert stopped.state is RunState.STOPPED
    assert "budget of 15 tokens is used up (20 were spent)" in stopped.error
    assert json.loads(stopped.result)["text"] == "DOSE"


async def test_time_counts_across_a_crash_and_anew_when_resumed(place: Place) -> None:
    run = await ordered(place, budget=Budget(seconds=10))

    async def slow(text: str) -> str:
        place.clock.move(4)
        return text

    async def three(run: Run, text: str, crash: bool) -> Report:
        for number in range(2 if crash else 3):
            await run.step(f"slow {number}", slow, text)
        if crash:
            raise asyncio.CancelledError
        return Report(text)

    def seconds() -> float:
        return place.clock.now.timestamp()

    with pytest.raises(asyncio.CancelledError):
        await execute(
            run.run_id, place.ledger, pipeline(lambda run, text: three(run, text, True)), "one", clock=seconds
        )
    place.clock.move(1000)
    going_on = pipeline(lambda run, text: three(run, text, False))
    await execute(run.run_id, place.ledger, going_on, "two", clock=seconds)
    stopped = await ended(place, run.run_id)
    assert (stopped.state, stopped.error[:32]) == (RunState.STOPPED, "The time limit of 10 s was reach")

    await place.ledger.set_state(run.run_id, RunState.QUEUED)
    await execute(run.run_id, place.ledger, going_on, "two", clock=seconds)
    assert (await ended(place, run.run_id)).state is RunState.DONE


async def test_failure_is_told_with_a_trace_id_and_the_partial_result(place: Place) -> None:
    run = await ordered(place)

    async def broken(run: Run, text: str) -> Report:
        run.keep(lambda: Report("so far"))
        raise ZeroDivisionError("innards")

    await execute(run.run_id, place.ledger, pipeline(broken), "one")
    failed = await ended(place, run.run_id)
    assert failed.state is RunState.FAILED
    assert f"report the trace id {run.run_id}" in failed.error
    assert "innards" not in failed.error
    assert json.loads(failed.result)["text"] == "so far"
    assert (await kinds(place, run.run_id))[-1] == "run.failed"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"pipeline": "unknown"}, "no pipeline named 'unknown'"),
        ({"inputs": "[1]"}, "input of the run does not fit"),
    ],
)
async def test_run_of_another_version_fails_clearly(place: Place, change: dict[str, str], told: str) -> None:
    run = await ordered(place, **change)
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    failed = await ended(place, run.run_id)
    assert failed.state is RunState.FAILED
    assert told in failed.error


async def test_stop_inside_a_task_group_of_the_pipeline_is_a_stop(place: Place) -> None:
    run = await ordered(place)
    await place.ledger.request_stop(run.run_id, "enough")

    async def grouped(run: Run, text: str) -> Report:
        async with asyncio.TaskGroup() as group:
            group.create_task(run.step("first", upper, text))
        return Report(text)

    await execute(run.run_id, place.ledger, pipeline(grouped), "one")
    assert (await ended(place, run.run_id)).state is RunState.STOPPED


async def test_leased_run_waits_for_its_worker_and_is_taken_over_when_that_dies(place: Place) -> None:
    run = await ordered(place)
    await place.ledger.set_state(run.run_id, RunState.RUNNING)
    await place.ledger.acquire(run.run_id, "a worker that died", 15)
    await execute(run.run_id, place.ledger, pipeline(write), "two")
    assert await kinds(place, run.run_id) == []
    place.clock.move(16)
    assert await unheld(place.ledger) == [run.run_id]
    await execute(run.run_id, place.ledger, pipeline(write), "two")
    assert (await ended(place, run.run_id)).state is RunState.DONE
    assert (await kinds(place, run.run_id))[0] == "run.taken_over"


async def test_worker_that_lost_its_lease_stops_without_writing(place: Place) -> None:
    run = await ordered(place)
    taken = asyncio.Event()

    async def outlast(text: str) -> str:
        place.clock.move(60)
        assert await place.ledger.acquire(run.run_id, "another worker", 60)
        taken.set()
        await asyncio.Event().wait()
        return text

    async def long(run: Run, text: str) -> Report:
        await run.step("long", outlast, text)
        raise AssertionError("the lost lease was not seen")

    await execute(run.run_id, place.ledger, pipeline(long), "one", lease_seconds=0.3)
    assert taken.is_set()
    assert await kinds(place, run.run_id) == ["run.started", "step.started"]
    assert (await ended(place, run.run_id)).state is RunState.RUNNING
    assert await place.ledger.steps(run.run_id) == []
    assert await place.ledger.acquire(run.run_id, "third", 1) is None, "the other's lease was left alone"


async def test_lease_is_renewed_while_a_long_step_is_carried_out(place: Place) -> None:
    run = await ordered(place)

    async def watch(text: str) -> str:
        lease = await place.ledger.acquire(run.run_id, "thief", 1)
        for _ in range(12):
            place.clock.move(0.05)
            await asyncio.sleep(0.05)
            lease = lease or await place.ledger.acquire(run.run_id, "thief", 1)
        return "stolen" if lease else "kept"

    async def long(run: Run, text: str) -> Report:
        return Report(await run.step("watch", watch, text))

    await execute(run.run_id, place.ledger, pipeline(long), "one", lease_seconds=0.45)
    assert json.loads((await ended(place, run.run_id)).result)["text"] == "kept"


@pytest.mark.parametrize("cause", ["stop", "time"])
async def test_long_step_ends_soon_after_a_stop_or_the_time_limit(place: Place, cause: str) -> None:
    limit = Budget(seconds=1) if cause == "time" else Budget()
    run = await ordered(place, budget=limit)
    calls: list[str] = []

    async def slow_model(text: str) -> str:
        calls.append(text)
        spend(Usage(prompt_tokens=10))
        if cause == "stop":
            await place.ledger.request_stop(run.run_id, "stopped by ana")
        if len(calls) < 3:
            await asyncio.Event().wait()
        return text

    async def long(run: Run, text: str) -> Report:
        first = await run.step("first", upper, text)
        run.keep(lambda: Report(first))

        async def outer(text: str) -> str:
            return await run.step("slow", slow_model, text)

        return Report(await run.step("outer", outer, text))

    for count in (1, 2):
        began = time.monotonic()
        await execute(run.run_id, place.ledger, pipeline(long), "one")
        assert time.monotonic() - began < 10  # else it waits for ever; a busy machine takes its time
        stopped = await ended(place, run.run_id)
        why = "The time limit of 1 s was reached" if cause == "time" else "stopped by ana"
        assert (stopped.state, stopped.error[: len(why)]) == (RunState.STOPPED, why)
        assert json.loads(stopped.result)["text"] == "DOSE"
        assert len(calls) == count, "the interrupted step is done again"
        assert await resume(run.run_id, place.ledger)
    errors = [(step.name, step.error) for step in await place.ledger.steps(run.run_id)]
    assert errors.count(("slow", "interrupted")) == errors.count(("outer", "interrupted")) == 2
    assert errors.count(("first", "")) == 1


async def test_time_left_is_told_to_those_who_bound_a_call(place: Place) -> None:
    run = await ordered(place, budget=Budget(seconds=10))
    now = iter([0.0, 4.0, *[5.0] * 10])
    left: list[float | None] = []

    async def asking(run: Run, text: str) -> Report:
        left.append(run.seconds_left())
        return Report(text)

    await execute(run.run_id, place.ledger, pipeline(asking), "one", clock=lambda: next(now))
    assert left == [6.0]


async def test_worker_that_is_shut_down_gives_its_run_back_at_once(place: Place) -> None:
    run = await ordered(place)
    begun = asyncio.Event()

    async def endless(text: str) -> str:
        begun.set()
        await asyncio.Event().wait()
        return text

    async def long(run: Run, text: str) -> Report:
        return Report(await run.step("endless", endless, text))

    carrying = asyncio.create_task(execute(run.run_id, place.ledger, pipeline(long), "one"))
    await begun.wait()
    carrying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await carrying
    assert await unheld(place.ledger) == [run.run_id]


async def test_replay_of_the_same_rules_differs_in_nothing(place: Place) -> None:
    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    comparison = await replay(run.run_id, place.ledger, pipeline(write), "one")
    assert comparison.same
    assert [(step.name, step.change) for step in comparison.steps] == [
        ("first", Change.SAME),
        ("second", Change.SAME),
    ]
    assert comparison.again.replay_of == run.run_id
    assert (await kinds(place, comparison.again.run_id)).count("step.finished") == 2, "nothing was reused"


async def test_replay_of_other_rules_says_step_by_step_what_differs(place: Place) -> None:
    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(write), "one")

    async def title(text: str) -> str:
        return text.title()

    async def rewritten(run: Run, text: str) -> Report:
        first = await run.step("first", title, text)
        third = await run.step("third", upper, first)
        return Report(await run.step("second", upper, third))

    comparison = await replay(run.run_id, place.ledger, pipeline(rewritten), "one")
    assert not comparison.same
    assert {step.name: step.change for step in comparison.steps} == {
        "first": Change.OUTPUT,
        "second": Change.INPUTS,
        "third": Change.ADDED,
    }
    assert comparison.steps[0].lines[-2:] == ('-"DOSE"', '+"Dose"')
    assert any("DOSEDOSE!" in line for line in comparison.result)


async def test_replay_says_which_step_is_gone(place: Place) -> None:
    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(write), "one")

    async def shorter(run: Run, text: str) -> Report:
        return Report(await run.step("first", upper, text) + "DOSE!")

    comparison = await replay(run.run_id, place.ledger, pipeline(shorter), "one")
    assert [step.change for step in comparison.steps] == [Change.SAME, Change.REMOVED]
    assert comparison.result == ()
    assert not comparison.same


@pytest.mark.parametrize(
    ("raised", "traced"), [(ArchiveNotFound("There is no index."), False), (KeyError("a bug"), True)]
)
async def test_only_what_was_not_foreseen_is_logged_with_a_traceback(
    place: Place, caplog: pytest.LogCaptureFixture, raised: Exception, traced: bool
) -> None:
    async def fail(text: str) -> str:
        raise raised

    async def failing(run: Run, text: str) -> Report:
        return Report(await run.step("outer", partial(run.step, "search", fail), text, output=str))

    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(failing), "one")
    (logged,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert run.run_id in logged.getMessage()
    assert type(raised).__name__ in logged.getMessage()
    assert (logged.exc_info is not None) is traced


async def test_the_log_tells_each_step_and_no_word_of_the_question(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    run = await ordered(place)
    await execute(run.run_id, place.ledger, pipeline(write), "one")
    told = " ".join(record.getMessage() for record in caplog.records if record.name.startswith("agents"))
    assert "run started" in told
    assert "step first took" in told
    assert "10 tokens, finished" in told
    assert f"run {run.run_id} finished" in told
    assert "dose" not in told.lower()


async def test_a_run_in_one_step_of_which_worker_after_worker_dies_is_given_up_and_says_why(
    place: Place,
) -> None:
    run = await ordered(place)

    async def deadly(run: Run, text: str) -> Report:
        await run.step("first", upper, text)

        async def dies(text: str) -> str:
            raise KeyboardInterrupt  # the process ends; nobody hears of it

        return Report(await run.step("second", dies, text))

    for _ in range(MOST_DEATHS + 1):
        await place.ledger.acquire(run.run_id, "dead", 15)
        await place.ledger.append(run.run_id, "run.taken_over", "{}")
    await place.ledger.set_state(run.run_id, RunState.RUNNING)
    place.clock.move(16)
    await execute(run.run_id, place.ledger, pipeline(deadly), "one")
    given_up = await ended(place, run.run_id)
    assert given_up.state is RunState.FAILED
    assert "workers ended in the same step" in given_up.error
    assert await resume(run.run_id, place.ledger)
    await execute(run.run_id, place.ledger, pipeline(write), "two")
    assert (await ended(place, run.run_id)).state is RunState.DONE
