"""Steps: done once, checked both ways, side by side, inside each other."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import (
    BudgetExceeded,
    LedgerMismatch,
    ModelUnavailable,
    RunCancelled,
    StepFailed,
    TimeLimitReached,
)
from agents.runs.hashing import canonical_json, digest
from agents.runs.limits import Limits
from agents.runs.memory import trial_run
from agents.runs.meter import fingerprint, spend
from agents.runs.records import Budget, RunRecord, RunState
from agents.runs.run import Run
from agents.runs.tree import total, tree
from agents.usage import Usage
from tests.support.memory.ledger import MemoryLedger

RECORD = RunRecord("r1", "pipeline", "null", "request")


@dataclass(frozen=True, slots=True)
class Dose:
    value: float
    units: frozenset[str] = frozenset()


class Bench:
    """Work that counts how often it is done."""

    def __init__(self) -> None:
        self.done: Counter[Any] = Counter()

    async def double(self, dose: Dose) -> Dose:
        self.done[dose.value] += 1
        return Dose(dose.value * 2, dose.units)

    async def wrong(self, dose: Dose) -> int:
        return "not a number"  # type: ignore[return-value]

    async def fail(self, dose: Dose) -> Dose:
        spend(Usage(prompt_tokens=7, calls=1))
        raise ModelUnavailable("The model does not answer. Try again later.")

    async def break_down(self, dose: Dose) -> Dose:
        return Dose({}["key"])


async def ledger_and_run(budget: Budget | None = None) -> tuple[MemoryLedger, Run]:
    ledger = MemoryLedger()
    record = RunRecord("r1", "pipeline", "null", "request", budget=budget or Budget())
    await ledger.create(record)
    return ledger, Run(record, ledger)


async def kinds(ledger: MemoryLedger) -> list[str]:
    return [f"{event.kind} {json.loads(event.detail)['step']}" for event in await ledger.events("r1")]


async def test_finished_step_is_replayed_with_the_same_output() -> None:
    ledger, run = await ledger_and_run()
    bench = Bench()
    first = await run.step("double", bench.double, Dose(2.5, frozenset("mg")))
    again = await Run(RECORD, ledger).step("double", bench.double, Dose(2.5, frozenset("mg")))
    assert first == again == Dose(5.0, frozenset("mg"))
    assert bench.done == {2.5: 1}
    assert await kinds(ledger) == ["step.started double", "step.finished double", "step.replayed double"]


async def test_name_and_inputs_tell_steps_apart() -> None:
    _, run = await ledger_and_run()
    bench = Bench()
    await run.step("double", bench.double, Dose(1))
    await run.step("double", bench.double, Dose(2))
    await run.step("double again", bench.double, Dose(1))
    assert bench.done == {1: 2, 2: 1}


async def test_same_step_twice_side_by_side_is_done_once() -> None:
    _, run = await ledger_and_run()
    bench = Bench()
    call = run.call("double", bench.double, Dose(1))
    assert await run.gather(call, call) == [Dose(2), Dose(2)]
    assert bench.done == {1: 1}


async def test_output_type_is_read_from_partials_callables_and_the_output_argument() -> None:
    class Tripler:
        async def __call__(self, dose: Dose) -> Dose:
            return Dose(dose.value * 3)

    async def bare(dose):  # type: ignore[no-untyped-def]
        return Dose(1)

    run = await trial_run()
    assert await run.step("partial", partial(Bench().double), Dose(1)) == Dose(2)
    assert await run.step("callable", Tripler(), Dose(1)) == Dose(3)
    assert await run.step("bare", bare, Dose(1), output=Dose) == Dose(1)
    with pytest.raises(TypeError, match="name the type as output="):
        await run.step("untyped", bare, Dose(1))


async def test_output_of_the_wrong_type_fails_the_step_and_is_not_stored() -> None:
    ledger, run = await ledger_and_run()
    with pytest.raises(StepFailed, match="trace id r1") as caught:
        await run.step("wrong", Bench().wrong, Dose(1))
    assert "does not fit" in str(caught.value.__cause__)
    assert [step.output for step in await ledger.steps("r1")] == [""]


async def test_stored_output_that_does_not_fit_any_more_is_refused() -> None:
    run = await trial_run()
    bench = Bench()
    await run.step("double", bench.double, Dose(1))
    with pytest.raises(LedgerMismatch, match="step double does not fit its type any more"):
        await run.step("double", bench.double, Dose(1), output=list[int])


async def test_step_that_calls_itself_is_refused_instead_of_waiting_for_ever() -> None:
    run = await trial_run()

    async def again(dose: Dose) -> Dose:
        return await run.step("again", again, dose)

    with pytest.raises(StepFailed) as caught:
        await run.step("again", again, Dose(1))
    assert "calls itself" in str(caught.value.__cause__)


async def test_inputs_must_be_data() -> None:
    run = await trial_run()
    with pytest.raises(TypeError, match="bind ports"):
        await run.step("double", Bench().double, object())
    with pytest.raises(ValueError, match="not JSON compliant"):
        await run.step("double", Bench().double, Dose(float("nan")))


async def test_known_error_is_told_as_it_is_and_keeps_its_tokens() -> None:
    ledger, run = await ledger_and_run()
    with pytest.raises(StepFailed, match=r"The step ask failed\. The model does not answer\.") as caught:
        await run.step("ask", Bench().fail, Dose(1))
    assert isinstance(caught.value.__cause__, ModelUnavailable)
    assert caught.value.step == "ask"
    [failed] = await ledger.steps("r1")
    assert (failed.usage.tokens, failed.error[:16]) == (7, "ModelUnavailable")


async def test_unexpected_error_is_told_without_its_innards() -> None:
    run = await trial_run()
    with pytest.raises(StepFailed) as caught:
        await run.step("break", Bench().break_down, Dose(1))
    assert "KeyError" in str(caught.value)
    assert "'key'" not in str(caught.value)


async def test_first_failure_cancels_siblings_and_finished_ones_stay_finished() -> None:
    ledger, run = await ledger_and_run()
    bench = Bench()
    finished = asyncio.Event()

    async def quick(dose: Dose) -> Dose:
        return dose

    async def endless(dose: Dose) -> Dose:
        spend(Usage(prompt_tokens=5))
        finished.set()
        await asyncio.Event().wait()
        return dose

    async def fail_later(dose: Dose) -> Dose:
        await finished.wait()
        return await bench.fail(dose)

    with pytest.raises(StepFailed) as caught:
        await run.gather(
            run.call("quick", quick, Dose(1)),
            run.call("endless", endless, Dose(1)),
            run.call("fail", fail_later, Dose(1)),
        )
    assert caught.value.step == "fail"
    errors = {step.name: step.error[:11] for step in await ledger.steps("r1")}
    assert errors == {"quick": "", "fail": "ModelUnavai", "endless": "interrupted"}
    assert sum(step.usage.tokens for step in await ledger.steps("r1")) == 12


async def test_stop_ends_steps_that_are_side_by_side() -> None:
    ledger, run = await ledger_and_run()

    async def stop(dose: Dose) -> Dose:
        await ledger.request_stop("r1", "enough")
        return dose

    async def endless(dose: Dose) -> Dose:
        await asyncio.Event().wait()
        return dose

    with pytest.raises(RunCancelled, match="enough"):
        await run.gather(run.call("endless", endless, Dose(1)), run.call("stop", stop, Dose(1)))


async def test_first_of_several_failures_in_order_is_raised() -> None:
    run = await trial_run()
    steps = [run.call(name, Bench().fail, Dose(1)) for name in ("b", "a")]
    with pytest.raises(StepFailed) as caught:
        await run.gather(*steps)
    assert caught.value.step == "b"


async def test_error_inside_a_task_group_of_a_step_is_unwrapped() -> None:
    run = await trial_run()

    async def group(dose: Dose) -> Dose:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run.step("inner", Bench().fail, dose))
        return dose

    with pytest.raises(StepFailed) as caught:
        await run.step("outer", group, Dose(1))
    assert caught.value.step == "inner"


async def test_outputs_of_a_group_keep_their_order() -> None:
    run = await trial_run()

    async def wait(turns: int) -> int:
        for _ in range(turns):
            await asyncio.sleep(0)
        return turns

    assert await run.gather(*[run.call("wait", wait, turns) for turns in (30, 0, 10)]) == [30, 0, 10]


async def test_stop_is_seen_after_the_step_in_hand_and_before_the_next() -> None:
    ledger, run = await ledger_and_run()
    bench = Bench()

    async def stopped_meanwhile(dose: Dose) -> Dose:
        await ledger.request_stop("r1", "stopped by ana")
        return dose

    with pytest.raises(RunCancelled, match="stopped by ana"):
        await run.step("first", stopped_meanwhile, Dose(1))
    assert await run.step("first", stopped_meanwhile, Dose(1)) == Dose(1), "what is finished is replayed"
    with pytest.raises(RunCancelled):
        await run.step("second", bench.double, Dose(1))
    assert not bench.done


@pytest.mark.parametrize("budget", [Budget(tokens=10), Budget(cost_usd=0.01)])
async def test_budget_stops_the_run_and_counts_earlier_attempts(budget: Budget) -> None:
    ledger, run = await ledger_and_run(budget)

    async def ask(number: int) -> int:
        spend(Usage(prompt_tokens=4, completion_tokens=2, cost_usd=0.006))
        return number

    await run.step("ask", ask, 1)
    record = await ledger.run("r1")
    assert record is not None
    later = await Run.resume(record, ledger)
    with pytest.raises(BudgetExceeded, match="Ask again with a larger budget"):
        await later.step("ask", ask, 2)
    assert len(await ledger.steps("r1")) == 2, "the step that went over is kept"


async def test_time_limit_stops_the_run() -> None:
    ledger = MemoryLedger()
    await ledger.create(RECORD)
    seconds = iter([0.0, 5.0, 11.0])
    run = Run(RECORD, ledger, Limits(Budget(seconds=10), clock=lambda: next(seconds)))
    with pytest.raises(TimeLimitReached, match="10 s"):
        await run.step("double", Bench().double, Dose(1))
    assert (await ledger.steps("r1"))[0].error == ""


async def test_steps_inside_steps_make_a_tree_with_their_costs() -> None:
    ledger, run = await ledger_and_run()

    async def leaf(number: int) -> int:
        spend(Usage(prompt_tokens=number))
        fingerprint("prompt", "text")
        return number

    async def branch(number: int) -> int:
        spend(Usage(prompt_tokens=100))
        await asyncio.sleep(0)
        inside = [run.call("leaf", leaf, number + 1), run.call("leaf", leaf, number + 2)]
        return sum(await run.gather(*inside))

    await run.gather(run.call("branch", branch, 10), run.call("branch", branch, 20))
    await run.step("last", leaf, 5)
    nodes = tree(await ledger.steps("r1"))
    assert [(node.step.name, node.usage.tokens, len(node.inside)) for node in nodes] == [
        ("branch", 100 + 11 + 12, 2),
        ("branch", 100 + 21 + 22, 2),
        ("last", 5, 0),
    ]
    assert total(nodes).tokens == 271
    assert nodes[2].step.fingerprints == ("prompt 982d9e3eb996",)


async def test_events_of_the_pipeline_stand_in_the_trail() -> None:
    ledger, run = await ledger_and_run()
    await run.event("molecules.found", names=("A", "B"))
    [event] = await ledger.events("r1")
    assert (event.kind, event.detail) == ("molecules.found", '{"names":["A","B"]}')


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_canonical_json_says_the_value_and_nothing_of_its_order(value: Any) -> None:
    def reversed_keys(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: reversed_keys(item[key]) for key in reversed(item)}
        return [reversed_keys(one) for one in item] if isinstance(item, list) else item

    assert canonical_json(value) == canonical_json(reversed_keys(value))
    assert json.loads(canonical_json(value)) == value


@given(st.lists(st.text(), unique=True), st.randoms())
def test_order_in_which_a_set_was_built_does_not_matter(names: list[str], random: Any) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)
    assert digest([Dose(1, frozenset(names))]) == digest([Dose(1, frozenset(shuffled))])


def test_different_inputs_have_different_hashes() -> None:
    inputs = [[], [1], ["1"], [1, 2], [[1, 2]], [Dose(1)], [RunState.DONE], [None]]
    assert len({digest(one) for one in inputs}) == len(inputs)
