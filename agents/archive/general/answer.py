"""The answer to any question that is not a typed one: searched and ranked over all documents, whatever their
domain.

Rules select the three passages that come closest, and state nothing. A language model reads and writes
(`agents.archive.general.agent`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agents.archive.general.agent import answer_by_model
from agents.archive.general.blocks import block_around
from agents.archive.general.ranking import RankedPassages, rank_passages
from agents.archive.general.render import render_passage
from agents.archive.general.search import FoundGenerally, search_generally
from agents.archive.general.told import NearPassage
from agents.archive.so_far import SoFar
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import Classification, Draft, DraftClaim, GeneralDraft
from agents.counts import number_of
from agents.runs.run import Run

ABSENT = "Not stated in the archive."
MOST_UNWRITTEN = 3
"""Words of a question that no document writes; of more a long question has some that say nothing."""


async def research_generally(
    run: Run, tools: ArchiveTools, so_far: SoFar, classification: Classification
) -> GeneralDraft:
    """Search, review and what comes closest; with a model, what it reads in them."""
    text = so_far.question.text
    found = await run.step("search/general", partial(search_generally, tools), text, classification.molecules)
    reviewed = await run.step("review/general", partial(rank_passages, tools), text, found)
    rules = partial(answer_generally, tools)
    ruled = await run.step("research/general", rules, found, reviewed, then=so_far.add_general)
    if tools.model is None:
        return ruled
    read = await answer_by_model(run, tools, tools.model, so_far.question, found, ruled)
    so_far.add_general(read)
    return read


async def answer_generally(
    tools: ArchiveTools, found: FoundGenerally, review: RankedPassages
) -> GeneralDraft:
    """The passages that come closest."""
    near = (*filter(None, (review.told,)), *review.closest)
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(one.doc_id for one in near))
    documents = {one.record.doc_id: one for one in opened}
    draft = closest([(documents[one.doc_id], one) for one in review.closest if one.doc_id in documents])
    if (told := review.told) and told.doc_id in documents:
        passage = documents[told.doc_id].passages[documents[told.doc_id].place_of(told.start)]
        text = render_passage(passage, told.column)
        answer = Draft(True, text, text, (DraftClaim(text, (passage,)),))
        return GeneralDraft(answer, found.searched, by_rules=draft)
    if review.searched_for:
        draft = replace(draft, not_found=nothing_speaks(review, found.searched.documents))
    elif draft.closest and 0 < len(review.unspoken) <= MOST_UNWRITTEN:
        about = ", ".join(found.molecules or (found.names if found.filters.doc_ids else ()))
        which = f"No document{' on ' * bool(about)}{about}"
        draft = replace(draft, headline=f"{which} writes “{'” or “'.join(review.unspoken)}”.")
    return GeneralDraft(draft, found.searched)


def nothing_speaks(review: RankedPassages, documents: int) -> str:
    """That nothing speaks of what is asked, and what was searched for."""
    where, words = number_of(documents, "document"), ", ".join(review.searched_for)
    return f"Nothing in {where} speaks of {' or '.join(review.unspoken)}. Searched for: {words}."


def closest(places: Sequence[tuple[LoadedDocument, NearPassage]]) -> Draft:
    """Passages, each told in short and cited with what stands around it; nothing where none comes close."""
    claims = tuple(
        DraftClaim(render_passage(document.passages[place], near.column), (block_around(document, place),))
        for document, near in places
        for place in [document.place_of(near.start)]
    )
    return Draft(False, "", "" if claims else ABSENT, claims, closest=bool(claims))
