"""`pestle eval support`: is every value carried by its citation, and every sentence of a safety report?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.runs import found
from adapters.cli.session import JsonFile, console, with_runtime, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.archive.evaluate.support import SupportReport
    from agents.reports.recheck import Texts
    from agents.safety.evaluate.sentences import Grounded
    from retrieval.values import Document

SAFETY = "safety"
"""The kind of run whose sentences are classified."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in values, and in the sentences of safety reports."""

    values: SupportReport
    sentences: Grounded | None = None

    def __add__(self, other: Checked) -> Checked:
        from agents.safety.evaluate.sentences import Grounded

        told = [one for one in (self.sentences, other.sentences) if one is not None]
        return Checked(self.values + other.values, sum(told, Grounded()) if told else None)


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
    from agents.archive.evaluate.support import SupportReport

    result = Checked(SupportReport())
    for target in targets:
        result += _of_run(target)
    _tell(result.values)
    if result.sentences is not None:
        _tell_sentences(result.sentences)
    grounded = result.sentences.as_fields() if result.sentences else {}
    write_json(json_file, {**asdict(result.values), **grounded})
    if result.values.wrong or (result.sentences and result.sentences.unsupported):
        raise typer.Exit(7)


def _tell(result: SupportReport) -> None:
    console.print(
        f"{result.values} values and {result.citations} citations of {result.reports} reports: "
        f"{len(result.wrong)} not carried",
        highlight=False,
    )
    if result.computed or result.proposed:
        told = f"{result.computed} of the values are computed, {result.proposed} proposed"
        console.print(told, highlight=False)
    for line in result.wrong:
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
    from agents.archive.evaluate.support import support_of
    from agents.safety.evaluate.grounding import ground

    async def work(built: Runtime) -> Checked:
        text = texts_of(built)
        view = await built.views.of(await found(built, run_id))
        if view.history is None:
            raise BadRequest(f"The run {run_id} has no {view.kind.result} yet.")
        written = view.history.written
        values = await support_of(written, text)
        if view.kind.name != SAFETY:
            return Checked(values)
        return Checked(values, await ground(written, text))

    return with_runtime(work)
