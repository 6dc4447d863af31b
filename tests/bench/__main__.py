"""`python -m tests.bench [--only NAME ...] [--chunks N] [--documents N] ...`: see `--help`."""

import argparse
import asyncio
import os
import tempfile
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from tests.bench import (
    elastic,
    events,
    hostile,
    ingest,
    large_files,
    page,
    question,
    remote,
    rerank,
    retrieval,
    rights,
    scale,
    search,
    stages,
    start,
    workers,
)
from tests.bench.report import Measure, save, show

Bench = Callable[[Path, Namespace], Awaitable[list[Measure]]]

BENCHES: Mapping[str, Bench] = {
    "search": lambda folder, options: search.measure(folder, options.chunks, options.words, options.windows),
    "ingest": lambda folder, options: ingest.measure(folder, options.documents),
    "stages": lambda folder, options: stages.measure(folder, options.file),
    "scale": lambda folder, options: scale.measure(folder, options.documents),
    "rerank": rerank.measure,
    "retrieval": retrieval.measure,
    "question": lambda folder, options: question.measure(folder),
    "question-large": lambda folder, options: question.measure_large(folder),
    "remote": lambda folder, options: remote.measure(folder),
    "large-files": large_files.measure,
    "hostile": hostile.measure,
    "events": lambda folder, options: events.measure(folder, options.rate, options.seconds),
    "activities": lambda folder, options: events.measure_teams(folder, options.rate, options.seconds),
    "start": lambda folder, options: start.measure(folder),
    "workers": lambda folder, options: workers.measure(folder),
    "page": lambda folder, options: page.measure(folder),
    "page-full": lambda folder, options: page.measure_full(folder),
    "elastic": lambda folder, options: elastic.measure(options.chunks, options.words, options.windows),
    "rights": lambda folder, options: rights.measure(folder, options.chunks, options.words, options.windows),
    "rights-readers": lambda folder, options: rights.measure_readers(folder),
    "rights-elastic": lambda folder, options: rights.measure_elastic(
        options.chunks, options.words, options.windows
    ),
    "elastic-recall": lambda folder, options: elastic.recall(),
}
"""Every benchmark by name. A new one joins by a line, and by its options in `main`."""
USUAL = ("start", "search", "ingest", "question")
"""What `make bench` runs; the others need a server, more packages or more time."""


async def measure(names: Sequence[str], options: Namespace) -> list[Measure]:
    """The measures of these benchmarks, one after the other, each in a folder of its own."""
    measures: list[Measure] = []
    for name in names:
        print(f"bench: {name}", flush=True)
        with tempfile.TemporaryDirectory(prefix=f"pestle-bench-{name}-") as folder:
            measures += await BENCHES[name](Path(folder), options)
    return measures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", choices=[*BENCHES], nargs="+", default=USUAL, help="what to measure")
    parser.add_argument("--chunks", type=int, default=100_000, help="chunks to search in")
    parser.add_argument("--words", type=int, default=500, help="words of a chunk to search in")
    parser.add_argument("--windows", type=int, default=3, help="vectors of a chunk to search in")
    parser.add_argument("--documents", type=int, default=40, help="documents of 20 chunks to ingest")
    parser.add_argument("--file", type=Path, default=stages.REPORT, help="PDF whose stages are measured")
    parser.add_argument("--rate", type=int, default=50, help="events of Slack or Teams a second")
    parser.add_argument("--seconds", type=int, default=20, help="how long they come")
    parser.add_argument("--pairs", type=int, default=256, help="pairs to rerank")
    parser.add_argument("--device", default="cpu", help="device to rerank on: cpu, cuda")
    parser.add_argument("--model", default="", help="folder of the reranker; empty: MiniLM with a classifier")
    parser.add_argument("--judged", default="", help="folder in BEIR form, for the benchmark retrieval")
    parser.add_argument("--articles", type=int, default=0, help="documents of it to use; 0: all")
    options = parser.parse_args()
    measures = asyncio.run(measure(options.only, options))
    print(show(measures))
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"\n{load:.1f} processes wanted {cores} cores at the end; with more than cores, times are too long")
    print(f"\nwritten to {save(measures)}")


if __name__ == "__main__":
    main()
