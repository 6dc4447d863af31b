"""Revisions in memory."""

from agents.reports.revisions import CONFLICT, Revision, RevisionConflict


class MemoryRevisions:
    """Implements `Revisions`; one event loop, one process."""

    def __init__(self) -> None:
        self._lines: dict[str, list[Revision]] = {}

    async def append(self, revision: Revision) -> None:
        """See the port."""
        lines = self._lines.setdefault(revision.report_id, [])
        if revision.cause and any(line.cause == revision.cause for line in lines):
            return
        if revision.number != len(lines) + 1:
            raise RevisionConflict(CONFLICT)
        lines.append(revision)

    async def of(self, report_id: str) -> tuple[Revision, ...]:
        """See the port."""
        return tuple(self._lines.get(report_id, ()))
