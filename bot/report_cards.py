"""From reports to neutral cards. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from agents.counts import number_of
from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.brief import MARKS_OF_MANY, Brief, brief
from agents.reports.markdown import block_text
from agents.reports.marked import cited
from agents.reports.values import Block, Code, Figure, Points, Report, Section, SectionState, Structure
from agents.reports.values import Table as ReportTable
from bot.values import Button, Card, CardKind, Feedback, Part, Source, Table, Text

HARD_BREAK = "  \n"
MIDRUN = "As it stood while the run worked."
_STALE = "A section that this one was written from changed since. Refresh it, or accept it as it stands."
_STATE_MARKS = {
    SectionState.DRAFT: "○",
    SectionState.ACCEPTED: "✓",
    SectionState.LOCKED: "🔒",
    SectionState.STALE: "↻",
}


def report_card(view: RunView, report: Report, feedback: Sequence[Feedback] = ()) -> Card:
    """A report with its numbered sources, the list of its sections, or the question it has to ask back."""
    run_id = view.record.run_id
    if report.ask_back:
        return _ask_back_card(run_id, report)
    single = report.sections[0] if len(report.sections) == 1 else None
    read = brief(single, report.notes) if single else None
    text, parts = _shown(read.blocks) if read else (_index_text(report), ())
    text = text or ("" if parts else report.short)
    return Card(
        CardKind.ANSWER,
        title=_title(view, report),
        text=text,
        parts=parts,
        sources=_sources_of(read) if read else (),
        not_found=tuple(line for line in _not_found(report) if line not in (text, report.short)),
        notes=read.notes if read else report.notes,
        buttons=report_buttons(view, report),
        footer=_left(read) + trace(run_id) + _signed(single) + _tally(feedback),
        run_id=run_id,
    )


def section_card(view: RunView, section: Section) -> Card:
    """One section of a report with several; of the appendix it opens on demand."""
    stale = view.history is not None and section.id in view.history.stale
    card = midrun_card(view.record.run_id, section)
    return replace(
        card,
        notes=(_STALE,) if stale else (),
        buttons=section_buttons(view, section),
        footer=card.footer + _signed(section),
        folded=section.appendix,
    )


def midrun_card(run_id: str, section: Section) -> Card:
    """A section that a run shows while it works: it can be looked at, and not be revised."""
    read = brief(section, most=MARKS_OF_MANY)
    text, parts = _shown(read.blocks)
    return Card(
        CardKind.SECTION,
        title=section.title,
        text=text,
        parts=parts,
        sources=_sources_of(read),
        notes=(MIDRUN,),
        footer=_left(read) + _tables(section) + trace(run_id),
        run_id=run_id,
    )


def sources_card(view: RunView, report: Report, number: int | None = None) -> Card:
    """All sources of a report, or one of them."""
    sources = tuple(source_of(citation) for citation in report.citations)
    chosen = tuple(source for source in sources if number in (None, source.number))
    result, run_id = view.kind.result, view.record.run_id
    if not sources:
        text = f"The last {result} cites no passage."
    elif not chosen:
        text = f"There is no source {number}: the {result} has sources 1 to {len(sources)}."
    else:
        text = f"Verbatim passages behind: {report.short or report.title}"
    return Card(
        CardKind.SOURCES, title="Sources", text=text, sources=chosen, footer=trace(run_id), run_id=run_id
    )


def _sources_of(read: Brief) -> tuple[Source, ...]:
    """The citations that a text marks, of a table its cell that is told; of those whose quote the text gives,
    only where they stand.
    """
    return tuple(
        replace(
            source_of(one, told=one.number in read.told, titled=one.number in read.titled),
            folded=one.number in read.folded,
            cell=read.cells.get(one.number),
        )
        for one in read.citations
    )


def _left(read: Brief | None) -> str:
    """How many passages more there are."""
    if read is None or not read.left:
        return ""
    return f"{number_of(read.left, 'more passage')}: write `sources` · "


def _tables(section: Section) -> str:
    """How many tables open on demand."""
    count = sum(one.folded for one in section.tables)
    return f"{number_of(count, 'table')} in the export: write `export docx` · " if count else ""


def source_of(citation: Citation, *, told: bool = False, titled: bool = False) -> Source:
    """A citation as shown; `told` where the text above gives its quote, `titled` where it gives its title."""
    return Source(
        citation.number,
        citation.title or citation.doc_id,
        citation.place,
        citation.quote,
        citation.doc_id,
        citation.start,
        citation.end,
        citation.page,
        told,
        titled,
    )


def table_of(table: ReportTable) -> Table:
    """A table with the numbers of the citations behind each cell."""
    rows = tuple(tuple(cited(cell.text, cell.citations) for cell in row) for row in table.rows)
    return Table(table.title, table.columns, rows, table.folded)


def _shown(blocks: Sequence[Block]) -> tuple[str, tuple[Part, ...]]:
    """The text that a card begins with, and what follows it in reading order."""
    texts: list[str] = []
    parts: list[Part] = []
    for block in blocks:
        if text := block_text(block):
            if isinstance(block, Points) and block.folded:
                parts.append(Text(text, folded=True))
            elif parts and isinstance(parts[-1], Text) and not parts[-1].folded:
                parts[-1] = Text(f"{parts[-1].markdown}\n\n{text}")
            elif parts:
                parts.append(Text(text))
            else:
                texts.append(text)
        elif isinstance(block, ReportTable):
            parts.append(table_of(block))
        elif isinstance(block, Figure | Structure | Code):
            parts.append(block)
    return "\n\n".join(texts), tuple(parts)


def _index_text(report: Report) -> str:
    """The summary of a report with several sections, and where each section stands; those of an appendix
    that nobody touched stand in one line.
    """
    behind = [one for one in report.sections if one.appendix and one.state is SectionState.DRAFT]
    listed = [
        f"{_STATE_MARKS[section.state]} {section.title} ({section.signed or section.state})"
        for section in report.sections
        if section not in behind
    ]
    if behind:
        titles = "; ".join(one.title for one in behind)
        listed.append(f"{_STATE_MARKS[SectionState.DRAFT]} Appendix: {titles}")
    return "\n\n".join(filter(None, (report.short, HARD_BREAK.join(listed))))


def _ask_back_card(run_id: str, report: Report) -> Card:
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(report.options, start=1))
    return Card(
        CardKind.ANSWER,
        title="One question back" if report.options or "?" in report.ask_back else "This cannot be begun",
        text=f"{report.ask_back}\n\n{listed}".rstrip(),
        notes=report.notes,
        buttons=choices(run_id, report),
        footer=trace(run_id),
        run_id=run_id,
    )


def _title(view: RunView, report: Report) -> str:
    return f"Partial {view.kind.result}: {report.partial}" if report.partial else report.outcome


def _not_found(report: Report) -> tuple[str, ...]:
    """What was not found and, where nothing at all was, what was searched."""
    return report.not_found if report.found else (*report.not_found, *report.searched)


def _signed(section: Section | None) -> str:
    return f" · {section.state} ({section.signed})" if section and section.signed else ""


def _tally(feedback: Sequence[Feedback]) -> str:
    up = sum(judgement.verdict == "up" for judgement in feedback)
    down = len(feedback) - up
    return "".join(f" · {mark} {count}" for mark, count in (("👍", up), ("👎", down)) if count)


def trace(run_id: str, seconds: float | None = None) -> str:
    """The line by which a run is found again."""
    return f"Trace id: {run_id}" + (f" · {seconds:.1f} s" if seconds is not None else "")


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
