"""`pestle eval support`: is every value carried by its citation, and every sentence of a safety report? And
which true statements of a model were struck?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
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
    from agents.trust.struck import Written
    from retrieval.values import Document

ARCHIVE, SAFETY = "archive", "safety"
"""The kind of run whose struck statements are listed, and the one whose sentences are classified."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A report with what was found in its values, of a safety report in its sentences, and of an answer what
    became of its model's statements, with the verdicts of a model that was asked for them.
    """

    report: Report
    audit: Audit
    sentences: Grounded | None = None
    written: tuple[Written, ...] = ()
    verdicts: Mapping[str, bool] = field(default_factory=dict)


def support_command(
    targets: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Ids of runs."),
    ],
    json_file: JsonFile = None,
    verdicts: Annotated[
        Path | None, typer.Option(help="The file of --json, `true` filled in where it was null.")
    ] = None,
    judge: Annotated[bool, typer.Option("--judge", help="Ask the model of PESTLE_JUDGE_MODEL.")] = False,
) -> None:
    """Check each value that runs show against the stored text of its citation. Safety reports also get their
    evidential support rate.

    Numbers with units, frequencies, dates, counts, identifiers and names are counted. Exit code 7 if any is
    not carried, or a sentence of a safety report is unsupported.

    Of answers, the statements of their model that were struck or marked are listed with what they cite. To
    learn how many true ones were struck, write them with --json FILE, set `true` to true or false for each,
    and give the file back with --verdicts FILE; or let a model judge with --judge. Those that the words of
    their passages confirm count as true.
    """
    from agents.reports.gate import Audit
    from agents.safety.evaluate.sentences import Grounded

    said = _verdicts(verdicts)
    checked = [_of_run(target, judge) for target in targets]
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
    written = [one for run in checked for one in run.written]
    known = {key: true for run in checked for key, true in run.verdicts.items()} | said
    fields = {**counts, "wrong": wrong, **(sentences.as_fields() if sentences else {})}
    write_json(json_file, fields | (_tell_written(written, known) if written else {}))
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
        console.tell(line, "red", wrap=True)


def _tell_sentences(found: Grounded) -> None:
    rate = "empty" if found.rate is None else f"{found.rate:.4f}"
    counts = ", ".join(f"{count} {kind}" for kind, count in found.counts.items())
    console.print(
        f"evidential support rate {rate} of {len(found.sentences)} sentences: {counts}", highlight=False
    )
    for one in found.unsupported:
        console.tell(f"unsupported, {one.section}: {one.text}", "red", wrap=True)


def _tell_written(written: Sequence[Written], verdicts: Mapping[str, bool]) -> dict[str, object]:
    """Print what was struck or marked, and the share of true statements; the same as fields."""
    from agents.trust.measure import CONFIRMED
    from agents.trust.struck import shares

    doubted = [one for one in written if one.became != CONFIRMED]
    for one in doubted:
        cited = "".join(f"\n    {each.doc_id}: {' '.join(each.text.split())}" for each in one.passages)
        judged = f", {str(verdicts[one.id]).lower()}" if one.id in verdicts else ""
        told = f"{one.became}{judged}, {one.id}: {one.text}{cited}"
        console.tell(told)
    found = shares(written, verdicts)
    low, high = found.interval
    console.print(
        f"{found.struck} of {found.true} true statements struck ({low:.1%} to {high:.1%}, 95 % interval by "
        f"Wilson), {found.marked} marked, {found.unjudged} not judged",
        highlight=False,
    )
    listed = [asdict(one) | {"true": verdicts.get(one.id)} for one in doubted]
    return {**asdict(found), "interval": found.interval, "statements": listed}


def _verdicts(file: Path | None) -> dict[str, bool]:
    """The verdicts of a file that this command wrote and a person filled in. Raises `BadRequest`."""
    import orjson

    try:
        listed = orjson.loads(file.read_bytes())["statements"] if file else []
        return {str(one["id"]): one["true"] for one in listed if isinstance(one["true"], bool)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadRequest(f"{file} cannot be read as verdicts: {error}") from error


def texts_of(built: Runtime) -> Texts:
    """The stored texts of a house: documents of the archive, and what tools fetched."""

    async def text(key: str) -> Document | None:
        if document := await built.house.index.document(key):
            return document
        source = await built.house.sources.get(key)
        return source.document if source else None

    return text


def _of_run(run_id: str, judge: bool) -> Checked:
    from adapters.cli.eval.written import written_by_model
    from agents.reports.recheck import recheck
    from agents.safety.evaluate.grounding import ground
    from agents.trust.struck import judged

    async def work(built: Runtime) -> Checked:
        text = texts_of(built)
        view = await built.views.of(await found(built, run_id))
        if view.history is None:
            raise BadRequest(f"The run {run_id} has no {view.kind.result} yet.")
        written = view.history.written
        sentences = await ground(written, text) if view.kind.name == SAFETY else None
        checked = Checked(written, await recheck(written, text), sentences)
        if view.kind.name != ARCHIVE or view.record.revises:
            return checked
        stated = tuple(written_by_model(await built.ledger.steps(run_id), view.record))
        if not judge:
            return replace(checked, written=stated)
        if built.house.model is None:
            raise BadRequest("--judge needs a language model: set PESTLE_MODEL_BASE_URL.")
        records = {one.doc_id: one for one in await built.house.index.records()}
        return replace(checked, written=stated, verdicts=await judged(built.house.model, stated, records))

    return with_runtime(work)
