"""Composes the answer: blocks with numbered citations, and what was not found."""

from collections.abc import Sequence

from agents.archive.answer import Answer, AnswerTable, Finding, Outcome, Question
from agents.archive.library import GENERAL, Library
from agents.archive.values import AnswerPart, Classification, Merged
from agents.reports.compose import Composer
from agents.reports.values import Block, Heading, Paragraph, Points, Prose, Table
from agents.trust.values import Claim

UNANSWERED = {Outcome.CLOSEST: "no certain answer", Outcome.NOTHING: "not stated"}
"""What a part without an answer says in one line."""


def compose(
    library: Library,
    question: Question,
    classification: Classification,
    merged: Merged,
    tables: tuple[AnswerTable, ...],
    notes: Sequence[str],
) -> Answer:
    """The answer of a run. `short` joins the short answers where there are several parts."""
    composer = Composer(merged.evidence)
    several = len(merged.parts) > 1
    told = Prose(tuple(map(composer.statement, merged.narrative)))
    blocks = [block for part in merged.parts for block in part_blocks(library, part, composer, several)]
    shown = tuple(table_block(table, composer) for table in tables)
    citations = composer.citations()
    cited = {citation.key for citation in citations}
    return Answer(
        question.text,
        short_answer(library, merged.parts),
        (*((told,) if told.statements else ()), *blocks, *shown),
        best_outcome(merged.parts),
        classification.molecules,
        tuple(dict.fromkeys(part.question_type for part in merged.parts)),
        tuple(finding for part in merged.parts for finding in part.findings),
        citations,
        tuple(item for item in merged.evidence if item.key in cited),
        tuple(dict.fromkeys(line for part in merged.parts for line in not_found(part))),
        tuple(place for part in merged.parts for place in part.searched),
        notes=tuple(
            dict.fromkeys((*notes, *merged.notes, *(note for part in merged.parts for note in part.notes)))
        ),
    )


def best_outcome(parts: Sequence[AnswerPart]) -> Outcome:
    """The best outcome of the parts."""
    return min((part.outcome for part in parts), key=list(Outcome).index, default=Outcome.NOTHING)


def short_answer(library: Library, parts: Sequence[AnswerPart]) -> str:
    """One line: the value asked for, labelled where there are several parts."""
    if len(parts) == 1:
        return parts[0].short if parts[0].present else parts[0].headline
    return "; ".join(
        f"{label(library, part)}: {part.short if part.present else UNANSWERED[part.outcome]}"
        for part in parts
    )


def label(library: Library, part: AnswerPart) -> str:
    """What a part is about."""
    heading = library[part.question_type].output.heading
    return f"{heading}, {part.molecule}" if part.molecule else heading


def part_blocks(library: Library, part: AnswerPart, composer: Composer, several: bool) -> list[Block]:
    """A part: its headline, its claims, and under subheadings what else the domains report."""
    blocks: list[Block] = [Heading(label(library, part))] if several else []
    blocks += [Paragraph(part.headline, strong=part.present)] if part.headline else []
    blocks += points(part.claims, composer)
    if part.question_type != GENERAL:
        told = {claim.text for claim in part.claims}
        blocks += [block for finding in part.findings for block in domain_blocks(finding, told, composer)]
    return blocks


def points(claims: Sequence[Claim], composer: Composer) -> list[Block]:
    """Claims as one list; nothing without claims."""
    return [Points(tuple(map(composer.statement, claims)))] if claims else []


def domain_blocks(finding: Finding, told: set[str], composer: Composer) -> list[Block]:
    """A domain's own findings that the part has not told yet."""
    new = [claim for claim in finding.claims if claim.text not in told]
    if not finding.present or not new:
        return []
    told.update(claim.text for claim in new)
    return [Heading(f"{finding.domain.value.capitalize()} documents", 3), *points(new, composer)]


def table_block(table: AnswerTable, composer: Composer) -> Table:
    """A table with the citation numbers of each cell."""
    rows = tuple(tuple(composer.cell(cell.text, cell.keys) for cell in row) for row in table.rows)
    return Table(table.title, table.columns, rows)


def not_found(part: AnswerPart) -> list[str]:
    """Sentences about what the archive does not say."""
    whole = [part.headline] if part.outcome is Outcome.NOTHING else []
    return whole + [finding.headline for finding in part.findings if not finding.present]
