"""`pestle calibrate`: learn thresholds and fusion weights from judged queries."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.judged import FOLDER_HELP, Cache, IndexKind, Kind, Split, apart, progress_bar
from adapters.cli.session import console, load, run_to_end
from bot.errors import BadRequest

if TYPE_CHECKING:
    from retrieval.calibration import Calibration
    from retrieval.evaluate.calibrate import LearntCalibration


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("calibrate")(calibrate_command)


def calibrate_command(
    folder: Annotated[Path | None, typer.Argument(help=FOLDER_HELP)] = None,
    index: Kind = IndexKind.EMBEDDED,
    split: Split = "",
    rerank: Annotated[bool, typer.Option("--rerank", help="Also learn the reranker's threshold.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what was learnt, and write nothing.")
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Say what is in use, and learn nothing.")] = False,
    cache: Cache = None,
) -> None:
    """Learn thresholds and fusion weights from judged queries, and use them from now on.

    Writes a small file for the encoder and reranker that are set, with what it was learnt on. Weights are
    kept only if they are better than the defaults on queries that they were not learnt on.
    """
    from retrieval.calibration import read_calibration, write_calibration
    from retrieval.evaluate.beir import read_collection
    from retrieval.evaluate.calibrate import learn_calibration

    settings = load()
    path = settings.calibration_path
    if show:
        say(read_calibration(path), path)
        return
    if folder is None:
        raise BadRequest("Name a folder with judged queries in BEIR form, or use --show.")
    collection = read_collection(folder, split)

    async def work() -> LearntCalibration:
        with progress_bar() as progress:
            async with apart(settings, index, cache) as (built, encoder):
                return await learn_calibration(
                    collection,
                    built.index,
                    encoder,
                    built.reranker if rerank else None,
                    index_name=index,
                    date=datetime.now(UTC).date().isoformat(),
                    progress=progress,
                )

    learnt = run_to_end(work())
    if not dry_run:
        write_calibration(path, learnt.calibration)
    say(learnt.calibration, path if not dry_run else None)
    _say_how_good(learnt)


def say(calibration: Calibration, path: Path | None) -> None:
    """A calibration in words; `path` is where it is kept."""
    from retrieval.calibration import DEFAULTS

    def line(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    if calibration == DEFAULTS:
        line(f"There is no calibration in {path}: the defaults apply. `pestle calibrate FOLDER` learns one.")
    else:
        line(f"Calibration for {calibration.encoder}, {f'in {path}' if path else 'not written'}")
    line(f"  fusion: {calibration.fusion}")
    line(f"  cosine of what counts as near, at least: {_threshold(calibration.dense_threshold)}")
    line(f"  score of the reranker, at least: {_threshold(calibration.rerank_threshold)}")
    if on := calibration.learnt_on:
        line(f"  learnt on {on.collection} {on.split}, {on.date}, {on.index} index")
        line(f"  {on.queries} queries, {on.judgements} judgements; SHA-256 of the data {on.sha256}")
        line(f"  nDCG@10: defaults {on.ndcg_default:.4f}, learnt {on.ndcg_held_out:.4f} on held-out queries")


def _threshold(value: float | None) -> str:
    return "the model's own" if value is None else f"{value:.3f}"


def _say_how_good(learnt: LearntCalibration) -> None:
    """Whether the weights are better, and what the thresholds let pass."""
    from retrieval.calibration import DEFAULTS
    from retrieval.evaluate.calibrate import PASSING, PASSING_RERANKED

    found, better = learnt.comparison, learnt.calibration.fusion != DEFAULTS.fusion
    console.print(
        f"{'The learnt weights are used' if better else 'The default weights stay'}: learnt - default "
        f"{found.difference:+.4f} nDCG@10 on held-out queries "
        f"(p = {found.p_value:.4f}; {found.wins} better, {found.losses} worse)",
        highlight=False,
    )
    console.print(f"{PASSING:.0%} of the relevant documents are near enough", highlight=False)
    if learnt.others_passing is not None:
        console.print(
            f"{PASSING_RERANKED:.0%} of the relevant documents pass the reranker, "
            f"{learnt.others_passing:.0%} of the nearest others do",
            highlight=False,
        )
