"""What can be pressed below a report and its sections. Pure."""

from agents.kinds import RunView
from agents.reports.values import Report, Section, SectionState
from bot.values import Button


def report_buttons(view: RunView, report: Report) -> tuple[Button, ...]:
    """Those of the whole report; of its section too where it has one only."""
    run_id = view.record.run_id
    resume = (Button("Resume", "resume", run_id, "primary"),) if report.partial else ()
    sources = (Button("Sources", "sources", run_id),) if report.citations else ()
    only = report.sections[0] if len(report.sections) == 1 else None
    revise = _revise(view, only) if only else ()
    undo = (Button("Undo", "undo", f"{run_id} {only.id}"),) if only and _changed(view, only) else ()
    return (
        *resume,
        *choices(run_id, report),
        Button("👍 Helpful", "feedback", f"{run_id} up"),
        Button("👎 Not right", "feedback", f"{run_id} down"),
        *sources,
        *revise,
        *undo,
        Button("Export as Word", "export", f"{run_id} docx"),
        Button("Export as PDF", "export", f"{run_id} pdf"),
    )


def section_buttons(view: RunView, section: Section) -> tuple[Button, ...]:
    """Those of one section of a report with several, as the section stands."""
    value = f"{view.record.run_id} {section.id}"
    if section.state is SectionState.LOCKED:
        return (Button("Unlock", "unlock", value),)
    refresh = section.state is SectionState.STALE and view.kind.revise is not None
    changed = _changed(view, section)
    return (
        *_revise(view, section),
        *_give(view, section),
        *((Button("Refresh", "refresh", value, "primary"),) if refresh else ()),
        *((Button("Accept", "accept", value),) if section.state is not SectionState.ACCEPTED else ()),
        *((Button("Undo", "undo", value), Button("Changes", "changes", value)) if changed else ()),
    )


def choices(run_id: str, report: Report) -> tuple[Button, ...]:
    """A button for each reading of the request that is offered: pressing it asks again."""
    return tuple(Button(option, "ask", f"{run_id} {option}") for option in report.options)


def _revise(view: RunView, section: Section) -> tuple[Button, ...]:
    """The button for a wish in words; a skin that has no field for them tells what to write."""
    if view.kind.revise is None or section.state is SectionState.LOCKED or not view.record.state.over:
        return ()
    return (Button("Revise…", "revise", f"{view.record.run_id} {section.id}"),)


def _give(view: RunView, section: Section) -> tuple[Button, ...]:
    """The button for a file; a skin that has no field for files tells how to send one."""
    if section.id not in view.kind.takes_sources or not view.record.state.over:
        return ()
    return (Button("Add a source…", "give", f"{view.record.run_id} {section.id}"),)


def _changed(view: RunView, section: Section) -> bool:
    return view.history is not None and len(view.history.versions(section.id)) > 1
