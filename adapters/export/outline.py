"""The one outline of an exported report, which each format only typesets.

Its text may hold what documents say, "[1]" among it. A citation of the report is marked with characters that
no text has, so that a format can tell one from the other.
"""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from adapters.export.back_matter import back_matter, status
from adapters.export.parts import Grid, Heading, Paragraph, Part
from adapters.structures import drawn, key
from agents.counts import number_of
from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.brief import MARKS_OF_MANY, MOST_MARKS, Brief, brief
from agents.reports.marked import cited, marks, own, typed
from agents.reports.revisions import History
from agents.reports.values import (
    Block,
    Code,
    Figure,
    Points,
    Prose,
    Report,
    Section,
    SectionState,
    Statement,
    Structure,
)
from agents.reports.values import Heading as SubHeading
from agents.reports.values import Paragraph as Words
from agents.reports.values import Table as ReportTable
from bot.words import NOT_DRAWN

APPENDIX, TABLES = "Appendix: what the sources hold", "Appendix: further tables"
BEHIND = "What the report above rests on, topic by topic, and how the sources were asked."


def outline(view: RunView) -> Iterator[Part]:
    """A memo: title, answer, what the reader must know, references, and in a line how it was made. A report
    with several sections also says who signed them; what is long, and its evidence, stand in an appendix.

    Raises `ValueError` for a run without a report.
    """
    report = view.report
    if report is None or view.history is None:
        raise ValueError(f"the run {view.record.run_id} has no report")
    several = len(report.sections) > 1
    notes, most = ((), MARKS_OF_MANY) if several else (report.notes, MOST_MARKS)
    read = [(section, brief(section, notes, most)) for section in report.sections]
    yield Heading(1, own(report.title))
    if several:
        yield Paragraph(own(status(view.history)), "caption")
    if report.partial:
        yield Paragraph(own(f"This {view.kind.result} is partial: {report.partial}"), "note")
    if report.ask_back or several or not any(shown.blocks for _, shown in read):
        yield Paragraph(own(report.ask_back or report.short or report.outcome))
    proper = [one for one in read if not one[0].appendix]
    for section, shown in proper:
        yield from _section(report, section, shown, several)
    for line in (*report.not_found, *(() if report.found else report.searched)):
        yield Paragraph(own(line))
    for line in report.notes if several or not read else read[0][1].notes:
        yield Paragraph(own(line), "note")
    if several:
        yield from _appendix(report, proper, [one for one in read if one[0].appendix])
    briefs = [shown for _, shown in read]
    yield from back_matter(view.history, briefs) if several else _references(briefs)
    yield from _making(view, report, view.history)


def _section(report: Report, section: Section, shown: Brief, several: bool) -> Iterator[Part]:
    """A section, under its title where there are several."""
    if several:
        yield Heading(2, own(section.title))
        if section.signed or section.state is not SectionState.DRAFT:
            told = ", ".join(filter(None, (section.state, section.signed)))
            yield Paragraph(own(told[:1].upper() + told[1:]), "caption")
    for block in shown.blocks:
        if several and not section.appendix and _is_long(block):
            yield Paragraph(own(f"“{block.title}”: see the appendix."), "caption")
        elif not isinstance(block, Words) or block.text != report.ask_back:
            yield from _block(block, 3 if several else 2)


def _appendix(
    report: Report, proper: Sequence[tuple[Section, Brief]], behind: Sequence[tuple[Section, Brief]]
) -> Iterator[Part]:
    """The sections behind the report proper, and the long tables of this."""
    if behind:
        yield from (Heading(2, APPENDIX), Paragraph(BEHIND))
    for section, shown in behind:
        yield from _section(report, section, shown, several=True)
    if left := [block for _, shown in proper for block in shown.blocks if _is_long(block)]:
        yield Heading(2, TABLES)
        yield from (part for block in left for part in _block(block, 3))


def _is_long(block: Block) -> TypeGuard[ReportTable]:
    """Whether it is a table for the appendix."""
    return isinstance(block, ReportTable) and block.folded


def _block(block: Block, top: int) -> Iterator[Part]:
    """A block; `top` is the level of the largest heading inside a section."""
    if isinstance(block, SubHeading):
        yield Heading(block.level - 2 + top, own(block.text))
    elif isinstance(block, Words):
        text = typed(block.text) if block.cites else own(block.text)
        yield Paragraph(text, "strong" if block.strong else "")
    elif isinstance(block, Prose):
        yield Paragraph(" ".join(map(stated, block.statements)), "strong" if block.strong else "")
    elif isinstance(block, Points):
        for number, statement in enumerate(block.statements, start=1):
            told = stated(statement)
            yield Paragraph(f"{number}. {told}") if block.numbered else Paragraph(told, "item")
    elif isinstance(block, ReportTable):
        yield _grid(block)
    else:
        yield from _other(block)


def _other(block: Figure | Structure | Code) -> Iterator[Part]:
    """Pictures and programs in words."""
    if isinstance(block, Figure):
        told = cited(f"{block.noun}: {block.title}. {block.text}".strip(), block.citations)
        short = cited(f"{block.noun}: {block.title}", block.citations)
        yield Paragraph(told, "caption", block.sha256, block.dark, short)
    elif isinstance(block, Structure):
        yield _structure(block)
    else:
        yield Paragraph(own(block.text), "code")
        if block.output:
            yield Paragraph(own(block.output), "code")


def _structure(molecule: Structure) -> Paragraph:
    """A molecule's name and SMILES, with its drawing where there is one."""
    told = f"Structure: {' '.join(filter(None, (molecule.name, molecule.smiles)))}"
    if drawn(molecule.smiles) is None:
        return Paragraph(cited(f"{told}: {NOT_DRAWN}", molecule.citations))
    light, dark = key(molecule.smiles), key(molecule.smiles, dark=True)
    return Paragraph(cited(told, molecule.citations), "caption", light, dark)


def _grid(table: ReportTable) -> Grid:
    """A table with citation marks in its cells."""
    rows = tuple(tuple(cited(cell.text, cell.citations) for cell in row) for row in table.rows)
    return Grid(own(table.title), tuple(map(own, table.columns)), rows, table.folded)


def _references(read: Sequence[Brief]) -> Iterator[Part]:
    """Every citation that a mark stands for, with its verbatim quote unless the text gives it."""
    shown = {one.number: one for each in read for one in each.citations}
    told = {number for each in read for number in each.told}
    if shown:
        yield Heading(2, "References")
    before = ""
    for number in sorted(shown):
        one = shown[number]
        title = "" if one.doc_id == before else f"{one.title} "
        yield Paragraph(f"{marks((number,))} {own(title)}({own(place(one))})")
        before = one.doc_id
        if number not in told:
            yield Paragraph(own(one.quote), "quote")
    if left := sum(each.left for each in read):
        yield Paragraph(f"{number_of(left, 'more passage')} are kept with the run.")


def _making(view: RunView, report: Report, history: History) -> Iterator[Part]:
    """When it was asked and made, and what was done to it since."""
    run = view.record
    searched = f" {' '.join(report.searched)}" if report.found and report.searched else ""
    made = f"Run {run.run_id}, asked {minute(run.created) or 'earlier'}, "
    made += f"ended {minute(run.ended) or 'not yet'}.{searched}"
    yield Paragraph(own(made))
    for done in history.lines:
        why = f" ({done.why})" if done.why else ""
        yield Paragraph(own(f"{done.section.title} {done.action} by {done.by}, {done.at[:16]}{why}"), "item")


def minute(stamp: str) -> str:
    """A moment as a person writes it: "2026-11-22 18:38 UTC"."""
    zone = " UTC" if stamp.endswith(("+00:00", "Z")) else ""
    return stamp[:16].replace("T", " ") + zone


def stated(statement: Statement) -> str:
    """A statement with its citations."""
    return cited(statement.rendered, statement.citations)


def place(citation: Citation) -> str:
    """Where a quote stands: document, page, section."""
    return ", ".join(filter(None, (citation.doc_id, citation.place)))
