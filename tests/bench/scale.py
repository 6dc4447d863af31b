"""A whole company's folder: thousands of files of five formats, taken in, taken in again, and with news.

The hashing encoder shows what reading and storing cost; a share of the files goes through the default encoder
as well, which sets the pace there.
"""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.cli.progress import Log
from retrieval.embed.minilm import MiniLM
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.parse.pool import ParserPool
from retrieval.ports import Encoder
from retrieval.values import IngestReport
from tests.bench.corpus import Language
from tests.bench.report import Measure, resident_mb
from tests.support.demo_archive import WRITERS
from tests.support.hashing import HashingEncoder

FORMATS = ("md", "pdf", "docx", "md", "html", "pdf", "docx", "md", "xlsx", "txt")
"""In turn: 30 % Markdown, 20 % PDF, 20 % Word, 10 % each of HTML, Excel and plain text."""
SECTIONS = 3
WORDS_IN_SECTION = 250
ROWS = 12
MOLECULES = 200
IN_A_FOLDER = 100
VERSION_EVERY = 20
"""Of so many files, one is a second version of the file before, with one more section."""
AMENDED = 100
"""Words of that section."""
ENCODED_SHARE = 0.02
"""Of the files, taken in with the default encoder too."""
SHARES = (0.25, 0.5, 1.0)
GROWTH_MB = 300
"""What memory may grow between a quarter and all of 10,000 documents: records and ids are kept, texts not."""


@dataclass(frozen=True)
class Taken:
    """An ingest: its report, how many documents are older versions, and the memory of this process and its
    children at some shares of it.
    """

    report: IngestReport
    older: int
    memory: Mapping[int, float]


def write_files(folder: Path, count: int) -> None:
    """Write so many reports about some molecules, in all formats, a hundred to a folder."""
    language, log, title, text = Language(), Log(), "", ""
    for number in range(count):
        suffix, write = WRITERS[FORMATS[number % len(FORMATS)]]
        name, version = number, ""
        if number % VERSION_EVERY == 1:
            name, version = number - 1, " v2"
            text = f"{text}\n## Amendment\n\n{language.text(AMENDED)}\n"
        else:
            title = f"Study {number} of {language.code(number % MOLECULES)}"
            text = report_text(language, title, number)
        path = folder / f"{name // IN_A_FOLDER:03}" / f"report-{name:05}{version}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(text, {"title": title, "doc_id": f"R-{name:05}{version}"}, path)
        log(number + 1, count, path.name)


def report_text(language: Language, title: str, number: int) -> str:
    """A report with sections and a table."""
    code = language.code(number % MOLECULES)
    sections = (
        f"## Section {n + 1}\n\nRats received {code} 10 mg/kg. {language.text(WORDS_IN_SECTION)}"
        for n in range(SECTIONS)
    )
    rows = "\n".join(f"| {n} | {number % 7 + n} | {language.text(4)} |" for n in range(ROWS))
    table = f"| Animal | Weight (g) | Finding |\n|---|---|---|\n{rows}"
    return "\n\n".join((f"# {title}", *sections, table)) + "\n"


async def take_in(folder: Path, index_file: Path, encoder: Encoder, pool: ParserPool) -> Taken:
    """Bring an index up to date with the folder."""
    index, log = SqliteIndex(index_file, encoder), Log()
    memory: dict[int, float] = {}

    def progress(done: int, total: int, name: str) -> None:
        if done in {max(1, round(share * total)) for share in SHARES}:
            memory[done] = family_mb()
        log(done, total, name)

    report = await ingest(Folder(folder), index, encoder, pool, progress=progress)
    older = sum(bool(record.newest_version) for record in await index.records())
    await index.close()
    return Taken(report, older, memory)


def family_mb() -> float:
    """Memory of this process and its children that is in RAM now, in MB."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    pages = (int(Path(f"/proc/{child}/statm").read_text().split()[1]) for child in children)
    return resident_mb() + sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


async def measure(folder: Path, count: int) -> list[Measure]:
    """Take in `count` files; again with nothing new; with one new document; a share with MiniLM."""
    archive, index_file = folder / "archive", folder / "scale.sqlite"
    began = time.perf_counter()
    await asyncio.to_thread(write_files, archive, count)
    print(f"bench: wrote {count} files in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    pool, encoder = ParserPool(), HashingEncoder(384)
    first = await take_in(archive, index_file, encoder, pool)
    again = await take_in(archive, index_file, encoder, pool)
    (archive / "news.md").write_text("# Notice\n\nThe name of BX-4003 (lorafetib) has been published.")
    news = await take_in(archive, index_file, encoder, pool)
    share = folder / "share"
    for path in sorted(archive.glob("*/*"))[:: round(1 / ENCODED_SHARE)]:
        share.mkdir(exist_ok=True)
        shutil.copy(path, share)
    encoded = await take_in(share, folder / "encoded.sqlite", MiniLM(), pool)
    await pool.close()
    return [*_measures(count, first), *_repeats(count, again, news), _encoded(encoded)]


def _measures(count: int, first: Taken) -> list[Measure]:
    report = first.report
    kept = len(report.added)
    low, *_, high = (first.memory[done] for done in sorted(first.memory))
    return [
        Measure("files taken in", kept, "documents", f"= {count}", kept == count),
        Measure("ingest, hashing encoder", kept / report.seconds, "documents/s"),
        Measure("of chunks", report.chunks / report.seconds, "chunks/s"),
        Measure("in all", report.seconds, "s"),
        Measure("older versions linked", first.older, f"of {count // VERSION_EVERY}"),
        *(Measure(f"memory after {done} files", first.memory[done], "MB") for done in sorted(first.memory)),
        Measure("growth from 25 % to 100 %", high - low, "MB", f"<= {GROWTH_MB} MB", high - low <= GROWTH_MB),
    ]


def _repeats(count: int, again: Taken, news: Taken) -> list[Measure]:
    return [
        Measure("again, nothing new", again.report.seconds, "s", met=again.report.unchanged == count),
        Measure("again, a new name in one document", news.report.seconds, "s"),
    ]


def _encoded(taken: Taken) -> Measure:
    read = len(taken.report.added)
    rate = read / taken.report.seconds
    return Measure(f"ingest of {read} of them, default encoder", rate, "documents/s")
