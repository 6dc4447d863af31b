"""An assessment as a report: sections in their order, citation numbers in order of first use."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.databases.chembl_drugs import structures_in
from agents.databases.facts import Topic
from agents.databases.ports import notes_on
from agents.databases.target import Target
from agents.evidence.values import Evidence
from agents.reports.brief import marks_of
from agents.reports.compose import Composer
from agents.reports.disputed import with_disputes
from agents.reports.values import (
    PROPOSED,
    Block,
    Cell,
    Heading,
    Origin,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Structure,
    Table,
)
from agents.safety.order import SafetyOrder
from agents.safety.outline import BY_ID
from agents.safety.values import (
    Assessment,
    CellDraft,
    Claims,
    DraftBlock,
    Part,
    Picture,
    TableDraft,
)

OUTCOME = "Target safety report"
UNCERTAIN = "Which target is meant?"
DRAWN = 4
"""Drugs that are drawn at most."""


def report(assessment: Assessment) -> Report:
    """The report of an assessment; a question back where the target is not certain."""
    order, target = assessment.order, assessment.target
    if target is None:
        return _asking_back(assessment)
    composer = Composer(assessment.evidence, line_by_line=True)
    names = about(assessment, target)
    sections = tuple(
        _section(composer, part, order.without, assessment.evidence) for part in assessment.parts
    )
    own = (note for part in assessment.parts for note in part.notes)
    sample = notes_on(one.release for one in assessment.evidence)
    notes = dict.fromkeys((*sample, *assessment.notes, *own))
    made = Report(
        title=order.asked,
        outcome=OUTCOME,
        short=short(assessment, target),
        found=bool(assessment.evidence),
        sections=sections,
        notes=tuple(notes),
        not_found=() if assessment.evidence else assessment.missing,
        partial=assessment.partial,
        about=names,
        derived=tuple(one for part in assessment.parts for one in part.derived),
    )
    return with_disputes(made, order.disputed)


def short(assessment: Assessment, target: Target) -> str:
    """The main concerns in one line."""
    return f"{target.symbol}: {'; '.join(filter(None, (*assessment.key, assessment.unread)))}."


def about(assessment: Assessment, target: Target) -> tuple[str, ...]:
    """Names that the report may use without a citation: those of the target and its medicines
    ("muromonab-CD3"), what was ordered, and the sources that were asked, with their releases.
    """
    order: SafetyOrder = assessment.order
    ids = (target.ensembl, target.entrez, target.uniprot)
    names = (
        order.target,
        *target.symbols,
        target.name,
        *ids,
        *assessment.drugs,
        *assessment.sources,
        *assessment.releases,
    )
    return tuple(dict.fromkeys(filter(None, names)))


def _asking_back(assessment: Assessment) -> Report:
    return Report(
        title=assessment.order.asked,
        outcome=UNCERTAIN,
        short="",
        found=False,
        notes=assessment.notes,
        ask_back=assessment.ask_back,
        options=assessment.options,
        about=(assessment.order.target,),
    )


def _section(composer: Composer, part: Part, without: Sequence[str], evidence: Sequence[Evidence]) -> Section:
    outline = BY_ID[part.id]
    blocks = tuple(_block(composer, block, outline.appendix) for block in part.blocks)
    if Topic.DRUG in outline.topics and blocks:
        blocks += tuple(_structures(composer, evidence))
    numbers = {number for block in blocks for number in marks_of(block)}
    needs = tuple(name for name in outline.needs if name not in without)
    cited = composer.citations(numbers)
    return Section(part.id, outline.title, blocks, cited, needs, appendix=outline.appendix)


def _structures(composer: Composer, evidence: Sequence[Evidence]) -> Iterator[Structure]:
    """The drugs whose structures the records state, to be drawn; each once."""
    drawn: set[str] = set()
    for item in evidence:
        for name, smiles, line in structures_in(item.text):
            if smiles not in drawn and len(drawn) < DRAWN:
                drawn.add(smiles)
                yield Structure(smiles, name, composer.numbers((item.key,), (line,)))


def _block(composer: Composer, block: DraftBlock, appendix: bool) -> Block:
    if isinstance(block, Claims):
        origin = Origin(PROPOSED, block.by) if block.by else None
        statements = tuple(
            composer.statement(claim) if claim.keys else Statement(claim.text, origin=origin)
            for claim in block.claims
        )
        return Points(statements) if block.points else Prose(statements, block.strong)
    if isinstance(block, TableDraft):
        rows = tuple(tuple(_cell(composer, cell) for cell in row) for row in block.rows)
        origin = Origin(PROPOSED, block.by) if block.by else None
        return Table(block.title, block.columns, rows, origin, block.folded or appendix)
    if isinstance(block, Picture):
        return _figure(composer, block)
    return Heading(block.text, block.level) if block.level else Paragraph(block.text, remark=True)


def _cell(composer: Composer, cell: CellDraft) -> Cell:
    return Cell(cell.text, composer.numbers(cell.keys, cell.quotes))


def _figure(composer: Composer, picture: Picture) -> Block:
    return replace(picture.figure, citations=composer.numbers(picture.keys, picture.quotes))
