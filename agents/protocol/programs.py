"""Carries the dry tasks of a protocol out: a program for each, approved once, run in the sandbox in order.

A tested program is used where one fits; with a model, one is written where none does, and one that fails is
corrected in bounded rounds. Each run of a program is a step: a run that is killed goes on after the last
finished one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from graphlib import CycleError, TopologicalSorter

from agents.ports import LanguageModel, Sandbox
from agents.programs.kept import Program, Ran, run_program
from agents.protocol.lab.approve import APPROVAL, APPROVE, request_for
from agents.protocol.lab.levels import Failure, failure, level_of
from agents.protocol.lab.machine import Machine, look
from agents.protocol.lab.prepare import Preparation
from agents.protocol.lab.results import Attempt, Ready, State, TaskResult
from agents.protocol.lab.tables import WrongInput
from agents.protocol.lab.write import not_allowed
from agents.protocol.templates import title_of
from agents.protocol.values import DryTask
from agents.runs.run import Run

__all__ = ["APPROVAL", "TaskResult", "run_tasks"]

CORRECTIONS = 3
"""Rounds in which a model may correct a program."""
NO_RESULT = "A task that it depends on gave no result."


async def run_tasks(
    run: Run,
    sandbox: Sandbox,
    tasks: Sequence[DryTask],
    files: Sequence[tuple[str, str]],
    model: LanguageModel | None = None,
) -> tuple[TaskResult, ...]:
    """What came of each task, in the order given. `files` are names and hashes of artefacts of the run.

    Asks once, under the name `APPROVAL`, for all programs, which are shown whole; raises `Suspended` until
    somebody decided. Where there is no sandbox or no R, every task says so and nobody is asked.
    """
    machine = await run.step("machine", partial(look, sandbox), output=Machine)
    preparation = Preparation(run, machine, dict(files), model)
    order = _ordered(tasks)
    results = {one.id: _not_run(one, "It depends on itself.") for one in tasks if one not in order}
    for task in order:
        try:
            await preparation.prepare(task)
        except WrongInput as error:
            results[task.id] = _not_run(task, str(error))
    ready = preparation.ready
    if ready and (why := await _refused(run, tuple(ready.values()), model)):
        results |= {one.id: _not_run(one, why) for one in tasks if one.id in ready}
        return tuple(results[one.id] for one in tasks)
    for task in order:
        if task.id in ready:
            results[task.id] = await _carried(preparation, sandbox, task, results)
    return tuple(results[one.id] for one in tasks)


async def _carried(
    preparation: Preparation, sandbox: Sandbox, task: DryTask, earlier: dict[str, TaskResult]
) -> TaskResult:
    """Run the program of a task; with a model, correct and run it again while it fails."""
    ready, attempts, model = preparation.ready[task.id], tuple[Attempt, ...](), preparation.model
    while True:
        ran, failed = await _ran(preparation, sandbox, ready, ready.program(earlier))
        if failed is None or model is None or len(attempts) == CORRECTIONS or failed.reason == NO_RESULT:
            break
        attempts += (Attempt(ready.sources[-1], failed.level, failed.reason),)
        try:
            ready = await preparation.correct(model, task, ready, failed)
        except WrongInput as error:
            failed = replace(failed, reason=f"{failed.reason}\nIt was not corrected. {error}")
            break
    result = TaskResult(task.id, ready.title, State.DONE, ready=ready, ran=ran, attempts=attempts)
    if failed is None:
        return result
    state = State.NOT_RUN if failed.reason == NO_RESULT else State.FAILED
    return replace(result, state=state, reason=failed.reason, level=failed.level)


async def _ran(
    preparation: Preparation, sandbox: Sandbox, ready: Ready, program: Program | None
) -> tuple[Ran | None, Failure | None]:
    """What came of a program, and what is wrong with it."""
    if program is None:
        return None, Failure(0, NO_RESULT)
    if why := not_allowed(ready.sources[-1], preparation.machine.allowed):
        return None, Failure(level_of(why), why)
    ran = await run_program(preparation.run, sandbox, program, f"program:{ready.task}")
    return ran, failure(ran, ready.promised)


async def _refused(run: Run, ready: Sequence[Ready], model: LanguageModel | None) -> str:
    """Why programs are not run; "" if a person approved them."""
    request = await request_for(run, ready, model.name if model else "", CORRECTIONS)
    decision = await run.wait_for(APPROVAL, request)
    return "" if decision.choice == APPROVE else f"{decision.by or 'Somebody'} rejected the programs."


def _not_run(task: DryTask, why: str) -> TaskResult:
    return TaskResult(task.id, title_of(task.assay_family, task.id), State.NOT_RUN, why)


def _ordered(tasks: Sequence[DryTask]) -> tuple[DryTask, ...]:
    """The tasks, each after those that it depends on, without those that depend on themselves."""
    by_id = {one.id: one for one in tasks}
    while True:
        graph = {name: [one for one in task.depends_on if one in by_id] for name, task in by_id.items()}
        try:
            return tuple(by_id[name] for name in TopologicalSorter(graph).static_order())
        except CycleError as error:
            by_id = {name: task for name, task in by_id.items() if name not in error.args[1]}
