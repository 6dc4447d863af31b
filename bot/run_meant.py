"""Which run a command is about: the one that a button names, the last of the thread, or of the channel."""

from agents.runs.records import RunRecord
from bot.errors import BadRequest, NotAllowed
from bot.services import Services
from bot.values import Command, CommandName, Incoming, ThreadRef

LOOKS = frozenset(
    {CommandName.SOURCES, CommandName.HISTORY, CommandName.CHANGES, CommandName.STATUS, CommandName.GUIDANCE}
)
"""Commands that change nothing, so that their reply may be shown without a trace."""
OF_CHANNEL = LOOKS | {CommandName.REMEMBER, CommandName.FORGET}
"""Commands that make sense where nothing was asked yet, about the channel's last report."""
LATEST = 200
"""Runs of a channel that are looked through."""


class RunsMeant:
    """Finds the run that a command is about, of those that the person may see where they are."""

    def __init__(self, rooms: Services) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations

    async def about(self, incoming: Incoming, command: Command, run_id: str) -> RunRecord | None:
        """The run that a command is about; None without one. Raises as `meant`."""
        return await self.meant(incoming, run_id) or await self._near(incoming, command)

    async def meant(self, incoming: Incoming, run_id: str = "") -> RunRecord | None:
        """The run a button names, or the last one of the thread. Raises `BadRequest`, `NotAllowed`."""
        if not run_id:
            runs = await self._ledger.runs(limit=1, thread_id=incoming.thread.thread_id)
            return runs[0] if runs else None
        record = await self._ledger.run(run_id)
        if record is None:
            raise BadRequest(f"The run {run_id} is not known here any more. Ask the question again.")
        if record.thread_id != incoming.thread.thread_id and not _may_see(record, incoming):
            raise NotAllowed("That answer belongs to another thread. Use the buttons there.")
        return record

    async def _near(self, incoming: Incoming, command: Command) -> RunRecord | None:
        """For a command about the channel in a private conversation that has no run yet: the last run of the
        channel that all may see.
        """
        thread = incoming.thread
        if not thread.only or command.name not in OF_CHANNEL:
            return None
        runs = await self._conversations.runs(thread, limit=LATEST)
        return next((run for run in runs if not ThreadRef.parse(run.thread_id).only), None)


def _may_see(record: RunRecord, incoming: Incoming) -> bool:
    """Whether somebody in a private conversation may be shown this run there: one of its channel that is
    everybody's, or their own.
    """
    at, thread = ThreadRef.parse(record.thread_id), incoming.thread
    same = (at.platform, at.channel) == (thread.platform, thread.channel)
    return same and bool(thread.only) and at.only in ("", incoming.user)
