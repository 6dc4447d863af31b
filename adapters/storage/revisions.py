"""Revisions of reports in SQL."""

from sqlalchemy import func, select

from adapters.storage.audit import note_of_run, sha256
from adapters.storage.database import Database
from adapters.storage.tables import REVISIONS
from adapters.storage.whole import whole
from agents.reports.revisions import CONFLICT, Action, Revision, RevisionConflict
from agents.reports.values import Section
from agents.runs.clock import stamp, utc_now
from agents.runs.encoding import adapter


@whole
class SqlRevisions:
    """Implements `agents.reports.revisions.Revisions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, revision: Revision) -> None:
        """See the port."""
        ours = REVISIONS.c.report_id == revision.report_id
        async with self._database.writing() as connection:
            if revision.cause:
                column = REVISIONS.c.run_id if revision.run_id else REVISIONS.c.event
                if await connection.scalar(select(REVISIONS.c.number).where(ours, column == revision.cause)):
                    return
            last = await connection.scalar(select(func.max(REVISIONS.c.number)).where(ours)) or 0
            row = _row(revision)
            # Where several write at once, both may have seen the same last number: the row count tells.
            if revision.number != last + 1 or not await self._database.add(connection, REVISIONS, row):
                raise RevisionConflict(CONFLICT)
            told = {"section": row["section_id"], "revision": revision.number, "by_run": revision.run_id}
            told["content"] = sha256(str(row["section"]))
            kind = str(revision.action)
            await note_of_run(
                connection, stamp(utc_now()), kind, revision.report_id, by=revision.by, facts=told
            )

    async def of(self, report_id: str) -> tuple[Revision, ...]:
        """See the port."""
        query = select(REVISIONS).where(REVISIONS.c.report_id == report_id).order_by(REVISIONS.c.number)
        return tuple(
            Revision(
                row.report_id,
                row.number,
                Action(row.action),
                adapter(Section).validate_json(row.section),
                row.by,
                row.at,
                row.why,
                row.run_id,
                row.event,
            )
            for row in await self._database.rows(query)
        )


def _row(revision: Revision) -> dict[str, object]:
    return {
        "report_id": revision.report_id,
        "number": revision.number,
        "section_id": revision.section.id,
        "action": revision.action,
        "by": revision.by,
        "at": revision.at,
        "why": revision.why,
        "run_id": revision.run_id,
        "event": revision.event,
        "section": adapter(Section).dump_json(revision.section).decode(),
    }
