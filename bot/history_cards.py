"""From the history of a report to neutral cards: what was changed, by whom, and how versions differ. Pure."""

from agents.counts import number_of
from agents.kinds import RunView
from agents.reports.diff import Side, difference
from agents.reports.revisions import Action, History, Revision
from agents.reports.values import Section
from agents.runs.records import RunState
from bot.cards import notice_card
from bot.report_cards import trace
from bot.values import Button, Card, CardKind

_ACTIONS = {
    Action.REVISED: "Written anew",
    Action.EDITED: "Edited",
    Action.UNDONE: "Undone",
    Action.ACCEPTED: "Accepted",
    Action.REOPENED: "Opened again",
    Action.LOCKED: "Locked",
}


def changes_card(history: History, line: Revision, *, follows: bool = False) -> Card:
    """What a line of the history changed, sentence by sentence. `follows`: later reports can do so too."""
    kept = Button("Use in later reports", "remember", f"{history.report_id} #{line.number}")
    why = (f"Asked for: {line.why}",) if line.why else ()
    return Card(
        CardKind.NOTICE,
        title=f"{_ACTIONS[line.action]}: {line.section.title or line.section.id}",
        text=_difference(history.at(line.number - 1).section(line.section.id), line.section),
        notes=why,
        buttons=(
            Button("Undo", "undo", f"{history.report_id} {line.section.id}"),
            *((kept,) if follows and line.why else ()),
        ),
        footer=trace(history.report_id),
        run_id=history.report_id,
    )


def written_anew(ours: RunView) -> Section | None:
    """The section that a run was asked to write anew, if it did: whole, and without a question back."""
    report = ours.report
    if report is None or report.partial or report.ask_back:
        return None
    return report.section(ours.record.section)


def not_taken_card(ours: RunView, why: str = "") -> Card:
    """That a run which was to write a section anew changed nothing, and why."""
    record, report = ours.record, ours.report
    why = why or record.error or (report.ask_back if report else "") or "the run wrote nothing for it."
    text = f"The section {record.section} stands as it was: {why}"
    again = () if record.state is RunState.DONE else (Button("Resume", "resume", record.run_id),)
    return notice_card(text, record.run_id, again)


def revision_card(view: RunView, ours: RunView) -> Card:
    """What a run that wrote a section anew did to the report of `view`, told once more."""
    lines = view.history.lines if view.history else ()
    line = next((one for one in lines if one.run_id == ours.record.run_id), None)
    if view.history is None or line is None:
        return not_taken_card(ours)
    return changes_card(view.history, line, follows=view.kind.heeds_channel)


def history_card(history: History) -> Card:
    """Who did what to a report, when and why."""
    told = [
        f"{line.number}. {_ACTIONS[line.action]}: {line.section.title or line.section.id}, "
        f"by {line.by}, {line.at[:16].replace('T', ' ')}" + (f" ({line.why})" if line.why else "")
        for line in history.lines
    ]
    text = "\n".join(told) or "Nothing was changed since it was written."
    return Card(
        CardKind.NOTICE,
        title="History",
        text=text,
        footer=trace(history.report_id),
        run_id=history.report_id,
    )


def _difference(before: Section, after: Section) -> str:
    """What was taken out and what came in, a sentence a line."""
    changes = difference(before, after)
    kept = sum(change.side is Side.BOTH for change in changes)
    marks = {Side.BEFORE: "**−**", Side.AFTER: "**+**"}  # bare, they would begin a list
    told = [f"- {marks[change.side]} {change.text}" for change in changes if change.side is not Side.BOTH]
    text = "\n".join(told) or (
        "The text is the same as before. A wish that was not followed can be said in other words, or in your "
        "own with `edit SECTION: …`."
    )
    return f"{text}\n\n{number_of(kept, 'sentence')} unchanged."
