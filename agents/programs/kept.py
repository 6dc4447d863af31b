"""A program as a step of a run: its files are the run's artefacts, and the step tells what came of it."""

import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from agents.errors import WrongOrder
from agents.ports import Sandbox
from agents.programs.values import Job, Limits, Used
from agents.runs.artefacts import Artefact
from agents.runs.hashing import digest
from agents.runs.run import Run

MOST_TEXT = 200_000
"""Characters of text among the files of a program that its step tells beside their hashes."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its input files, which are artefacts of the run: names under `in` and hashes.

    `name` is what readers are told ("expression.R"). `environment` has names and values.
    """

    name: str
    argv: tuple[str, ...]
    inputs: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    limits: Limits | None = None

    @property
    def sha256(self) -> str:
        """Hash of what is run on what: the same for the same argv, inputs and environment."""
        return digest((self.argv, self.inputs, self.environment))


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ran, as `Ended`: its `files` are artefacts, and `texts` what is text among them."""

    program: Program
    code: int
    out: str
    err: str
    files: tuple[Artefact, ...]
    texts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    reason: str
    used: Used
    key: str
    """Hash of what ran on what and what came of it."""

    @property
    def well(self) -> bool:
        """Whether it ended by itself and without an error."""
        return not self.code and not self.reason


async def run_program(run: Run, sandbox: Sandbox, program: Program, step: str = "program") -> Ran:
    """Run a program once, as a step; a finished one is not run again after a crash.

    Raises as `Run.step`; behind a `StepFailed` is `SandboxUnavailable`, or `WrongOrder` for an input that is
    no artefact.
    """
    return await run.step(step, partial(_ran, run, sandbox), program, output=Ran)


async def _ran(run: Run, sandbox: Sandbox, program: Program) -> Ran:
    files: dict[str, bytes] = {}
    for name, sha256 in program.inputs:
        if (data := await run.file(sha256)) is None:
            raise WrongOrder(f"The input {name} of {program.name} is not kept with this run.")
        files[name] = data
    ended = await sandbox.run(Job(program.argv, files, dict(program.environment), program.limits))
    kept = [await run.artefact(data, media_type(name), name) for name, data in ended.files.items()]
    texts = tuple(_texts(ended.files))
    hashes, written = tuple(one.sha256 for one in kept), (ended.out, *(text for _, text in texts))
    return Ran(
        program,
        ended.code,
        ended.out,
        ended.err,
        tuple(kept),
        texts,
        ended.notes,
        ended.reason,
        ended.used,
        digest((program.sha256, hashes, written)),
    )


def _texts(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """The files that are text, as long as there is room."""
    room = MOST_TEXT
    for name, data in files.items():
        if len(data) <= room and b"\0" not in data:
            try:
                yield name, data.decode()
            except UnicodeDecodeError:
                continue
            room -= len(data)


def media_type(name: str) -> str:
    """The media type that a name tells ("text/csv"); that of any bytes, if it tells none."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
