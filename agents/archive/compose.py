"""Composes the answer: the line that answers, what it leaves to tell, and the passages behind both.

Every fact is told once. The claims of a typed answer that only repeat their passages are its sources; those
that a model wrote stand as a list. Of tables only what the line does not say is shown.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.archive.answer import Answer, AnswerOutcome, AnswerTable, Question
from agents.archive.brevity import is_quoted, line_that_answers, without_repetition
from agents.archive.library import GENERAL, Library
from agents.archive.values import AnswerPart, Classification, Merged
from agents.archive.vouched import sign_of
from agents.reports.brief import MOST_MARKS, says
from agents.reports.compose import Composer
from agents.reports.markdown import stated
from agents.reports.quoted_table import whole_table
from agents.reports.values import Block, Paragraph, Points, Prose, Statement, Table
from agents.text.quantities import parse_quantities
from agents.trust.values import LEGENDS, Claim
from retrieval.markdown import cells

UNANSWERED = {AnswerOutcome.CLOSEST: "no certain answer", AnswerOutcome.NOTHING: "not stated"}
"""What a part without an answer says in one line."""
COMPARISON = "comparison"
MOST_POINTS = 15


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
    texts = {item.key: item.text for item in merged.evidence}
    compared = [table for table in tables if table.question_type == COMPARISON]
    blocks: list[Block] = [table_block(table, composer) for table in compared]
    for part in merged.parts:
        of_part = (part.question_type, part.molecule)
        own = [table for table in tables if (table.question_type, table.molecule) == of_part]
        if not part.present:
            blocks += unanswered_blocks(part, composer)
        elif not compared or part.question_type == GENERAL:
            blocks += answered_blocks(part, own, composer, texts)
    of_parts = [note for part in merged.parts for note in part.notes]
    signs = [LEGENDS.get(sign_of(part), "") for part in merged.parts if part.present]
    contradictions = [claim for part in merged.parts for claim in part.contradictions]
    contradicted = tuple(stated(render_briefly(claim, composer)) for claim in contradictions)
    return Answer(
        question.text,
        short_answer(library, merged.parts),
        tuple(blocks),
        min(
            (part.outcome for part in merged.parts),
            key=list(AnswerOutcome).index,
            default=AnswerOutcome.NOTHING,
        ),
        classification.molecules,
        tuple(dict.fromkeys(part.question_type for part in merged.parts)),
        composer.citations(),
        () if compared else not_found(library, merged.parts),
        tuple(place for part in merged.parts for place in part.searched),
        notes=tuple(dict.fromkeys((*notes, *contradicted, *of_parts, *filter(None, signs)))),
        derived=tuple(dict.fromkeys(one for part in merged.parts for one in part.derived)),
    )


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


def answered_blocks(
    part: AnswerPart,
    tables: Sequence[AnswerTable],
    composer: Composer,
    texts: Mapping[str, str],
) -> list[Block]:
    """A part: the line that answers, then what it leaves to tell.

    `texts` are those of the evidence under their keys.
    """
    statements = [composer.statement(claim) for claim in best_first(part, texts)]
    line = line_that_answers(part.headline, more_below=any(len(table.rows) > 1 for table in tables))
    every = tuple(dict.fromkeys(number for one in statements for number in one.citations))
    numbers = composer.fewest(line, every, part.derived)
    cited = composer.citations(numbers)
    told = " ".join((line, *(one.doc_id for one in cited)))
    signed = f"{line} {sign_of(part)}".strip()
    blocks: list[Block] = [Prose((Statement(signed, numbers),), strong=True)] if line else []
    news = [one for one in statements if is_news(part, one, numbers[:MOST_MARKS], composer)]
    blocks += [Points(tuple(news[:MOST_POINTS]))] if news else []
    return [
        *blocks,
        *(table_block(new, composer) for table in tables if (new := without_repetition(table, told))),
    ]


def best_first(part: AnswerPart, texts: Mapping[str, str]) -> list[Claim]:
    """A part's claims in the order to cite them: each carries most of what the line says and none before did.

    A sentence is read more easily than a row of a table and goes before it. A general answer has its order:
    that of the question's parts, or of a list or summary that a model wrote.
    """
    if part.question_type == GENERAL:
        return list(part.claims)
    rest, ordered = list(part.claims), list[Claim]()
    open_words = words_of(part.headline)
    while rest:
        best = max(
            rest,
            key=lambda claim: (
                len(open_words & words_of(claim.text)),
                not all(texts[key].startswith("|") for key in claim.keys),
            ),
        )
        rest.remove(best)
        ordered.append(best)
        open_words -= words_of(best.text)
    return ordered


def render_briefly(claim: Claim, composer: Composer) -> Statement:
    """A claim with no more citations than carry it."""
    statement = composer.statement(claim)
    numbers = composer.fewest(statement.text, statement.citations, claim.derived)
    return replace(statement, citations=numbers)


def words_of(text: str) -> set[str]:
    """The words and numbers of a text that tell something."""
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3 or word[0].isdigit()}


def unanswered_blocks(part: AnswerPart, composer: Composer) -> list[Block]:
    """What a part without an answer says: the passages that come closest, below them their tables whole."""
    told = tuple(composer.statement(claim) for claim in part.claims)
    cited = [one for statement in told for one in composer.citations(statement.citations)]
    return [
        *([Paragraph(part.headline)] if part.headline else []),
        *([Points(told, open_sources=True, folded=part.outcome is AnswerOutcome.NOTHING)] if told else []),
        *filter(None, map(whole_table, cited)),
    ]


def is_news(part: AnswerPart, statement: Statement, marked: Sequence[int], composer: Composer) -> bool:
    """Whether a claim says more than the line that answers and than the sources of a typed answer.

    A row of a table is told with its heads where it is one of a list, or if the line cites it: alone it could
    not be understood. It is not where the line has said one of its cells in words: the others were not asked.
    """
    if says(part.headline, statement.text):
        return False
    quotes = [one.quote for one in composer.citations(statement.citations)]
    if any(quote.startswith("|") for quote in quotes):
        cited = bool(set(statement.citations) & set(marked))
        return part.question_type == GENERAL or (cited and not any(_in_words(part, one) for one in quotes))
    return part.question_type == GENERAL or not is_quoted(statement.text, quotes)


def _in_words(part: AnswerPart, row: str) -> bool:
    """Whether the line that answers has a cell of several words and no amount as it stands in a row."""
    told = (one for one in cells(row) if len(one.split()) > 1 and not parse_quantities(one))
    return any(says(part.headline, one) for one in told)


def table_block(table: AnswerTable, composer: Composer) -> Block:
    """A table with the citation numbers of each cell; a single row as a line."""
    rows = tuple(tuple(composer.cell(cell.text, cell.keys) for cell in row) for row in table.rows)
    if len(rows) > 1 or table.question_type == COMPARISON:
        return Table(table.title, table.columns, rows)
    told = [(head, cell) for head, cell in zip(table.columns, rows[0], strict=True) if cell.text]
    numbers = tuple(dict.fromkeys(number for _, cell in told for number in cell.citations))
    line = "; ".join(f"{head}: {cell.text}" for head, cell in told)
    return Points((Statement(line, numbers),))


def not_found(library: Library, parts: Sequence[AnswerPart]) -> tuple[str, ...]:
    """One line for the parts of an answer that nothing was found for; none if the answer says so."""
    missing = [label(library, part) for part in parts if part.outcome is AnswerOutcome.NOTHING]
    if not missing or len(missing) == len(parts):
        return ()
    return (f"Not stated in the archive: {'; '.join(missing)}.",)
