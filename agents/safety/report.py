"""An assessment as a report: sections in their order, citation numbers in order of first use."""

from collections.abc import Sequence
from dataclasses import replace

from agents.databases.target import Target
from agents.reports.brief import marks_of
from agents.reports.compose import Composer
from agents.reports.values import (
    Block,
    Cell,
    Heading,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Table,
)
from agents.safety.order import SafetyOrder
from agents.safety.outline import BY_ID
from agents.safety.synthesis.risk_table import STRENGTHS
from agents.safety.synthesis.risks import ordered, relevant, title_of
from agents.safety.values import (
    Assessment,
    CellDraft,
    Claims,
    DraftBlock,
    Part,
    Picture,
    Strength,
    TableDraft,
)

OUTCOME = "Target safety report"
UNCERTAIN = "Which target is meant?"


def report(assessment: Assessment) -> Report:
    """The report of an assessment; a question back where the target is not certain."""
    order, target = assessment.order, assessment.target
    if target is None:
        return _asking_back(assessment)
    composer = Composer(assessment.evidence)
    sections = tuple(_section(composer, part, order.without) for part in assessment.parts)
    notes = dict.fromkeys((*assessment.notes, *(note for part in assessment.parts for note in part.notes)))
    return Report(
        title=order.asked,
        outcome=OUTCOME,
        short=short(assessment, target),
        found=bool(assessment.evidence),
        sections=sections,
        notes=tuple(notes),
        not_found=() if assessment.evidence else assessment.missing,
        partial=assessment.partial,
        about=about(assessment, target),
        derived=tuple(one for part in assessment.parts for one in part.derived),
    )


def short(assessment: Assessment, target: Target) -> str:
    """The main concerns in one line."""
    ranked = ordered(assessment.risks, assessment.order.direction)
    strong = [
        title_of(one.endpoint)
        for one in ranked
        if one.strength is Strength.STRONG and relevant(one, assessment.order.direction)
    ]
    moderate = [
        title_of(one.endpoint)
        for one in ranked
        if one.strength is Strength.MODERATE and relevant(one, assessment.order.direction)
    ]
    told = [
        f"{STRENGTHS[strength]} evidence for {', '.join(map(_lower, titles[:4]))}"
        for strength, titles in ((Strength.STRONG, strong), (Strength.MODERATE, moderate))
        if titles
    ]
    if not told:
        return f"{target.symbol}: no endpoint has more than weak evidence."
    return f"{target.symbol}: {'; '.join(told)}."


def about(assessment: Assessment, target: Target) -> tuple[str, ...]:
    """Names that the report may use without a citation: those of the target, and what was ordered."""
    order: SafetyOrder = assessment.order
    ids = (target.ensembl, target.entrez, target.uniprot)
    return tuple(dict.fromkeys(filter(None, (order.target, *target.symbols, target.name, *ids))))


def _asking_back(assessment: Assessment) -> Report:
    return Report(
        title=assessment.order.asked,
        outcome=UNCERTAIN,
        short=assessment.ask_back,
        found=False,
        notes=assessment.notes,
        ask_back=assessment.ask_back,
        options=assessment.options,
        about=(assessment.order.target,),
    )


def _section(composer: Composer, part: Part, without: Sequence[str]) -> Section:
    outline = BY_ID[part.id]
    blocks = tuple(_block(composer, block) for block in part.blocks)
    numbers = {number for block in blocks for number in marks_of(block)}
    needs = tuple(name for name in outline.needs if name not in without)
    return Section(part.id, outline.title, blocks, composer.citations(numbers), needs)


def _block(composer: Composer, block: DraftBlock) -> Block:
    if isinstance(block, Claims):
        statements = tuple(composer.statement(claim) for claim in block.claims)
        return Points(statements) if block.points else Prose(statements, block.strong)
    if isinstance(block, TableDraft):
        rows = tuple(tuple(_cell(composer, cell) for cell in row) for row in block.rows)
        return Table(block.title, block.columns, rows)
    if isinstance(block, Picture):
        return _figure(composer, block)
    return Heading(block.text, block.level) if block.level else Paragraph(block.text, remark=True)


def _cell(composer: Composer, cell: CellDraft) -> Cell:
    return Cell(cell.text, tuple(dict.fromkeys(composer.cite(key, cell.quotes) for key in cell.keys)))


def _figure(composer: Composer, picture: Picture) -> Block:
    numbers = tuple(dict.fromkeys(composer.cite(key, picture.quotes) for key in picture.keys))
    return replace(picture.figure, citations=numbers)


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]
