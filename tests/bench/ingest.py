"""Ingest against the raw encoder on the same texts, and whether memory grows with the archive."""

import time
from collections.abc import Sequence
from pathlib import Path

from retrieval.embed.minilm import MiniLM
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.ports import Vectors
from retrieval.values import ParsedFile
from tests.bench.corpus import Language, documents
from tests.bench.report import Measure, resident_mb
from tests.support.parsing import InThread

WORDS_IN_DOCUMENT = 10_000
SHARES = (0.25, 0.5, 1.0)
TARGET = 0.9
GROWTH_MB = 64
"""What memory may grow between a quarter of the archive and all of it."""


class Recording(MiniLM):
    """Keeps the batches it was asked for, so that the raw encoder can be given the same."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[Sequence[str]] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(texts)
        return await super().encode(texts)


async def measure(folder: Path, count: int) -> list[Measure]:
    """Ingest so many documents of 20 chunks; then encode what was encoded, and nothing else."""
    archive = folder / "archive"
    archive.mkdir()
    for name, text in documents(Language(), count, WORDS_IN_DOCUMENT):
        (archive / name).write_text(text, "utf-8")
    encoder = Recording()
    index = SqliteIndex(folder / "ingest.sqlite", encoder)
    await encoder.encode(["warm up"])
    encoder.batches.clear()
    memory: dict[int, float] = {}
    marks = {max(1, round(share * count)) for share in SHARES}

    def progress(done: int, *_: object) -> None:
        if done in marks:
            memory[done] = resident_mb()

    report = await ingest(Folder(archive), index, encoder, InThread(_parse), progress=progress)
    raw = await _raw_seconds(encoder)
    await index.close()
    rate, raw_rate = report.chunks / report.seconds, report.chunks / raw
    first, *_, last = (memory[done] for done in sorted(memory))
    return [
        Measure(
            f"ingest of {report.chunks} chunks",
            rate,
            "chunks/s",
            f"ratio >= {TARGET}",
            rate / raw_rate >= TARGET,
            "raw encoder",
            raw_rate,
        ),
        *(Measure(f"memory after {done} documents", memory[done], "MB") for done in sorted(memory)),
        Measure(
            "growth from 25 % to 100 %", last - first, "MB", f"<= {GROWTH_MB} MB", last - first <= GROWTH_MB
        ),
    ]


async def _raw_seconds(encoder: Recording) -> float:
    batches = list(encoder.batches)
    began = time.perf_counter()
    for batch in batches:
        await MiniLM.encode(encoder, batch)
    return time.perf_counter() - began


def _parse(path: Path) -> ParsedFile:
    return ParsedFile(path.read_text("utf-8"))
