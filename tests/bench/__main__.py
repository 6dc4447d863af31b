"""`python -m tests.bench [--chunks N] [--documents N] [--only search|ingest|question]`."""

import argparse
import asyncio
import os
import tempfile
from pathlib import Path

from tests.bench import ingest, question, search
from tests.bench.report import Measure, save, show


async def measure(chunks: int, documents: int, only: str) -> list[Measure]:
    measures: list[Measure] = []
    with tempfile.TemporaryDirectory(prefix="pestle-bench-") as name:
        folder = Path(name)
        if only in ("", "search"):
            print(f"bench: building an index of {chunks} chunks and searching it (some minutes)", flush=True)
            measures += await search.measure(folder, chunks)
        if only in ("", "ingest"):
            print(f"bench: ingesting {documents} documents", flush=True)
            measures += await ingest.measure(folder, documents)
        if only in ("", "question"):
            measures += await question.measure(folder)
    return measures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--chunks", type=int, default=100_000, help="chunks to search in")
    parser.add_argument("--documents", type=int, default=40, help="documents of 20 chunks to ingest")
    parser.add_argument("--only", choices=["", "search", "ingest", "question"], default="")
    options = parser.parse_args()
    measures = asyncio.run(measure(options.chunks, options.documents, options.only))
    print(show(measures))
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"\n{load:.1f} processes wanted {cores} cores at the end; with more than cores, times are too long")
    print(f"\nwritten to {save(measures)}")


if __name__ == "__main__":
    main()
