"""Small made-up data sets with known answers, and the tasks that are run on them."""

import random
from collections.abc import Iterable, Mapping

from agents.ports import LanguageModel, Sandbox
from agents.protocol.lab.approve import APPROVAL
from agents.protocol.programs import TaskResult, run_tasks
from agents.protocol.values import DryTask, TaskFile
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.run import Run
from tests.support.memory.ledger import MemoryLedger

SAMPLES = tuple(f"s{number}" for number in range(1, 9))
SHEET = "id,dose,patient\n" + "".join(
    f"{one},{'treated' if place % 2 else 'control'},p{place // 2}\n" for place, one in enumerate(SAMPLES)
)
"""Four patients, each once treated and once not."""


def counts(genes: int = 200, changed: int = 10, seed: int = 1) -> str:
    """Counts of genes g0, g1, …: those of the first `changed` are eightfold in treated samples."""
    draw = random.Random(seed)
    lines = [",".join(("gene", *SAMPLES))]
    for gene in range(genes):
        level = draw.randint(50, 500)
        values = (
            draw.randint(int(0.8 * level), int(1.2 * level)) * (8 if gene < changed and place % 2 else 1)
            for place in range(len(SAMPLES))
        )
        lines.append(",".join((f"g{gene}", *map(str, values))))
    return "\n".join(lines) + "\n"


def task(name: str, family: str, *files: str, **more: object) -> DryTask:
    """A task on some files; `parameters` of it are a mapping."""
    given = dict(more)
    parameters = given.pop("parameters", {})
    assert isinstance(parameters, Mapping)
    told = str(given.pop("description", ""))
    inputs = tuple(TaskFile(one, "csv") for one in files)
    depends_on: tuple[str, ...] = tuple(given.pop("after", ()))  # type: ignore[arg-type]
    pairs = tuple((str(key), str(value)) for key, value in parameters.items())
    return DryTask(name, told, family, inputs, depends_on, parameters=pairs)


class Bench:
    """Runs tasks as a run whose approvals are given by `decide` ("" leaves it waiting)."""

    def __init__(self, sandbox: Sandbox, model: LanguageModel | None = None, decide: str = "approve") -> None:
        self.ledger, self.artefacts = MemoryLedger(), MemoryArtefacts()
        self.asked: list[object] = []
        self._sandbox, self._model, self._decide = sandbox, model, decide

    async def run(self, tasks: Iterable[DryTask], files: Mapping[str, str | bytes]) -> tuple[TaskResult, ...]:
        """What came of the tasks."""
        given = tuple(tasks)

        async def pipeline(run: Run, inputs: str) -> tuple[TaskResult, ...]:
            kept = [
                (
                    name,
                    (await run.artefact(data if isinstance(data, bytes) else data.encode(), "", name)).sha256,
                )
                for name, data in files.items()
            ]
            return await run_tasks(run, self._sandbox, given, kept, self._model)

        record = new_run("lab", "x")
        self.run_id = record.run_id
        await self.ledger.create(record)
        pipelines = {"lab": Pipeline(pipeline, str, tuple[TaskResult, ...])}
        await execute(record.run_id, self.ledger, pipelines, "w1", artefacts=self.artefacts)
        for asked in await self.ledger.open_requests(record.run_id):
            assert asked.name.startswith(APPROVAL)
            self.asked.append(asked.request)
            await self.ledger.decide(record.run_id, asked.name, self._decide, "ana")
            await execute(record.run_id, self.ledger, pipelines, "w1", artefacts=self.artefacts)
        ended = await self.ledger.run(record.run_id)
        assert ended is not None
        from agents.runs.encoding import decode

        found: tuple[TaskResult, ...] = decode(tuple[TaskResult, ...], ended.result, "results")
        return found
