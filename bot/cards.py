"""From runs and events to neutral cards. Pure: the same values always give the same card."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agents.counts import shortened
from agents.kinds import Kinds, RunView
from agents.runs.records import Event, RunState
from bot.emoji import render_grammar
from bot.report_cards import report_card, section_card, trace
from bot.steps import elapsed, lines
from bot.values import (
    Button,
    Card,
    CardKind,
    Feedback,
    answer_slot,
    section_slot,
)

REQUEST_SHOWN = 300

HELP = Path(__file__).with_name("help.md").read_text(encoding="utf-8")


def started_card(run_id: str, asked: str, notes: Sequence[str] = ()) -> Card:
    """The first card of a run, written with it."""
    return Card(
        CardKind.PROGRESS,
        title="Waiting for a free worker",
        text=_quoted(asked),
        notes=tuple(notes),
        buttons=(_stop(run_id),),
        footer=trace(run_id),
        run_id=run_id,
        state=RunState.QUEUED,
    )


def progress_card(view: RunView, events: Sequence[Event]) -> Card:
    """Where a run stands: one line per sort of step, with its time."""
    record = view.record
    final = record.state.over
    return Card(
        CardKind.PROGRESS,
        title=_TITLES[record.state],
        text=_quoted(view.asked),
        steps=lines(events, view.kind.labels, final=final),
        buttons=_progress_buttons(view),
        footer=trace(record.run_id, elapsed(events) if final else None),
        run_id=record.run_id,
        state=record.state,
    )


def ending_cards(view: RunView, feedback: Sequence[Feedback] = ()) -> tuple[tuple[str, Card], ...]:
    """What a run that is over has to show, by slot: its report, also a partial one, or why there is none.

    A report with several sections has a card of its own for each, below a card that lists them.
    """
    report, run_id = view.report, view.record.run_id
    if report is None or (report.partial and not report.found):
        return ((answer_slot(run_id), _failure_card(view)),)
    first = (answer_slot(run_id), report_card(view, report, feedback))
    if len(report.sections) < 2:
        return (first,)
    return (first, *((section_slot(run_id, one.id), section_card(view, one)) for one in report.sections))


def doubt_card(titles: Sequence[tuple[str, str]]) -> Card:
    """Asks which kind of run a message was meant for. `titles` are names and titles of kinds."""
    listed = "\n".join(f"{number}. {title}" for number, (_, title) in enumerate(titles, start=1))
    return Card(
        CardKind.ANSWER,
        title="One question back",
        text=f"What is this message for?\n\n{listed}",
        buttons=tuple(Button(title, "route", name) for name, title in titles),
    )


def misspelt_card(text: str, word: str, meant: str) -> Card:
    """Asks whether a command was meant that is one slip away."""
    return Card(
        CardKind.ANSWER,
        title="One question back",
        text=f"“{word}” is no word I know. Did you mean `{meant.split()[0]}`?",
        buttons=(Button(meant, "say", meant), Button("Ask it as it is", "ask", f" {text}")),
    )


def help_card(kinds: Kinds) -> Card:
    """What can be asked for."""
    told = "\n".join(f"- {line}" for kind in kinds for line in kind.help)
    return Card(
        CardKind.HELP, title="What I can do", text=HELP.format(kinds=told, emoji=render_grammar()).strip()
    )


def notice_card(text: str, run_id: str = "", buttons: tuple[Button, ...] = ()) -> Card:
    """A short message."""
    return Card(
        CardKind.NOTICE, text=text, buttons=buttons, footer=trace(run_id) if run_id else "", run_id=run_id
    )


def refusal_card(text: str, event_id: str) -> Card:
    """Why a message cannot be acted on."""
    return Card(CardKind.ERROR, title="I cannot act on this", text=text, footer=f"Trace id: {event_id}")


def with_note(card: Card, note: str) -> Card:
    """The card with one more remark; the same card when there is none."""
    return replace(card, notes=(*card.notes, note)) if note and note not in card.notes else card


_TITLES = {
    RunState.QUEUED: "Waiting for a free worker",
    RunState.RUNNING: "Working on it",
    RunState.WAITING: "Waiting for a decision",
    RunState.DONE: "Done",
    RunState.STOPPED: "Stopped",
    RunState.FAILED: "Failed",
}


def _failure_card(view: RunView) -> Card:
    record = view.record
    stopped = record.state is RunState.STOPPED
    failed = f"This {view.kind.request} could not be answered"
    return Card(
        CardKind.NOTICE if stopped else CardKind.ERROR,
        title="Stopped before anything was found" if stopped else failed,
        text=f"{record.error}\n\nPress **Resume** to go on: finished steps are kept.".lstrip(),
        buttons=(Button("Resume", "resume", record.run_id, "primary"),),
        footer=trace(record.run_id),
        run_id=record.run_id,
    )


def _progress_buttons(view: RunView) -> tuple[Button, ...]:
    """A run that is over has none: what can be done with it stands below its report."""
    return () if view.record.state.over else (_stop(view.record.run_id),)


def _stop(run_id: str) -> Button:
    return Button("Stop", "stop", run_id, "danger")


def _quoted(asked: str) -> str:
    return f"> {shortened(' '.join(asked.split()), REQUEST_SHOWN)}"
