"""An ingest that is killed in the middle: what was stored stays, the next ingest does only the rest."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.parse.pool import ParserPool
from tests.support.hashing import HashingEncoder

FILES = 120
PROGRAM = """
import asyncio, sys
from pathlib import Path
from retrieval.ingest import batch_writer
from tests.support.hashing import HashingEncoder
from retrieval.ingest.folder import Folder
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.update import ingest
from retrieval.parse.pool import ParserPool

async def main(archive, index_file):
    batch_writer.BATCH = batch_writer.STORED_TEXTS = 4
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


def ingest_and_kill(archive: Path, index_file: Path) -> list[int]:
    """Kill -9 once some documents are stored; the processes that it had started."""
    command = [sys.executable, "-c", PROGRAM, str(archive), str(index_file)]
    with subprocess.Popen(command) as started:
        while stored(index_file) < 8 and started.poll() is None:
            time.sleep(0.005)
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        parsing = list(map(int, children.read_text().split())) if children.exists() else []
        started.send_signal(signal.SIGKILL)
    return parsing


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


async def test_a_killed_ingest_keeps_its_batches_and_the_next_one_does_the_rest(tmp_path: Path) -> None:
    archive, index_file = tmp_path / "archive", tmp_path / "index.sqlite"
    archive.mkdir()
    for n in range(FILES):
        (archive / f"{n:03}.md").write_text(f"# Study {n} of QX-1001\n\nRats received QX-1001 {n} mg/kg.")
    parsing = ingest_and_kill(archive, index_file)
    kept = stored(index_file)
    assert 8 <= kept < FILES
    for _ in range(200):
        if any(map(running, parsing)):
            await asyncio.sleep(0.05)
    assert not any(map(running, parsing)), "a parsing process outlives its parent"
    encoder, pool = HashingEncoder(64), ParserPool()
    index = SqliteIndex(index_file, encoder)
    report = await ingest(Folder(archive), index, encoder, pool)
    await pool.close()
    assert (report.unchanged, len(report.added), report.updated) == (kept, FILES - kept, ())
    assert [record.doc_id for record in await index.records()] == [f"{n:03}" for n in range(FILES)]
    assert [(m.name, m.documents) for m in await index.molecules()] == [("QX-1001", FILES)]
    await index.close()
