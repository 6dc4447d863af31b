"""Adding files of labels to the store: time and memory of each, with labels made from a file of passages.

    python -m tests.bench.labels PASSAGES.jsonl --labels 5000 --files 5

Each file holds as many new labels, whose sections are those of the given ones; each is added by a process of
its own, whose peak of memory is told.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from adapters.sources.bulk import BulkFolder
from adapters.sources.documents import load_documents
from agents.databases.label_documents import LABELS
from retrieval.index.sqlite import SqliteIndex
from tests.support.hashing import HashingEncoder

ENCODER = HashingEncoder(384)


def templates(passages: Path) -> list[dict[str, object]]:
    """The labels of a file of passages, as openFDA has whole labels."""
    sections: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in passages.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        sections[one["drug"]][one["section"]].append(one["text"])
    return [{**own, "openfda": {"generic_name": [drug]}} for drug, own in sections.items()]


def made(given: list[dict[str, object]], first: int, count: int) -> Iterator[str]:
    """A file of labels that differ in their set ids and in a first sentence."""
    yield '{"meta": {}, "results": ['
    for number in range(first, first + count):
        own = {"description": [f"Label {number}."], "set_id": f"set-{number}", "effective_time": "20260102"}
        yield json.dumps(given[number % len(given)] | own) + ("," if number < first + count - 1 else "")
    yield "]}"


def add(folder: Path, file: Path) -> None:
    """Add a file and tell what it took."""
    began = time.perf_counter()
    rows = asyncio.run(_loaded(folder, file))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    size = file.stat().st_size / 1e6
    print(f"{rows} labels; this file {size:.0f} MB, {time.perf_counter() - began:.1f} s, {peak} MB of memory")


async def _loaded(folder: Path, file: Path) -> int:
    """Take a file in; how many labels there are then."""
    index = SqliteIndex(folder / "labels.db", ENCODER)
    release = await load_documents(index, ENCODER.dimension, BulkFolder(folder), LABELS, [file])
    await index.close()
    return release.rows


def main() -> None:
    """Make the files and add them one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("passages", type=Path)
    parser.add_argument("--labels", type=int, default=5000, help="labels in each file")
    parser.add_argument("--files", type=int, default=5)
    parser.add_argument("--add", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.add:
        add(given.add, given.passages)
        return
    with tempfile.TemporaryDirectory() as place:
        of = templates(given.passages)
        for number in range(given.files):
            file = Path(place) / f"labels-{number}.json"
            file.write_text("\n".join(made(of, number * given.labels, given.labels)), encoding="utf-8")
            command = [sys.executable, "-m", "tests.bench.labels", str(file), "--add", f"{place}/store"]
            subprocess.run(command, check=True)
            file.unlink()


if __name__ == "__main__":
    main()
