"""What experts do to a report after its run: edit, append, undo, sign off, and take in what a run wrote
anew.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.errors import AgentError
from agents.kinds import RunView
from agents.reports.marked import TYPED
from agents.reports.numbering import adopted
from agents.reports.revisions import Action, History, Revision, RevisionConflict
from agents.reports.values import Paragraph, Section
from agents.runs.clock import stamp, utc_now
from agents.runs.records import RunRecord
from bot.cards import ending_cards, notice_card
from bot.errors import BadRequest
from bot.history_cards import changes_card, not_taken_card, written_anew
from bot.ports import Conversations, Outbox
from bot.values import Card, Incoming, ThreadRef
from bot.views import Views

ATTEMPTS = 5
"""How often a line is written again when somebody else wrote one at the same time."""

Line = Callable[[History], Revision]
"""From a report's history to the next line of it."""


@dataclass(frozen=True, slots=True)
class Editor:
    """Writes lines of a report's history and shows what they changed. Only cards that differ are
    shown anew.

    A message writes one line, however often it comes: what a crash cut short is taken up where it was.
    """

    views: Views
    conversations: Conversations
    outbox: Outbox

    async def edit(self, view: RunView, named: str, text: str, asked: Incoming) -> Card:
        """Put a person's words in place of a section. `[1]` marks of the report's citations stay
        citations.
        """
        section = section_meant(view, named)

        def line(history: History) -> Revision:
            return history.write(_worded(history, section, text), Action.EDITED, asked.user, self._now())

        return await self._add(view, line, asked.key)

    async def append(self, view: RunView, named: str, text: str, asked: Incoming) -> Card:
        """Add a paragraph to a section."""
        section = section_meant(view, named)

        def line(history: History) -> Revision:
            old = history.section(section.id)
            more = _worded(history, section, text)
            cited = {one.number: one for one in (*old.citations, *more.citations)}
            longer = replace(old, blocks=(*old.blocks, *more.blocks), citations=tuple(cited.values()))
            return history.write(longer, Action.EDITED, asked.user, self._now())

        return await self._add(view, line, asked.key)

    async def undo(self, view: RunView, named: str, asked: Incoming) -> Card:
        """Bring the content before the last change back."""
        section = section_meant(view, named)

        def line(history: History) -> Revision:
            return history.undo(section.id, asked.user, self._now())

        return await self._add(view, line, asked.key)

    async def sign(self, view: RunView, named: str, action: Action, asked: Incoming) -> Card:
        """Accept, lock or reopen a section."""
        section = section_meant(view, named)

        def line(history: History) -> Revision:
            return history.sign(section.id, action, asked.user, self._now())

        await self._add(view, line, asked.key)
        told = {Action.ACCEPTED: "accepted", Action.LOCKED: "locked", Action.REOPENED: "open again"}[action]
        return notice_card(f"{section.title} is {told}.", view.record.run_id)

    async def take_in(self, record: RunRecord) -> Card:
        """Put what a run wrote into the section that it was asked for; safe to repeat.

        The returned card tells what changed, or why nothing did.
        """
        view, ours = await self.views.by_id(record.revises), await self.views.of(record)
        written = written_anew(ours)
        if written is None:
            return not_taken_card(ours)

        def line(history: History) -> Revision:
            new = adopted(written, history.citations)
            return history.write(
                new, Action.REVISED, record.asked_by, self._now(), record.instruction, record.run_id
            )

        try:
            return await self._add(view, line, record.run_id)
        except AgentError as error:
            return not_taken_card(ours, str(error))

    async def _add(self, view: RunView, line: Line, cause: str) -> Card:
        """Write the line, show what it changed in the report's thread, and tell it.

        Raises `SectionLocked`, `NothingToUndo`, `RevisionConflict`.
        """
        revision = await self._written(view, line, cause)
        history = await self._show(view.record.run_id, revision)
        return changes_card(history, revision, follows=view.kind.heeds_channel)

    async def _written(self, view: RunView, line: Line, cause: str) -> Revision:
        """The line, once it stands in the history; a run or message, its `cause`, writes one line."""
        for attempt in range(1, ATTEMPTS + 1):
            history = history_of(view)
            if known := next((one for one in history.lines if one.cause == cause), None):
                return known
            revision = line(history)
            if not revision.run_id:
                revision = replace(revision, event=cause)
            try:
                await self.views.revisions.append(revision)
            except RevisionConflict:
                if attempt == ATTEMPTS:
                    raise
                view = await self.views.by_id(view.record.run_id)
            else:
                break
        return revision

    async def _show(self, run_id: str, revision: Revision) -> History:
        """Put the cards that a line changed into the outbox; the report's history then.

        It looks once more after it: who writes a line meanwhile must not be shown over.
        """
        while True:
            after = await self.views.by_id(run_id)
            history = history_of(after)
            before = self.views.kinds.view(after.record, history.lines[: revision.number - 1])
            feedback = await self.conversations.feedback(run_id)
            shown = dict(ending_cards(before, feedback))
            for slot, card in ending_cards(after, feedback):
                if shown.get(slot) != card:
                    await self.outbox.put(ThreadRef.parse(after.record.thread_id), slot, card)
            if len(await self.views.revisions.of(run_id)) == len(history.lines):
                return history

    def _now(self) -> str:
        return stamp(utc_now())


def section_meant(view: RunView, named: str) -> Section:
    """The section that somebody named by its id or title; the only one of a report with one.

    Raises `BadRequest` that lists the sections.
    """
    report = history_of(view).standing
    if not named and len(report.sections) == 1:
        return report.sections[0]
    wanted = named.strip().casefold()
    known = [one for one in report.sections if wanted in (one.id.casefold(), one.title.casefold())]
    if known:
        return known[0]
    names = ", ".join(f"`{section.id}`" for section in report.sections)
    told = f"There is no section {named!r} here." if named else "Name the section."
    raise BadRequest(f"{told} This {view.kind.result} has: {names}.")


def history_of(view: RunView) -> History:
    """The history of a run's report. Raises `BadRequest` while there is no report."""
    if view.history is None:
        raise BadRequest(
            f"There is no {view.kind.result} here yet. Write `status` to see how far the work is."
        )
    return view.history


def _worded(history: History, section: Section, text: str) -> Section:
    """A section that says this, with the citations that it marks."""
    numbers = {int(number) for number in TYPED.findall(text)}
    citations = tuple(one for one in history.citations if one.number in numbers)
    if unknown := sorted(numbers - {one.number for one in citations}):
        raise BadRequest(f"There is no source {unknown[0]} here. Mark only sources that the report has.")
    paragraphs = tuple(Paragraph(part.strip(), cites=True) for part in text.split("\n\n") if part.strip())
    return replace(section, blocks=paragraphs, citations=citations)
