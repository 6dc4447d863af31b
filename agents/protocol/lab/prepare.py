"""Makes a task ready to run: the tested program of its family with its files and values, or one that a model
writes.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agents.ports import LanguageModel
from agents.protocol.design import RANKING
from agents.protocol.folder import HELPERS
from agents.protocol.lab import write
from agents.protocol.lab.choose import RANKED, choose
from agents.protocol.lab.design import Given
from agents.protocol.lab.families import COMMON, FAMILIES, template
from agents.protocol.lab.levels import Failure
from agents.protocol.lab.machine import Machine
from agents.protocol.lab.results import PARAMETERS, Awaited, Ready, Source
from agents.protocol.lab.tables import (
    Table,
    WrongInput,
    as_csv,
    cells_of,
    is_number,
    named,
    read_table,
    text_of,
)
from agents.protocol.values import DryTask
from agents.runs.artefacts import Artefact
from agents.runs.run import Run

SYMBOLS = "hgnc_complete_set"
"""How the file of HGNC is called that has all genes."""
MOST_CLASSES = 6
Made = dict[str, bytes]
"""Plain tables by name."""
SETS = ".gmt"
HEAD = 4
"""Rows of a table that a model is shown."""
MOST_COLUMNS = 30


@dataclass(slots=True)
class Preparation:
    """Makes tasks of a run ready, each after those that it depends on. `files` are names and hashes."""

    run: Run
    machine: Machine
    files: dict[str, str]
    model: LanguageModel | None
    ready: dict[str, Ready] = field(default_factory=dict)
    _tables: dict[str, tuple[Table, ...]] = field(default_factory=dict)

    async def prepare(self, task: DryTask) -> None:
        """Make a task ready. Raises `WrongInput` with the reason if it cannot be run."""
        if why := task.why_not or self.machine.why:
            raise WrongInput(why)
        if missing := [one for one in task.depends_on if one not in self.ready]:
            raise WrongInput(f"It depends on {named(missing)}, which cannot be run.")
        try:
            self.ready[task.id] = await self._from_template(task)
        except WrongInput as error:
            if self.model is None:
                raise
            self.ready[task.id] = await self._written(self.model, task, str(error))

    async def correct(self, model: LanguageModel, task: DryTask, ready: Ready, failed: Failure) -> Ready:
        """The task with the program that failed corrected by the model. Raises `WrongInput`."""
        old, read = ready.sources[-1], [name for name, _ in ready.inputs]
        inputs = "\n".join(f"in/{name}" for name in (*read, *(one.name for one in ready.awaited)))
        told = (task, inputs, self.machine.allowed, ready.promised, old, failed.reason)
        source = _source(await self.run.step(f"correct:{task.id}", partial(write.correct, model), *told))
        others = tuple((name, sha256) for name, sha256 in ready.inputs if name != old.name)
        inputs_now = (*await self._code((source,)), *others)
        return replace(ready, sources=(*ready.sources[:-1], source), inputs=inputs_now, by=model.name)

    async def _from_template(self, task: DryTask) -> Ready:
        family = FAMILIES.get(task.assay_family)
        if family is None:
            raise WrongInput(
                f"There is no tested program for {task.assay_family or 'this kind of analysis'}."
            )
        if lacking := self.machine.lacks(family.packages):
            raise WrongInput(lacking)
        ranking = next((one for one in task.depends_on if self.ready[one].family in RANKING), "")
        follows = family.name == "pathway" and bool(ranking)
        tables = {} if follows else await self._tables_of(task)
        sets = tuple(name for name in self.files if name.lower().endswith(SETS))
        given = Given(tables, sets, task.description, dict(task.parameters))
        chosen = await asyncio.to_thread(choose, family, given, follows)
        sources = tuple(Source(name, "r", template(name)) for name in (COMMON, family.program))
        made = [(PARAMETERS, chosen.choices.model_dump_json(indent=2).encode()), *chosen.made]
        kept = [await self.run.artefact(data, "text/plain", name) for name, data in made]
        inputs = (
            *await self._code(sources),
            *((one.name, one.sha256) for one in kept),
            *((name, self.files[name]) for name in chosen.used),
        )
        awaited = (Awaited(RANKED, ranking, "results.csv"),) if follows else ()
        return Ready(
            task.id, family.title, family.name, sources, inputs, family.promised, awaited, notes=chosen.notes
        )

    async def _written(self, model: LanguageModel, task: DryTask, why: str) -> Ready:
        """A task with a program that the model writes. `why` no tested one is used."""
        tables = await self._tables_of(task)
        awaited = tuple(
            Awaited(f"{write.plain(one)}_{name}", one, name)
            for one in task.depends_on
            for name in self.ready[one].promised
            if name.endswith(".csv")
        )
        later = (f"in/{one.name}: {one.file} of the task {one.task}" for one in awaited)
        inputs = "\n\n".join((*map(_beginning, tables.values()), *later))
        promised = tuple(one.name for one in task.outputs) or write.WRITTEN
        told = (task, inputs, self.machine.allowed, promised)
        source = _source(await self.run.step(f"write:{task.id}", partial(write.write, model), *told), why)
        read = (*await self._code((source,)), *((name, self.files[name]) for name in tables))
        notes = (f"No tested program was used: {why}",)
        title = task.assay_family or task.id
        return Ready(task.id, title, "", (source,), read, promised, awaited, model.name, notes)

    async def _code(self, sources: Sequence[Source]) -> tuple[tuple[str, str], ...]:
        kept: list[Artefact] = [
            await self.run.artefact(one.text.encode(), f"text/x-{one.language}", one.name) for one in sources
        ]
        return tuple((one.name, one.sha256) for one in kept)

    async def _tables_of(self, task: DryTask) -> dict[str, Table]:
        """The tables that a task may read. Raises `WrongInput`."""
        wanted = [name for name in task.files if name in self.files and not name.lower().endswith(SETS)]
        if not wanted:
            raise WrongInput(f"None of its files is at hand: {named(task.files) or 'it names none'}.")
        helpers = [name for name in self.files if name.startswith(HELPERS)]
        tables = [table for name in dict.fromkeys((*wanted, *helpers)) for table in await self._read(name)]
        return {one.name: one for one in tables}

    async def _read(self, name: str) -> tuple[Table, ...]:
        """A file as tables; one of another form is kept as plain tables too, which programs read."""
        if name not in self._tables:
            if (data := await self.run.file(self.files[name])) is None:
                raise WrongInput(f"The file {name} is not kept with this run.")
            made = await asyncio.to_thread(converted, name, data)
            for other in made.keys() - {name}:
                self.files[other] = (await self.run.artefact(made[other], "text/csv", other)).sha256
            tables = [await asyncio.to_thread(read_table, one, content) for one, content in made.items()]
            self._tables[name] = tuple(tables)
        return self._tables[name]


def _source(written: write.Written, before: str = "") -> Source:
    """The program that was written. Raises `WrongInput` if there is none."""
    if written.source is None:
        raise WrongInput(f"{before} {written.why}".strip())
    return written.source


def _beginning(table: Table) -> str:
    """A table as a model is shown it."""
    rows = [table.columns, *table.rows[:HEAD]]
    shown = "\n".join(",".join(row[:MOST_COLUMNS]) for row in rows)
    return f"in/{table.name}, {len(table.rows)} rows, {len(table.columns)} columns:\n{shown}"


def converted(name: str, data: bytes) -> Made:
    """A file as plain tables, each with a head; itself where it is one. Raises `WrongInput`."""
    stem = re.split(r"\.(?:csv|tsv|txt)\b", name)[0]
    if name.startswith(SYMBOLS):
        return _hgnc(stem, text_of(name, data))
    rows = cells_of(text_of(name, data))
    return _without_head(stem, rows) if rows and all(map(is_number, rows[0])) else {name: data}


def _without_head(stem: str, rows: Sequence[tuple[str, ...]]) -> Made:
    """Numbers, a row for each sample; the last column is its class where it has few values."""
    classes = [row[-1] for row in rows]
    labelled = 1 < len({*classes}) <= MOST_CLASSES
    values = [row[:-1] if labelled else row for row in rows]
    samples = [f"sample{number}" for number in range(1, len(rows) + 1)]
    genes = [(f"V{number}", *one) for number, one in enumerate(zip(*values, strict=True), start=1)]
    made = {f"{stem}_expression.csv": as_csv(("id", *samples), genes)}
    if labelled:
        made[f"{stem}_samples.csv"] = as_csv(("sample", "class"), list(zip(samples, classes, strict=True)))
    return made


def _hgnc(stem: str, text: str) -> Made:
    """Ensembl ids and symbols of the complete set of HGNC."""
    head, *rows = (line.split("\t") for line in text.splitlines())
    places = [head.index(name) for name in ("ensembl_gene_id", "symbol") if name in head]
    if len(places) < 2:
        raise WrongInput(f"{stem} has no columns ensembl_gene_id and symbol.")
    pairs = [(row[places[0]], row[places[1]]) for row in rows if len(row) > max(places)]
    return {f"symbols_{stem}.csv": as_csv(("id", "symbol"), [one for one in pairs if one[0]])}
