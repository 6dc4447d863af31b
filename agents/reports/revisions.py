"""What experts did to a report after its run, as an append-only list from which its present state follows.

Nothing is ever changed in place. Revising, editing, signing off, locking and undoing each append one line;
undoing appends a line that brings the content before the last change back.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from agents.errors import AgentError
from agents.evidence.values import Citation
from agents.reports.diff import same
from agents.reports.graph import downstream
from agents.reports.values import Report, Section, SectionState


class Action(StrEnum):
    """What was done to a section."""

    REVISED = "revised"
    """A run wrote it anew."""
    EDITED = "edited"
    """A person wrote it."""
    UNDONE = "undone"
    ACCEPTED = "accepted"
    REOPENED = "reopened"
    """A draft again: no sign-off, no lock."""
    LOCKED = "locked"


CONTENT = frozenset({Action.REVISED, Action.EDITED, Action.UNDONE})
"""Actions that change what a section says; the others change its state."""
_STATES = {
    Action.ACCEPTED: SectionState.ACCEPTED,
    Action.LOCKED: SectionState.LOCKED,
    Action.REOPENED: SectionState.DRAFT,
}


@dataclass(frozen=True, slots=True)
class Revision:
    """One line of a report's history: who did what to which section, when, why, and from which run.

    `number` counts from 1 in the report. `section` is the section as it stood afterwards. `run_id` is the run
    that wrote it, or "" for a person's own doing; `event` is the message in which that person asked for it.
    `at` is ISO 8601, UTC.
    """

    report_id: str
    number: int
    action: Action
    section: Section
    by: str
    at: str
    why: str = ""
    run_id: str = ""
    event: str = ""

    @property
    def cause(self) -> str:
        """What the line was written for, once: a run or a message. "" if nobody told."""
        return self.run_id or self.event


class SectionLocked(AgentError):
    """The section takes no revision until it is unlocked."""


class RevisionConflict(AgentError):
    """Somebody else revised the report meanwhile; look at it and try again."""


class UnknownSection(AgentError):
    """The report has no section of this name."""


class NothingToUndo(AgentError):
    """The section stands as its run wrote it."""


class Revisions(Protocol):
    """The store of revisions. Contract: `tests/agents/reports/test_revisions_contract.py`."""

    async def append(self, revision: Revision) -> None:
        """Add a line. Raises `RevisionConflict` if the report has one with this number already.

        A line of the same run or message for the same report is written once: a repetition changes nothing.
        """

    async def of(self, report_id: str) -> tuple[Revision, ...]:
        """The lines of a report, oldest first."""


CONFLICT = "Somebody else changed this report a moment ago. Look at it as it stands now, and try again."


@dataclass(frozen=True, slots=True)
class History:
    """A report as its run wrote it, and what was done to it since. `lines` are in order of their numbers."""

    report_id: str
    written: Report
    lines: tuple[Revision, ...] = ()

    @property
    def standing(self) -> Report:
        """The report as it stands: the last line of each section, with stale marks.

        A locked section stays locked, also when it is stale. The short answer of a report with one section
        follows what that section says.
        """
        sections = {section.id: section for section in self.written.sections}
        sections |= {line.section.id: line.section for line in self.lines if line.section.id in sections}
        stale = self.stale
        marked = tuple(
            replace(section, state=SectionState.STALE)
            if section.id in stale and section.state is not SectionState.LOCKED
            else section
            for section in sections.values()
        )
        return replace(self.written, sections=marked, short=self._short(marked))

    @property
    def stale(self) -> frozenset[str]:
        """The sections that rest on what is no longer said.

        A section is stale when one that it depends on, directly or through others, says something else than
        when the section was written or accepted, to a reader's eye. Undoing that change makes it fresh again.
        """
        graph = {section.id: section.depends_on for section in self.written.sections}
        confirmed = dict.fromkeys(graph, 0)
        for line in self.lines:
            if line.action in CONTENT or line.action is Action.ACCEPTED:
                confirmed[line.section.id] = line.number
        return frozenset(
            below
            for section in graph
            for below in downstream(graph, section)
            if not same(self._said(section, confirmed[below]), self._said(section, len(self.lines)))
        )

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation that the report ever had: a number is never given to another place."""
        sections = (*self.written.sections, *(line.section for line in self.lines))
        return tuple({one.number: one for section in sections for one in section.citations}.values())

    def at(self, number: int) -> "History":
        """The report as it stood after this line; 0 is before the first."""
        return replace(self, lines=self.lines[:number])

    def section(self, section_id: str) -> Section:
        """A section as it stands. Raises `UnknownSection`."""
        if found := self.standing.section(section_id):
            return found
        known = ", ".join(section.id for section in self.written.sections)
        raise UnknownSection(f"This report has no section {section_id!r}. It has: {known}.")

    def versions(self, section_id: str) -> tuple[Section, ...]:
        """What a section said, from the first text to the last that was not undone."""
        stack = [section for section in self.written.sections if section.id == section_id]
        for line in self._of(section_id):
            if line.action is Action.UNDONE:
                stack.pop()
            elif line.action in CONTENT:
                stack.append(line.section)
        return tuple(stack)

    def write(
        self, section: Section, action: Action, by: str, at: str, why: str = "", run_id: str = ""
    ) -> Revision:
        """The line that gives a section new content; it is a draft again.

        Raises `SectionLocked`, `UnknownSection`.
        """
        old = self._open(section.id)
        new = replace(
            section,
            title=section.title or old.title,
            depends_on=old.depends_on,
            state=SectionState.DRAFT,
            revision=self._next,
            signed="",
        )
        return self._line(action, new, by, at, why, run_id)

    def sign(self, section_id: str, action: Action, by: str, at: str, why: str = "") -> Revision:
        """The line that accepts, locks or reopens a section. Raises `SectionLocked`, `UnknownSection`.

        Who accepts or locks a section signs it, with name and time (UTC); the sign-off holds until its
        content changes. A locked section can only be reopened.
        """
        old = self.section(section_id) if action is Action.REOPENED else self._open(section_id)
        signed = "" if action is Action.REOPENED else f"{by}, {at[:16].replace('T', ' ')}"
        return self._line(action, replace(old, state=_STATES[action], signed=signed), by, at, why)

    def undo(self, section_id: str, by: str, at: str) -> Revision:
        """The line that brings the content before the last change back.

        Raises `SectionLocked`, `NothingToUndo`, `UnknownSection`.
        """
        self._open(section_id)
        versions = self.versions(section_id)
        if len(versions) < 2:
            raise NothingToUndo("There is nothing to undo: this section stands as it was first written.")
        before = replace(versions[-2], state=SectionState.DRAFT, revision=self._next, signed="")
        return self._line(Action.UNDONE, before, by, at)

    @property
    def _next(self) -> int:
        return len(self.lines) + 1

    def _line(
        self, action: Action, section: Section, by: str, at: str, why: str = "", run_id: str = ""
    ) -> Revision:
        return Revision(self.report_id, self._next, action, section, by, at, why, run_id)

    def _open(self, section_id: str) -> Section:
        """The section, if it may be changed."""
        section = self.section(section_id)
        if section.state is SectionState.LOCKED:
            raise SectionLocked(
                f"The section {section.title or section.id} is locked ({section.signed}). "
                f"Write `unlock {section.id}` first."
            )
        return section

    def _of(self, section_id: str) -> list[Revision]:
        return [line for line in self.lines if line.section.id == section_id]

    def _said(self, section_id: str, number: int) -> Section:
        """A section with what it said after the line with this number; 0 is before all lines."""
        stood = next(section for section in self.written.sections if section.id == section_id)
        for line in self._of(section_id):
            if line.action in CONTENT and line.number <= number:
                stood = line.section
        return stood

    def _short(self, sections: tuple[Section, ...]) -> str:
        written = self.written.sections
        changed = len(sections) == 1 and sections[0].blocks != written[0].blocks
        return (sections[0].opening if changed else "") or self.written.short


async def history_of(revisions: Revisions, report_id: str, written: Report) -> History:
    """A report with its lines."""
    return History(report_id, written, await revisions.of(report_id))
