"""From a program that ran to what a report may show as computed by it."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.programs.kept import Ran
from agents.reports.values import Code, Computation, Figure, Origin, Report
from agents.runs.artefacts import Artefact
from agents.runs.hashing import digest
from agents.runs.records import StepRecord


def computation(ran: Ran) -> Computation:
    """What values, figures and code of a report can be computed by."""
    names = [name for name, _ in ran.program.inputs]
    return Computation(
        ran.key,
        ran.program.name,
        ", ".join(names[:5]) + (f" and {len(names) - 5} more files" if len(names) > 5 else ""),
        ran.program.sha256,
        tuple(sha256 for _, sha256 in ran.program.inputs),
        tuple(one.sha256 for one in ran.files),
        (ran.out, *(text for _, text in ran.texts)),
    )


def as_figures(files: Iterable[Artefact], origin: Origin | None = None) -> tuple[Figure, ...]:
    """Files that a program or a tool made, as a report shows them."""
    return tuple(Figure(one.name, one.sha256, one.media_type, "", origin=origin) for one in files)


def is_sound(one: Computation) -> bool:
    """Whether the key is that of its content."""
    return one.key == digest((one.program, one.files, one.texts))


def has_run(code: Code, by: Computation) -> bool:
    """Whether a computation ran exactly this code, and printed exactly this."""
    same = hashlib.sha256(code.text.encode()).hexdigest() in by.inputs
    return same and (not code.output or code.output in by.texts)


def only_kept(report: Report, steps: Iterable[StepRecord]) -> Report:
    """The report with those computations alone that a finished step of its run keeps."""
    outputs = [step.output for step in steps]

    def kept(some: Sequence[Computation]) -> tuple[Computation, ...]:
        return tuple(one for one in some if any(f'"{one.key}"' in output for output in outputs))

    return replace(
        report, sections=tuple(replace(one, computations=kept(one.computations)) for one in report.sections)
    )
