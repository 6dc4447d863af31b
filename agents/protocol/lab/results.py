"""What becomes of a task: what is ready to run, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from agents.programs.kept import Program, Ran

TEMPLATE = "template"
"""Who wrote a program that comes with Pestle."""
PARAMETERS = "parameters.json"
QUIET = (("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("TZ", "UTC"))
"""One thread for each program: the same sums on every machine."""
STARTS = {"r": ("Rscript", "--vanilla"), "python": ("python3", "-I")}


class State(StrEnum):
    """Where a task stands."""

    DONE = "done"
    FAILED = "failed"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of code, whole: its name, its language ("r" or "python"), its text."""

    name: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """An input that an earlier task writes: its name as an input, the task, the name of its file there."""

    name: str
    task: str
    file: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A task that can run. The last of `sources` is the program that is started.

    `inputs` are names and hashes of all that it reads, its code too; `by` is who wrote it.
    """

    task: str
    title: str
    family: str
    sources: tuple[Source, ...]
    inputs: tuple[tuple[str, str], ...]
    promised: tuple[str, ...]
    awaited: tuple[Awaited, ...] = ()
    by: str = TEMPLATE
    notes: tuple[str, ...] = ()

    def program(self, earlier: "Mapping[str, TaskResult]") -> Program | None:
        """The program with its inputs; None where an earlier task did not leave what this one reads."""
        inputs = list(self.inputs)
        for one in self.awaited:
            if (sha256 := earlier[one.task].file(one.file) if one.task in earlier else "") == "":
                return None
            inputs.append((one.name, sha256))
        main = self.sources[-1]
        return Program(main.name, (*STARTS[main.language], f"in/{main.name}"), tuple(inputs), QUIET)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A program that failed and was corrected: its code, the level of its error, and what it said."""

    source: Source
    level: int
    reason: str


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What came of a task. `level` is that of its error, 0 for none; `reason` why it gave nothing."""

    task: str
    title: str
    state: State
    reason: str = ""
    level: int = 0
    ready: Ready | None = None
    ran: Ran | None = None
    attempts: tuple[Attempt, ...] = ()

    def file(self, name: str) -> str:
        """The hash of a file that it left; "" for none."""
        files = self.ran.files if self.ran and self.state is State.DONE else ()
        return next((one.sha256 for one in files if one.name == name), "")

    def text(self, name: str) -> str:
        """A text file that it left; "" for none, or for one too long to be kept in the step."""
        return dict(self.ran.texts).get(name, "") if self.ran else ""
