"""`pestle eval plain`: safety reports beside what one prompt makes of the very same records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table

from adapters.cli.eval.figures import share
from adapters.cli.eval.support import SAFETY, texts_of
from adapters.cli.runs import found
from adapters.cli.session import JsonFile, console, with_runtime, write_json
from agents.usage import Usage
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.reports.values import Report
    from agents.safety.evaluate.plain import Measured, Need
    from agents.safety.values import Assessment


@dataclass(frozen=True, slots=True)
class Compared:
    """Two reports on one target over the same records: that of a run, and the plain one."""

    run_id: str
    target: str
    records: int
    ours: Measured
    plain: Measured
    plain_report: Report

    def as_fields(self) -> dict[str, Any]:
        """Everything by name."""
        import orjson

        from agents.reports.values import Report
        from agents.runs.encoding import encode

        return {
            "run": self.run_id,
            "target": self.target,
            "records": self.records,
            "pestle": self.ours.as_fields(),
            "plain": self.plain.as_fields(),
            "plain_report": orjson.loads(encode(Report, self.plain_report)[0]),
        }


def plain_command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Ids of safety reports.")],
    needs: Annotated[
        Path | None, typer.Option(help="What a reader needs to be told: target, need, accept, by tabs.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Give the records of each report to the language model in one prompt, and measure both reports alike.

    Who writes the needs should not have seen the reports.
    """
    from agents.safety.evaluate.plain import read_needs

    wanted = read_needs(needs) if needs else ()

    async def work(built: Runtime) -> list[Compared]:
        return [await compared(built, run_id, wanted) for run_id in runs]

    result = with_runtime(work)
    console.print(_table(result))
    for one in result:
        for name, measured in (("Pestle", one.ours), ("one prompt", one.plain)):
            if measured.missed:
                console.print(f"{one.target}, {name}, not told: {'; '.join(measured.missed)}", markup=False)
    write_json(json_file, [one.as_fields() for one in result])


async def compared(built: Runtime, run_id: str, needs: tuple[Need, ...]) -> Compared:
    """One report beside the plain one. Raises `BadRequest` for a run that is no finished safety report, and
    without a language model.
    """
    from agents.runs.encoding import decode
    from agents.safety.checked import concluding
    from agents.safety.evaluate.plain import measure, records_of, write_plainly
    from agents.safety.values import Assessment

    model = built.house.model
    if model is None:
        raise BadRequest("A language model is needed: set PESTLE_MODEL_BASE_URL.")
    view = await built.views.of(await found(built, run_id))
    if view.history is None or view.kind.name != SAFETY:
        raise BadRequest(f"The run {run_id} is no finished target safety report.")
    assessment: Assessment = decode(Assessment, view.record.result or "", "report")
    report, symbol = view.history.written, assessment.target.symbol if assessment.target else ""
    steps = await built.ledger.steps(run_id)
    records = records_of(steps)
    judge = concluding(built.house.entailment)
    plain, usage = await write_plainly(model, judge, report.title, report.about, records)
    own = [one for one in needs if one.target == symbol]
    spent = sum((one.usage for one in steps), Usage())
    texts = texts_of(built)
    ours = await measure(report, texts, own, spent)
    return Compared(run_id, symbol, len(records), ours, await measure(plain, texts, own, usage), plain)


def _table(result: list[Compared]) -> Table:
    """A line a measure, two columns a target."""
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("")
    told = []
    for one in result:
        for name, of in ((f"{one.target}, Pestle", one.ours), (f"{one.target}, one prompt", one.plain)):
            table.add_column(name, justify="right")
            told.append(_lines(of))
    for label in told[0]:
        table.add_row(label, *(lines[label] for lines in told))
    return table


def _lines(of: Measured) -> dict[str, str]:
    return {
        "sentences, rows and figures that tell something": f"{of.factual:,}",
        "of these cited": f"{of.cited:,}",
        "unsupported": f"{of.unsupported:,}",
        "evidential support rate": share(of.support_rate),
        "values": f"{of.values:,}",
        "values not carried": f"{of.not_carried:,}",
        "needs told": f"{len(of.told)} of {len(of.told) + len(of.missed)}",
        "characters": f"{of.characters:,}",
        "calls of the model": f"{of.calls:,}",
        "tokens": f"{of.tokens:,}",
    }
