"""Tasks are carried out in order, once, after one approval of all that runs; what cannot run says why."""

from dataclasses import replace

import pytest

from adapters.sandbox.refusing import RefusingSandbox
from agents.errors import ModelUnavailable
from agents.ports import Sandbox
from agents.programs.values import Ended, Job
from agents.protocol.lab.levels import level_of
from agents.protocol.lab.machine import LIST, NEEDED
from agents.protocol.lab.results import Source, State
from agents.protocol.lab.shown import computations, success_rate, task_blocks
from agents.protocol.lab.write import not_allowed
from agents.runs.records import Request
from tests.agents.protocol.lab.made import SHEET, Bench, counts, task
from tests.support.scripted import ScriptedModel
from tests.support.scripted_sandbox import ScriptedSandbox

SETS = "set one\tx\tG1\tG2\n"
FILES = {"counts.csv": counts(20), "sheet.csv": SHEET, "sets.gmt": SETS}
DIFFERENTIAL = task("de", "bulk_rnaseq", "counts.csv", "sheet.csv")
PATHWAY = task("sets", "pathway", "sets.gmt", after=("de",))
LEFT = {name: b"gene\ng1\n" for name in ("results.csv", "top.csv")}
LEFT |= {"summary.txt": b"2 genes differ.\n", "session.txt": b"seed 1\n"}
PICTURES = {name: b"\x89PNG" for name in ("volcano.png", "samples.png", "sets.png")}


class R:
    """Stands for R: lists its packages, and ends each program as `ends` says, by its main file."""

    def __init__(self, packages: tuple[str, ...] = tuple(NEEDED), **ends: Ended) -> None:
        self.started: list[str] = []
        self._packages, self._ends = packages, ends

    async def __call__(self, job: Job) -> Ended:
        if job.argv == LIST.argv:
            return Ended(0, "\n".join(self._packages))
        name = job.argv[-1].removeprefix("in/")
        self.started.append(name)
        written = job.files[name].decode()
        if "broken" in written:
            return Ended(1, err='Error in f(x) : could not find function "broken"\nExecution halted\n')
        return self._ends.get(name.partition(".")[0], Ended(0, "2 genes differ.\n", files=LEFT | PICTURES))

    @property
    def sandbox(self) -> ScriptedSandbox:
        return ScriptedSandbox({"Rscript": self, "python3": self})


async def test_tasks_run_in_their_order_with_what_came_before() -> None:
    r = R()
    bench = Bench(r.sandbox)
    later, first = await bench.run([PATHWAY, DIFFERENTIAL], FILES)
    assert r.started == ["bulk_rnaseq.R", "pathway.R"]
    assert (first.state, later.state, success_rate((later, first))) == (State.DONE, State.DONE, 1.0)
    assert later.ran is not None
    assert dict(later.ran.program.inputs)["ranked.csv"] == first.file("results.csv")
    assert first.text("summary.txt") == "2 genes differ.\n"


async def test_all_code_and_values_are_shown_and_the_decision_is_bound_to_them() -> None:
    bench = Bench(R().sandbox)
    await bench.run([DIFFERENTIAL, PATHWAY], FILES)
    [asked] = bench.asked
    assert isinstance(asked, Request)
    assert [one.name for one in asked.attachments] == [
        "pestle.R",
        "de/bulk_rnaseq.R",
        "de/parameters.json",
        "sets/pathway.R",
        "sets/parameters.json",
        "inputs.txt",
    ]
    shown = [await bench.artefacts.get(one.sha256) for one in asked.attachments]
    assert b"DESeq" in (shown[1] or b"")
    assert b'"reference": "control"' in (shown[2] or b"")
    assert b"reads counts.csv " in (shown[-1] or b"")
    assert b"reads ranked.csv, which is results.csv of de" in (shown[-1] or b"")
    other = Bench(R().sandbox)
    await other.run([DIFFERENTIAL, PATHWAY], FILES | {"counts.csv": counts(20, seed=2)})
    assert isinstance(other.asked[0], Request)
    assert other.asked[0].shown != asked.shown, "other data need another decision"


async def test_nothing_runs_before_a_yes_nor_after_a_no() -> None:
    r = R()
    [result] = await Bench(r.sandbox, decide="reject").run([DIFFERENTIAL], FILES)
    assert (result.state, result.reason) == (State.NOT_RUN, "ana rejected the programs.")
    assert r.started == []


@pytest.mark.parametrize(
    ("sandbox", "told"),
    [
        (RefusingSandbox(["bwrap"]), "apt-get install bubblewrap"),
        (ScriptedSandbox({}), "R is not installed here"),
        (R(("jsonlite",)).sandbox, "R lacks DESeq2, edgeR, limma"),
    ],
)
async def test_what_is_missing_is_explained_and_nobody_is_asked(sandbox: Sandbox, told: str) -> None:
    bench = Bench(sandbox)
    [result] = await bench.run([DIFFERENTIAL], FILES)
    assert result.state is State.NOT_RUN
    assert told in result.reason
    assert bench.asked == []


async def test_what_cannot_be_run_does_not_hold_up_the_rest() -> None:
    tasks = [
        replace(DIFFERENTIAL, id="no file", inputs=()),
        DIFFERENTIAL,
        task("after", "pathway", after=("no file",)),
        task("loop", "survival", "counts.csv", after=("loop",)),
        task("odd", "wet lab", "counts.csv"),
        replace(DIFFERENTIAL, id="told", why_not="No dataset was found."),
    ]
    results = await Bench(R().sandbox).run(tasks, FILES)
    assert [one.state.value for one in results] == [
        "not run",
        "done",
        "not run",
        "not run",
        "not run",
        "not run",
    ]
    told = [one.reason for one in results]
    assert "None of its files is at hand" in told[0]
    assert told[2] == "It depends on 'no file', which cannot be run."
    assert told[3] == "It depends on itself."
    assert "There is no tested program for wet lab" in told[4]
    assert told[5] == "No dataset was found."


@pytest.mark.parametrize(
    ("ended", "level", "reason"),
    [
        (Ended(1, err="Error in library(x) : there is no package called ‘x’\n"), 1, "no package called"),
        (Ended(1, err="Error: object 'y' not found\nExecution halted\n"), 2, "object 'y' not found"),
        (Ended(-1, reason="used more than 200 MB of memory"), 3, "used more than 200 MB"),
        (Ended(-1, reason="ran longer than 1 s"), 4, "ran longer than 1 s"),
        (Ended(0, files={"results.csv": b"a"}), 4, "it did not write top.csv, summary.txt, session.txt"),
        (Ended(0, files={"results.csv": b""}), 4, "it did not write results.csv"),
    ],
)
async def test_a_failure_has_a_level_and_what_depends_on_it_is_not_run(
    ended: Ended, level: int, reason: str
) -> None:
    failed, later = await Bench(R(bulk_rnaseq=ended).sandbox).run([DIFFERENTIAL, PATHWAY], FILES)
    assert (failed.state, failed.level) == (State.FAILED, level)
    assert reason in failed.reason
    assert "Execution halted" not in failed.reason
    assert (later.state, later.reason) == (State.NOT_RUN, "A task that it depends on gave no result.")
    assert success_rate((failed, later)) == 0.0


def test_levels_are_those_of_the_paper() -> None:
    said = {
        "cannot open file 'x.csv': No such file or directory": 1,
        'Error: unexpected symbol in "a b"': 2,
        "non-numeric argument to binary operator": 2,
        "subscript out of bounds": 3,
        "cannot allocate vector of size 2 Gb": 3,
        "the model did not converge": 4,
    }
    assert {text: level_of(text) for text in said} == said


async def test_a_report_shows_what_was_found_with_the_code_whole() -> None:
    [result] = await Bench(R().sandbox).run([DIFFERENTIAL], FILES)
    blocks = task_blocks(result)
    assert [one.kind for one in blocks] == ["heading", "points", "table", *["figure"] * 7, "code", "code"]
    [by] = computations([result])
    assert blocks[1].statements[0].origin == by.origin  # type: ignore[union-attr]


PROGRAM = {"language": "r", "code": "broken()"}
MENDED = {"language": "r", "code": "library(limma)\nprint(1)"}


async def test_a_model_writes_what_no_template_does_and_mends_what_fails() -> None:
    r, model = R(), ScriptedModel({"research": [PROGRAM, MENDED]})
    bench = Bench(r.sandbox, model)
    [result] = await bench.run(
        [task("odd", "wet lab", "counts.csv", description="Count <data> well.")], FILES
    )
    assert result.state is State.DONE
    assert r.started == ["odd.R", "odd.R"]
    assert [(one.level, "broken" in one.source.text) for one in result.attempts] == [(2, True)]
    first, second = model.calls
    assert "s1,s2" in first.user, "it sees how its inputs begin"
    assert "could not find function" in second.user
    assert result.ready is not None
    assert result.ready.by == "scripted"
    [asked] = bench.asked
    assert isinstance(asked, Request)
    assert "may be corrected by scripted, up to 3 times" in asked.question


async def test_rounds_are_bounded_and_a_model_that_fails_leaves_the_error() -> None:
    always = ScriptedModel({"research": lambda call: PROGRAM})
    [result] = await Bench(R().sandbox, always).run([task("odd", "wet lab", "counts.csv")], FILES)
    assert (result.state, result.level, len(result.attempts)) == (State.FAILED, 2, 3)
    gone = ScriptedModel({"research": [PROGRAM, ModelUnavailable("It is gone.")]})
    [result] = await Bench(R().sandbox, gone).run([task("odd", "wet lab", "counts.csv")], FILES)
    assert result.state is State.FAILED
    assert "It was not corrected" in result.reason


async def test_a_package_that_is_not_allowed_is_told_before_the_program_runs() -> None:
    r = R()
    wild = {"language": "r", "code": "library(reticulate)"}
    model = ScriptedModel({"research": [wild, MENDED]})
    [result] = await Bench(r.sandbox, model).run([task("odd", "wet lab", "counts.csv")], FILES)
    assert (result.state, r.started) == (State.DONE, ["odd.R"])
    assert (result.attempts[0].level, result.attempts[0].reason.split(".")[0]) == (
        1,
        "not allowed: package reticulate",
    )


@pytest.mark.parametrize(
    ("language", "code", "told"),
    [
        ("r", "suppressMessages(library('limma')); stats::sd(1)", ""),
        ("r", "# library(shiny)\nprint(1)", ""),
        ("r", 'requireNamespace("shiny")', "package shiny"),
        ("r", "shiny::runApp()", "package shiny"),
        ("python", "import csv, json\nfrom collections.abc import Iterable", ""),
        ("python", "import requests.api", "package requests"),
        ("python", "def f(:", "SyntaxError"),
    ],
)
def test_packages_of_code(language: str, code: str, told: str) -> None:
    why = not_allowed(Source("a", language, code), ("limma",))
    assert told in why
    assert bool(why) == bool(told)
