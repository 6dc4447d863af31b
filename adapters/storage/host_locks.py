"""Which runs live processes of this machine execute: a locked file for each, freed when its process dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # no such locks on Windows: leases alone decide there
    fcntl = None  # type: ignore[assignment]


class FileLocks:
    """Implements `agents.runs.lease.Locks`, between all processes that share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def hold(self, run_id: str) -> Iterator[bool]:
        """Hold a run during the block, which gets False where another process holds it.

        Where the folder cannot be written the run counts as free: its lease still protects it.
        """
        if fcntl is None or (handle := self._open(run_id)) is None:
            yield True
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            yield False
            return
        try:
            yield True
        finally:
            self._path(run_id).unlink(missing_ok=True)
            os.close(handle)

    def _open(self, run_id: str) -> int | None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            return os.open(self._path(run_id), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError:
            return None

    def _path(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.lock"
