"""The review of a model's answer before it is taken: what the gate would strike is asked for once more.

A true value is struck where its quote is not given, or where its computation lacks an input. The model is
told which, and may quote it, compute it, or leave it out.
"""

from collections.abc import Iterator, Mapping, Sequence

from agents.archive.ground import passage_carrier
from agents.archive.reading.answers import (
    ModelAnswer,
    all_derived,
    draft_claims,
    shown_passages,
    without_absences,
)
from agents.archive.reading.quotes import missing_quotes
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.minds.critic import ACCEPT, Review
from agents.minds.work import AgentResult, Said, Work
from agents.trust.carrier import Carrier, text_carrier
from agents.trust.support import Support, derived_fault, sound
from agents.trust.support import faults as struck
from agents.trust.values import Derivation
from agents.trust.written_numbers import parse_numbers
from retrieval.values import Passage

MOST = 6
"""Points of one review."""
MEND = (
    "Quote the sentence or row that says it, with its key; or give it in `computed` with all its inputs "
    "quoted; or leave it out."
)


async def review_answer(
    tools: ArchiveTools, asked: str, draft: AgentResult, dialog: tuple[Said, ...], work: Work
) -> Review:
    """Asks once for another answer where this one cites nothing, quotes what no passage says, or states a
    value that its quotes do not carry.
    """
    answer = ModelAnswer.model_validate_json(draft.answer)
    if dialog[-1].round > 1 or answer.outcome == "nothing":
        return ACCEPT
    shown = shown_passages(work.memory.all())
    points = quote_faults(answer, shown) or await value_faults(tools, asked, answer, shown)
    return Review(verdict="revise", points=tuple(points[:MOST])) if points else ACCEPT


def quote_faults(answer: ModelAnswer, shown: Mapping[str, Passage]) -> list[str]:
    """What is wrong with an answer's citations, a sentence each."""
    if not answer.statements:
        return ["No statement carries the answer. Give at least one, with keys and quotes."]
    quotes = [quote for one in answer.statements for quote in one.quotes]
    points = [
        f'No passage says "{quote}" word for word. Copy the words from the passage, or leave them out.'
        for quote in missing_quotes(quotes, shown.values())
    ]
    points += [
        f'The statement "{one.text or one.keys}" has no quote. Copy the words that it rests on.'
        for one in answer.statements
        if not any(quote.strip() for quote in one.quotes)
    ]
    return points


async def value_faults(
    tools: ArchiveTools, asked: str, answer: ModelAnswer, shown: Mapping[str, Passage]
) -> list[str]:
    """Values of an answer that what it quotes does not carry, as the gate reads it, a sentence each."""
    statements, _ = without_absences(answer.statements)
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(one.doc_id for one in shown.values()))
    documents = {one.document.record.doc_id: one for one in opened}
    claims = draft_claims(statements, shown, documents)
    carriers = _carriers([passage for claim in claims for passage in claim.passages], documents)
    derived, given = all_derived(statements), (text_carrier(asked),)
    texts = [(line, carriers, derived) for line in (answer.short, answer.headline)]
    texts += [(one.text, _carriers(one.passages, documents), one.derived) for one in claims]
    points = list(_of_computed(derived, carriers))
    for text, own, computed in texts:
        points += _told(text, Support(own, sound(computed, own), given, asked=asked))
    return list(dict.fromkeys(points))


def _carriers(passages: Sequence[Passage], documents: Mapping[str, LoadedDocument]) -> tuple[Carrier, ...]:
    return tuple(
        passage_carrier(one, documents[one.doc_id].document.record)
        for one in dict.fromkeys(passages)
        if one.doc_id in documents
    )


def _of_computed(derived: Sequence[Derivation], carriers: Sequence[Carrier]) -> Iterator[str]:
    for one in derived:
        if fault := derived_fault(one, carriers):
            yield f"{fault} Quote every input, and write the formula over them."


def _told(text: str, support: Support) -> Iterator[str]:
    for fault in struck(text, support):
        if parse_numbers(fault.value):
            yield f'"{fault.value}" in "{text}": {fault.reason}. {MEND}'
