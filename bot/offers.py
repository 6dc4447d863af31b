"""What may become of files that somebody sends without saying what for: asked first, nothing in silence."""

from collections.abc import Sequence

from agents.kinds import RunView
from bot.cards import notice_card
from bot.commands import understand
from bot.errors import BadRequest
from bot.ports import Conversations, Outbox
from bot.run_meant import RunsMeant
from bot.values import Attached, Button, Card, CommandName, Incoming
from bot.views import Views

MOST_SECTIONS = 10
"""Sections that are offered; others can be named in words."""
HOW = "To search it with later questions, add it to the archive: on the page, or with `pestle ingest`."
NO_SECTION = "In the thread of a report a section can read it as a source."


def offer_card(files: Sequence[Attached], view: RunView | None) -> Card:
    """Asks which section of the thread's report shall read the files; each button gives one file to one."""
    named = ", ".join(file.name for file in files)
    told = f"You sent {named}. Nothing was done with it yet."
    found = _sections(view)
    if view is None or not found:
        return notice_card(f"{told} {NO_SECTION} {HOW}")
    several = len(files) > 1
    buttons = tuple(
        Button(
            f"{title}: read {file.name}" if several else f"Source of {title}",
            "give_file",
            f"{view.record.run_id} {section} {file.place} {file.name}",
        )
        for file in files
        for section, title in found
    )
    ask = "Which section shall read it as a source? Do nothing, and it stays out."
    return notice_card(f"{told} {ask} {HOW}", view.record.run_id, buttons)


def chosen_file(value: str) -> tuple[str, Attached]:
    """The run and section, and the file, that a button of the offer names."""
    run_id, section, place, name = [*value.split(" ", 3), "", "", "", ""][:4]
    return f"{run_id} {section}", Attached(name or place, place)


def _sections(view: RunView | None) -> list[tuple[str, str]]:
    """The sections that take sources, by id and title."""
    if view is None or view.report is None or not view.record.state.over:
        return []
    taking = [one for one in view.report.sections if one.id in view.kind.takes_sources]
    return [(one.id, one.title) for one in taking[:MOST_SECTIONS]]


class Offers:
    """Asks what shall become of files that came without a word for it."""

    def __init__(
        self, conversations: Conversations, outbox: Outbox, views: Views, runs_meant: RunsMeant
    ) -> None:
        self._conversations = conversations
        self._outbox = outbox
        self._views = views
        self._runs_meant = runs_meant

    async def offered(self, incoming: Incoming) -> bool:
        """Ask what shall become of files, unless the words say it. True if there are no words besides."""
        try:
            if understand(incoming)[0].name is CommandName.GIVE:
                return False
        except BadRequest:
            if incoming.text.strip():
                return False
        if not await self._conversations.was_seen(incoming.key):
            record = await self._runs_meant.meant(incoming)
            card = offer_card(incoming.files, await self._views.whole(record) if record else None)
            await self._outbox.put(incoming.thread, f"files:{incoming.key}", card)
        if incoming.text.strip():
            return False
        await self._conversations.seen(incoming.key)
        return True
