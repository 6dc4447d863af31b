"""What lets others repeat the programs of a run with one command: a Quarto notebook, and a bundle of code,
inputs and hashes.
"""

import hashlib
import io
import zipfile
from collections.abc import AsyncIterator, Mapping, Sequence
from graphlib import TopologicalSorter

from agents.protocol.lab.machine import INSTALL
from agents.protocol.lab.results import STARTS, TaskResult
from agents.protocol.lab.write import plain
from agents.runs.artefacts import Artefact
from agents.runs.run import Run

NOTEBOOK = "notebook.qmd"
MOST_INPUT = 100_000_000
"""Bytes of inputs that a bundle holds; larger ones are named by their hash."""
DATE = (1980, 1, 1, 0, 0, 0)
"""The same content gives the same archive."""
COMPARED = (".csv", "summary.txt")
"""Results that must be the same again; pictures and versions may differ between machines."""
RUN = """#!/bin/sh
# Repeats all programs in their order, and compares what they write with what was written before.
set -eu
cd "$(dirname "$0")"
sha256sum --quiet --check inputs.sha256
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TZ=UTC
{steps}
sha256sum --check results.sha256
"""
README = """# The programs of a protocol

`sh run.sh` repeats them and compares the results with `results.sha256`. It takes R with its packages (Debian:
`{install}`).
`{notebook}` is the same as a notebook: `quarto render {notebook}`. Each folder has a task: its code and
inputs in `in`, its results in `out`. `session.txt` tells versions and the seed.
"""


async def repeatable(run: Run, results: Sequence[TaskResult]) -> tuple[Artefact, ...]:
    """The notebook and the bundle as artefacts of the run; nothing where no program ran."""
    ran = _in_order([one for one in results if one.ran and one.ready])
    if not ran:
        return ()
    written = notebook(ran).encode()
    data = await _bundle(run, ran, written)
    return (
        await run.artefact(written, "text/markdown", NOTEBOOK),
        await run.artefact(data, "application/zip", "programs.zip"),
    )


def notebook(results: Sequence[TaskResult]) -> str:
    """The programs as a Quarto notebook, which lies in a bundle beside the folders of its tasks."""
    parts = ["---\ntitle: The programs of a protocol\nformat: html\n---\n"]
    for result in results:
        if result.ready is None:
            continue
        main = result.ready.sources[-1]
        enter = (
            f'setwd("{_folder(result)}")'
            if main.language == "r"
            else f'import os; os.chdir("{_folder(result)}")'
        )
        found = "\n".join(f"- {line}" for line in result.text("summary.txt").splitlines())
        chunk = f"```{{{main.language}}}\n#| label: {_folder(result)}\n{enter}\n{main.text}```"
        parts.append(f"## {result.task}: {result.title}\n\n{chunk}\n\nFound before:\n\n{found}\n")
    return "\n".join(parts)


async def _bundle(run: Run, results: Sequence[TaskResult], written: bytes) -> bytes:
    inputs = [one async for one in _inputs(run, results)]
    room, files = MOST_INPUT, dict[str, bytes]()
    for name, data in inputs:
        if len(data) <= room:
            files[name], room = data, room - len(data)
    outputs = [
        (f"{_folder(one)}/out/{file.name}", await run.file(file.sha256) or b"")
        for one in results
        for file in (one.ran.files if one.ran else ())
    ]
    compared = [(name, data) for name, data in outputs if name.endswith(COMPARED)]
    files |= {
        "README.md": README.format(install=INSTALL, notebook=NOTEBOOK).encode(),
        NOTEBOOK: written,
        "run.sh": RUN.format(steps="\n".join(map(_step, results))).encode(),
        "inputs.sha256": _sums(inputs),
        "results.sha256": _sums(compared),
    }
    return _zip({**files, **dict(outputs)})


async def _inputs(run: Run, results: Sequence[TaskResult]) -> AsyncIterator[tuple[str, bytes]]:
    """The inputs that were given; what an earlier task wrote is copied when the programs are repeated."""
    for one in results:
        for name, sha256 in one.ready.inputs if one.ready else ():
            yield f"{_folder(one)}/in/{name}", await run.file(sha256) or b""


def _step(result: TaskResult) -> str:
    """The lines of the shell that repeat a task."""
    assert result.ready is not None
    folder, main = _folder(result), result.ready.sources[-1]
    copied = [f"cp {plain(one.task)}/out/{one.file} {folder}/in/{one.name}" for one in result.ready.awaited]
    start = " ".join((*STARTS[main.language], f"in/{main.name}"))
    return "\n".join((*copied, f"(cd {folder} && mkdir -p out && {start} > printed.txt)"))


def _in_order(results: Sequence[TaskResult]) -> list[TaskResult]:
    """The results, each after those whose files its program reads."""
    by_task = {one.task: one for one in results}
    reads = {one.task: [other.task for other in one.ready.awaited] for one in results if one.ready}
    return [by_task[name] for name in TopologicalSorter(reads).static_order()]


def _folder(result: TaskResult) -> str:
    return plain(result.task)


def _sums(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Hashes as `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files).encode()


def _zip(files: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
    return written.getvalue()
