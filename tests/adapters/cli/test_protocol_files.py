"""Files that the programs of a run left, at the terminal."""

import json
from dataclasses import replace
from pathlib import Path

from adapters.cli.reported import write_exports
from adapters.cli.runs import found
from adapters.cli.session import with_runtime
from adapters.wiring import Runtime
from agents.reports.values import Figure, Section
from tests.adapters.cli.conftest import QUESTION, Pestle

TASKS = ("task-rnaseq", "task-survival")
KEPT = (("results.csv", "text/csv"), ("volcano.png", "image/png"))
ALONE = (
    ("programs.zip", "application/zip"),
    ("notebook.qmd", "text/markdown"),
    ("session.txt", "text/plain"),
)


def test_files_of_programs_are_written_by_name_and_of_several_each_after_its_task(
    pestle: Pestle, home: Path, tmp_path: Path
) -> None:
    run_id = json.loads(pestle("ask", "--json", QUESTION).out)["run_id"]

    async def work(built: Runtime) -> None:
        view = await built.views.of(await found(built, run_id))

        async def section(name: str, files: tuple[tuple[str, str], ...]) -> Section:
            made = []
            for file, media in files:
                kept = await built.storage.artefacts.put(f"{name} {file}".encode(), media, file)
                made.append(Figure(file, kept.sha256, media, ""))
            return Section(name, name, tuple(made))

        assert view.history is not None
        assert view.report is not None
        sections = [await section(name, KEPT) for name in TASKS] + [await section("repeat", ALONE)]
        history = replace(view.history, written=replace(view.report, sections=tuple(sections)))
        shown = replace(view, history=history)
        for name, _ in (*KEPT, *ALONE):
            await write_exports(built, shown, tmp_path / name)

    with_runtime(work)
    written = {one.name: one.read_text() for one in tmp_path.iterdir() if one.is_file()}
    several = {f"{task}-{name}": f"{task} {name}" for name, _ in KEPT for task in TASKS}
    assert several | {name: f"repeat {name}" for name, _ in ALONE} == written
