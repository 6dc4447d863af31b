"""`pestle eval support`: is every value carried by its citation, and every sentence of a safety report?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.runs import found
from adapters.cli.session import JsonFile, console, with_runtime, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.reports.gate import Audit
    from agents.reports.recheck import Texts
    from agents.reports.values import Report
    from agents.safety.evaluate.sentences import Grounded
    from retrieval.values import Document

SAFETY = "safety"
"""The kind of run whose sentences are classified."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A report with what was found in its values, and of a safety report in its sentences."""

    report: Report
    audit: Audit
    sentences: Grounded | None = None


def support_command(
    targets: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Ids of runs."),
    ],
    json_file: JsonFile = None,
) -> None:
    """Check each value that runs show against the stored text of its citation. Safety reports also get their
    evidential support rate.

    Numbers with units, frequencies, dates, counts, identifiers and names are counted. Exit code 7 if any is
    not carried, or a sentence of a safety report is unsupported.
    """
    from agents.reports.gate import Audit
    from agents.safety.evaluate.sentences import Grounded

    checked = [_of_run(target) for target in targets]
    audit = sum((one.audit for one in checked), Audit())
    wrong = [
        f"{one.report.title}: {place}: {fault.value!r}: {fault.reason}"
        for one in checked
        for place, fault in one.audit.wrong
    ]
    counts = {
        "reports": len(checked),
        "citations": sum(len(one.report.citations) for one in checked),
        "values": audit.values,
        "computed": audit.computed,
        "proposed": audit.proposed,
    }
    _tell(counts, wrong)
    told = [one.sentences for one in checked if one.sentences is not None]
    sentences = sum(told, Grounded()) if told else None
    if sentences is not None:
        _tell_sentences(sentences)
    write_json(json_file, {**counts, "wrong": wrong, **(sentences.as_fields() if sentences else {})})
    if wrong or (sentences and sentences.unsupported):
        raise typer.Exit(7)


def _tell(counts: dict[str, int], wrong: list[str]) -> None:
    console.print(
        "{values} values and {citations} citations of {reports} reports: ".format_map(counts)
        + f"{len(wrong)} not carried",
        highlight=False,
    )
    if counts["computed"] or counts["proposed"]:
        told = "{computed} of the values are computed, {proposed} proposed".format_map(counts)
        console.print(told, highlight=False)
    for line in wrong:
        console.print(line, style="red", markup=False, highlight=False)


def _tell_sentences(found: Grounded) -> None:
    rate = "empty" if found.rate is None else f"{found.rate:.4f}"
    counts = ", ".join(f"{count} {kind}" for kind, count in found.counts.items())
    console.print(
        f"evidential support rate {rate} of {len(found.sentences)} sentences: {counts}", highlight=False
    )
    for one in found.unsupported:
        console.print(f"unsupported, {one.section}: {one.text}", style="red", markup=False, highlight=False)


def texts_of(built: Runtime) -> Texts:
    """The stored texts of a house: documents of the archive, and what tools fetched."""

    async def text(key: str) -> Document | None:
        if document := await built.house.index.document(key):
            return document
        source = await built.house.sources.get(key)
        return source.document if source else None

    return text


def _of_run(run_id: str) -> Checked:
    from agents.reports.recheck import recheck
    from agents.safety.evaluate.grounding import ground

    async def work(built: Runtime) -> Checked:
        text = texts_of(built)
        view = await built.views.of(await found(built, run_id))
        if view.history is None:
            raise BadRequest(f"The run {run_id} has no {view.kind.result} yet.")
        written = view.history.written
        sentences = await ground(written, text) if view.kind.name == SAFETY else None
        return Checked(written, await recheck(written, text), sentences)

    return with_runtime(work)
