"""What may become of files that somebody sends without saying what for: asked first, nothing in silence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.kinds import RunView
from bot.additions import TAKE_BACK, Additions, left_out_card
from bot.cards import notice_card
from bot.commands import understand
from bot.errors import BadRequest
from bot.ports import Conversations, Outbox
from bot.rights import NO_ADMIN, Permits, allowed
from bot.run_meant import RunsMeant
from bot.values import Attached, Button, Card, CommandName, Incoming
from bot.views import Views

ADD, LEAVE, GIVE = "archive_add", "archive_leave", "give_file"
PRESSED = (ADD, LEAVE, TAKE_BACK)
"""Presses that this module takes; one of `GIVE` becomes the command that gives a section its source."""
SLOT = "files:"
"""How the slot of a file's card begins."""
MOST_SECTIONS = 10
"""Sections that are offered; others can be named in words."""
HOW = "To search it with later questions, add it to the archive: on the page, or with `pestle ingest`."
NO_SECTION = "In the thread of a report a section can read it as a source."
EVERYBODY = "In the archive everybody who may ask here finds it."
_TO_ARCHIVE = re.compile(
    r"/?(?:please )?(?:add|put|save|upload|ingest|take)(?: (?:this|it|these|them|the files?|this file))?"
    r" (?:in)?to (?:the|our) archive",
    re.IGNORECASE,
)


def offer_card(file: Attached, view: RunView | None, slot: str = "", *, archive: bool = False) -> Card:
    """Asks what shall become of a file: the archive's, or the source of a section of the thread's report.

    `slot` is that of the card, which shows what became of it. Without `archive` it can only be told how
    files come there.
    """
    told = f"You sent {file.name}. Nothing was done with it yet."
    found = _sections(view)
    buttons = [
        Button(f"Source of {title}", GIVE, f"{view.record.run_id} {section} {file.place} {file.name}")
        for section, title in found
        if view is not None
    ]
    ask = "Which section shall read it as a source?" if found else NO_SECTION
    if archive:
        buttons.append(Button("Add to the archive", ADD, f"{slot} {file.place} {file.name}"))
        buttons.append(Button("Leave it", LEAVE, f"{slot} {file.place} {file.name}"))
    last = EVERYBODY if archive else f"Do nothing, and it stays out. {HOW}"
    return notice_card(f"{told} {ask} {last}", view.record.run_id if view else "", tuple(buttons))


def chosen_file(value: str) -> tuple[str, Attached]:
    """The run and section, and the file, that a button of the offer names."""
    run_id, section, place, name = [*value.split(" ", 3), "", "", "", ""][:4]
    return f"{run_id} {section}", Attached(name or place, place)


def as_given(incoming: Incoming) -> Incoming:
    """A press that gives a file to a section, as the command with that file; any other as it is."""
    if incoming.action != GIVE:
        return incoming
    section, file = chosen_file(incoming.value)
    return replace(incoming, action=CommandName.GIVE, value=section, files=(file,))


def _sections(view: RunView | None) -> list[tuple[str, str]]:
    """The sections that take sources, by id and title."""
    if view is None or view.report is None or not view.record.state.over:
        return []
    taking = [one for one in view.report.sections if one.id in view.kind.takes_sources]
    return [(one.id, one.title) for one in taking[:MOST_SECTIONS]]


@dataclass(frozen=True, slots=True)
class Offers:
    """Asks what shall become of files that came without a word for it, and does what is chosen."""

    conversations: Conversations
    outbox: Outbox
    views: Views
    runs_meant: RunsMeant
    additions: Additions | None = None
    may_change: Permits = allowed

    async def offered(self, incoming: Incoming) -> bool:
        """Ask what shall become of files, unless the words say it. True if there are no words besides."""
        to_archive = _TO_ARCHIVE.fullmatch(incoming.text.strip().rstrip(".!? ")) is not None
        if not to_archive and not is_open(incoming):
            return False
        if not await self.conversations.was_seen(incoming.key):
            if to_archive and self.additions and await self.may_change(incoming.thread, incoming.user):
                for slot, file in _slots(incoming):
                    await self.additions.begin(incoming.thread, slot, file, incoming.user)
            else:
                await self._ask(incoming)
        if incoming.text.strip() and not to_archive:
            return False
        await self.conversations.seen(incoming.key)
        return True

    async def take(self, incoming: Incoming) -> bool:
        """Do what was chosen, once. False for a press that came before."""
        if await self.conversations.was_seen(incoming.key):
            return False
        slot, place, name = [*incoming.value.split(" ", 2), "", "", ""][:3]
        if not slot.startswith(SLOT):
            pass  # a button of ours names the card of a file
        elif self.additions is None:
            card = left_out_card(name) if incoming.action == LEAVE else notice_card(HOW)
            await self.outbox.put(incoming.thread, slot, card)
        elif incoming.action == LEAVE:
            await self.additions.left_out(incoming.thread, slot, name)
        elif not await self.may_change(incoming.thread, incoming.user):
            told = notice_card(NO_ADMIN.format(incoming.thread.platform, incoming.user))
            await self.outbox.put(incoming.thread, f"reply:{incoming.key}", told)
        elif incoming.action == ADD:
            await self.additions.begin(incoming.thread, slot, Attached(name or place, place), incoming.user)
        else:
            await self.additions.take_back(incoming.thread, slot, incoming.user)
        await self.conversations.seen(incoming.key)
        return True

    async def _ask(self, incoming: Incoming) -> None:
        record = await self.runs_meant.meant(incoming)
        view = await self.views.whole(record) if record else None
        may = self.additions is not None and await self.may_change(incoming.thread, incoming.user)
        for slot, file in _slots(incoming):
            card = offer_card(file, view, slot, archive=may)
            await self.outbox.put(incoming.thread, slot, card)


def _slots(incoming: Incoming) -> Sequence[tuple[str, Attached]]:
    """The files of a message, each with the slot of its card."""
    key = incoming.key.replace(" ", "_")
    return [(f"{SLOT}{key}:{number}", file) for number, file in enumerate(incoming.files)]


def is_open(incoming: Incoming) -> bool:
    """Whether nothing is said of the files: the words are none, a question, or about another thing."""
    try:
        return understand(incoming)[0].name is not CommandName.GIVE
    except BadRequest:
        return not incoming.text.strip()
