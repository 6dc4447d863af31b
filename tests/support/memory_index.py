"""An index that goes with the process: for tests, trials and small archives that need not last."""

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder


class MemoryIndex(SqliteIndex):
    """The embedded index in a folder of its own, which is removed with it."""

    def __init__(self, encoder: Encoder) -> None:
        folder = tempfile.mkdtemp(prefix="pestle-index-")
        super().__init__(Path(folder) / "index.db", encoder)
        weakref.finalize(self, _remove, folder, self._connections)


def _remove(folder: str, connections: Sequence[sqlite3.Connection]) -> None:
    for connection in connections:
        connection.close()
    shutil.rmtree(folder, ignore_errors=True)
