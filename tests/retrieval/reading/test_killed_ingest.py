"""An ingest that is killed in the middle: what was stored stays, the next ingest does only the rest."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from retrieval.embed.hashing import HashingEncoder
from retrieval.folder import Folder
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest import ingest
from retrieval.parse.pool import ParserPool

FILES = 120
PROGRAM = """
import asyncio, sys
from pathlib import Path
from retrieval import storing
from retrieval.embed.hashing import HashingEncoder
from retrieval.folder import Folder
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest import ingest
from retrieval.parse.pool import ParserPool

async def main(archive, index_file):
    storing.BATCH = storing.STORED_TEXTS = 4
    encoder = HashingEncoder(64)
    await ingest(Folder(Path(archive)), SqliteIndex(Path(index_file), encoder), encoder, ParserPool())

asyncio.run(main(*sys.argv[1:]))
"""


def stored(index_file: Path) -> int:
    """How many documents the index holds; 0 while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{index_file}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM documents").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def ingest_and_kill(archive: Path, index_file: Path) -> None:
    """Kill -9 once some documents are stored."""
    command = [sys.executable, "-c", PROGRAM, str(archive), str(index_file)]
    with subprocess.Popen(command) as started:
        while stored(index_file) < 8 and started.poll() is None:
            time.sleep(0.005)
        started.send_signal(signal.SIGKILL)


async def test_a_killed_ingest_keeps_its_batches_and_the_next_one_does_the_rest(tmp_path: Path) -> None:
    archive, index_file = tmp_path / "archive", tmp_path / "index.sqlite"
    archive.mkdir()
    for n in range(FILES):
        (archive / f"{n:03}.md").write_text(f"# Study {n} of QX-1001\n\nRats received QX-1001 {n} mg/kg.")
    ingest_and_kill(archive, index_file)
    kept = stored(index_file)
    assert 8 <= kept < FILES
    encoder, pool = HashingEncoder(64), ParserPool()
    index = SqliteIndex(index_file, encoder)
    report = await ingest(Folder(archive), index, encoder, pool)
    await pool.close()
    assert (report.unchanged, len(report.added), report.updated) == (kept, FILES - kept, ())
    assert [record.doc_id for record in await index.records()] == [f"{n:03}" for n in range(FILES)]
    assert [(m.name, m.documents) for m in await index.molecules()] == [("QX-1001", FILES)]
    await index.close()
