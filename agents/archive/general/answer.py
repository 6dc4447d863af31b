"""The answer to any question that is not a typed one: searched and ranked over all documents, whatever their
domain.

Rules select the three passages that come closest, and state nothing. A language model reads and writes
(`agents.archive.general.agent`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agents.archive.general.agent import answer_by_model
from agents.archive.general.blocks import block_around, slice_of
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
    near = (*review.told, *review.closest)
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(one.doc_id for one in near))
    documents = {one.record.doc_id: one for one in opened}
    draft = closest([(documents[one.doc_id], one) for one in review.closest if one.doc_id in documents])
    claims = tuple(told_claim(own, one) for one in review.told if (own := documents.get(one.doc_id)))
    if claims:
        text = " ".join(one.text for one in claims)
        untold = tuple(f"No passage surely answers “{part}”" for part in review.untold)
        return GeneralDraft(Draft(True, text, text, claims), found.searched, "", draft, untold)
    # The gate takes a number in a word for a finding ("KCNH2").
    asked = found.searched.query
    every = dict.fromkeys(form for forms in review.unspoken.values() for form in forms)
    words = [one for one in every if one in asked or not any(map(str.isdigit, one))]
    if words:
        where = f"Nothing in {number_of(found.searched.documents, 'document')}"
        missed = f"{where} speaks of {' or '.join(review.unspoken)}. Searched for: {', '.join(words)}."
        draft = replace(draft, not_found=missed)
    elif review.unspoken:
        missed = f"No document that was searched writes “{'” or “'.join(review.unspoken)}”."
        draft = replace(draft, headline=missed, not_found="" if draft.closest else missed)
    return GeneralDraft(draft, found.searched)


def told_claim(document: LoadedDocument, told: NearPassage) -> DraftClaim:
    """What a passage answers, cited with it; of several rows of a table all from the first to the last."""
    place = document.place_of(told.start)
    others = [(document.place_of(start), column) for start, column in told.beside]
    beside = [(row, column) for other, column in others if (row := document.passages[other].row)]
    last = others[-1][0] if others else place
    text = render_passage(document.passages[place], told.column, beside)
    return DraftClaim(text, (slice_of(document, place, last, place),))


def closest(places: Sequence[tuple[LoadedDocument, NearPassage]]) -> Draft:
    """Passages, each told in short and cited with what stands around it; nothing where none comes close."""
    claims = tuple(
        DraftClaim(render_passage(document.passages[place], near.column), (block_around(document, place),))
        for document, near in places
        for place in [document.place_of(near.start)]
    )
    return Draft(False, "", "" if claims else ABSENT, claims, closest=bool(claims))
