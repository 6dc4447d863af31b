"""From runs, events and answers to neutral cards. Pure: the same values always give the same card."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import Answer, AnswerTable
from agents.evidence.values import Citation
from agents.runs.records import Event, RunRecord, RunState
from bot.commands import language_note
from bot.steps import elapsed, lines
from bot.threads import answer_of, question_of
from bot.values import Button, Card, CardKind, Feedback, Source, Table

QUESTION_SHOWN = 300
SEARCHED_SHOWN = 5

HELP_TEXT = """\
Ask a question about the archive in your own words; follow-ups in a thread know the molecule being discussed.

- `status` shows how far the work is
- `stop` ends it and gives what was found so far; `resume` goes on from there
- `sources` lists the passages behind the last answer, `sources 2` shows one of them
- `feedback up` or `feedback down`, with a comment if you like
- `export docx` (or md, pdf, json) hands the last answer out as a file
- `help` shows this"""


def started_card(run_id: str, question: str, notes: Sequence[str] = ()) -> Card:
    """The first card of a run, written with it."""
    return Card(
        CardKind.PROGRESS,
        title="Waiting for a free worker",
        text=_quoted(question),
        notes=tuple(notes),
        buttons=(_stop(run_id),),
        footer=_trace(run_id),
        run_id=run_id,
    )


def progress_card(record: RunRecord, question: str, events: Sequence[Event]) -> Card:
    """Where a run stands: one line per kind of step, with its time."""
    final = record.state.over
    return Card(
        CardKind.PROGRESS,
        title=_TITLES[record.state],
        text=_quoted(question),
        steps=lines(events, final=final),
        buttons=_progress_buttons(record),
        footer=_trace(record.run_id, elapsed(events) if final else None),
        run_id=record.run_id,
    )


def answer_card(run_id: str, answer: Answer, feedback: Sequence[Feedback] = ()) -> Card:
    """An answer with its numbered sources, or the question it has to ask back."""
    if answer.ask_back:
        return _ask_back_card(run_id, answer)
    return Card(
        CardKind.ANSWER,
        title=_answer_title(answer),
        text=answer.text or answer.short,
        tables=tuple(table_of(table, answer.citations) for table in answer.tables),
        sources=tuple(source_of(citation) for citation in answer.citations),
        not_found=tuple(line for line in _not_found(answer) if line not in (answer.text, answer.short)),
        notes=answer.notes,
        buttons=_answer_buttons(run_id, answer),
        footer=_trace(run_id) + _tally(feedback),
        run_id=run_id,
    )


def ending_card(record: RunRecord, feedback: Sequence[Feedback] = ()) -> Card:
    """What a run that is over has to show: its answer, also a partial one, or why there is none."""
    answer = answer_of(record)
    if answer and (answer.present or not answer.partial):
        note = "" if answer.ask_back else language_note(question_of(record).text)
        return with_note(answer_card(record.run_id, answer, feedback), note)
    stopped = record.state is RunState.STOPPED
    return Card(
        CardKind.NOTICE if stopped else CardKind.ERROR,
        title="Stopped before anything was found" if stopped else "This question could not be answered",
        text=f"{record.error}\n\nPress **Resume** to go on: finished steps are kept.".lstrip(),
        buttons=(Button("Resume", "resume", record.run_id, "primary"),),
        footer=_trace(record.run_id),
        run_id=record.run_id,
    )


def sources_card(run_id: str, answer: Answer, number: int | None = None) -> Card:
    """All sources of an answer, or one of them."""
    sources = tuple(source_of(citation) for citation in answer.citations)
    chosen = tuple(source for source in sources if number in (None, source.number))
    if not sources:
        text = "The last answer cites no passage."
    elif not chosen:
        text = f"There is no source {number}: the answer has sources 1 to {len(sources)}."
    else:
        text = f"Verbatim passages behind: {answer.short or answer.question}"
    return Card(
        CardKind.SOURCES, title="Sources", text=text, sources=chosen, footer=_trace(run_id), run_id=run_id
    )


def help_card() -> Card:
    """What can be asked for."""
    return Card(CardKind.HELP, title="What I can do", text=HELP_TEXT)


def notice_card(text: str, run_id: str = "", buttons: tuple[Button, ...] = ()) -> Card:
    """A short message."""
    return Card(
        CardKind.NOTICE, text=text, buttons=buttons, footer=_trace(run_id) if run_id else "", run_id=run_id
    )


def refusal_card(text: str, event_id: str) -> Card:
    """Why a message cannot be acted on."""
    return Card(CardKind.ERROR, title="I cannot act on this", text=text, footer=f"Trace id: {event_id}")


def source_of(citation: Citation) -> Source:
    """A citation as shown."""
    return Source(
        citation.number,
        citation.title or citation.doc_id,
        citation.place,
        citation.quote,
        citation.doc_id,
        citation.start,
        citation.end,
        citation.page,
    )


def table_of(table: AnswerTable, citations: Sequence[Citation]) -> Table:
    """A table with the numbers of the citations behind each cell."""
    numbers: dict[str, list[int]] = {}
    for citation in citations:
        numbers.setdefault(citation.key, []).append(citation.number)

    def shown(text: str, keys: Sequence[str]) -> str:
        marks = sorted({number for key in keys for number in numbers.get(key, ())})
        new = [f"[{number}]" for number in marks if f"[{number}]" not in text]
        return " ".join([text, *new])

    rows = tuple(tuple(shown(cell.text, cell.keys) for cell in row) for row in table.rows)
    return Table(table.title, table.columns, rows)


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


def _ask_back_card(run_id: str, answer: Answer) -> Card:
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(answer.options, start=1))
    return Card(
        CardKind.ANSWER,
        title="One question back",
        text=f"{answer.ask_back}\n\n{listed}".rstrip(),
        notes=answer.notes,
        buttons=_choices(run_id, answer),
        footer=_trace(run_id),
        run_id=run_id,
    )


def _choices(run_id: str, answer: Answer) -> tuple[Button, ...]:
    """A button for each reading of the question that is offered: pressing it asks again."""
    return tuple(Button(option, "ask", f"{run_id} {option}") for option in answer.options)


def _answer_title(answer: Answer) -> str:
    if answer.partial:
        return f"Partial answer: {answer.partial}"
    return "Answer" if answer.present else "Not stated in the archive"


def _not_found(answer: Answer) -> tuple[str, ...]:
    """What the archive does not say and, where it says nothing at all, what was searched."""
    if answer.present or not answer.searched:
        return answer.not_found
    places = [
        f'Searched {place.documents} documents ({place.passages} passages) for "{place.query}"'
        + (f" in {place.domain.value}" if place.domain else "")
        for place in answer.searched
    ]
    rest = len(places) - SEARCHED_SHOWN
    more = (f"and {rest} more searches",) if rest > 0 else ()
    return (*answer.not_found, *dict.fromkeys(places[:SEARCHED_SHOWN]), *more)


def _answer_buttons(run_id: str, answer: Answer) -> tuple[Button, ...]:
    resume = (Button("Resume", "resume", run_id, "primary"),) if answer.partial else ()
    sources = (Button("Sources", "sources", run_id),) if answer.citations else ()
    return (
        *resume,
        *_choices(run_id, answer),
        Button("👍 Helpful", "feedback", f"{run_id} up"),
        Button("👎 Not right", "feedback", f"{run_id} down"),
        *sources,
        Button("Export as Word", "export", f"{run_id} docx"),
        Button("Export as PDF", "export", f"{run_id} pdf"),
    )


def _progress_buttons(record: RunRecord) -> tuple[Button, ...]:
    if not record.state.over:
        return (_stop(record.run_id),)
    if record.state is RunState.DONE:
        return ()
    return (Button("Resume", "resume", record.run_id, "primary"),)


def _stop(run_id: str) -> Button:
    return Button("Stop", "stop", run_id, "danger")


def _tally(feedback: Sequence[Feedback]) -> str:
    up = sum(judgement.verdict == "up" for judgement in feedback)
    down = len(feedback) - up
    return "".join(f" · {mark} {count}" for mark, count in (("👍", up), ("👎", down)) if count)


def _quoted(question: str) -> str:
    shown = " ".join(question.split())
    return "> " + (shown if len(shown) <= QUESTION_SHOWN else shown[: QUESTION_SHOWN - 1] + "…")


def _trace(run_id: str, seconds: float | None = None) -> str:
    return f"Trace id: {run_id}" + (f" · {seconds:.1f} s" if seconds is not None else "")
