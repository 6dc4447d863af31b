"""Review for a general question: the sentences and rows of the chunks found, best first.

The search decides what is read. Words and late interaction only order what lies in its best chunks.
"""

import asyncio
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.archive.general.candidates import CandidatePassage, candidates_of, stem_set
from agents.archive.general.closest import closest_passages
from agents.archive.general.question import CODE, METABOLITE, PARENT, FactualQuestion, analyse_question
from agents.archive.general.score import ScoredPassage, score, text_for_reranker
from agents.archive.general.search import FoundGenerally
from agents.archive.general.told import NearPassage, told_passages
from agents.archive.general.unspoken import unspoken
from agents.archive.research.documents.lines import same_paragraph
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.versions import NUMBER
from agents.text.rows import under
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage

ANALYTE = re.compile(r"(?:analyte|metabolite)\b.*", re.IGNORECASE)
"""The head of what a row was measured of: it answers only a question that names this."""
SHAPE = partial(re.sub, r"\d+", "0")
CHUNKS_READ = 12
RERANKED = 24


@dataclass(frozen=True, slots=True)
class RankedPassages:
    """The passages that come closest, best first.

    `told` are those that answer the parts of the question, `untold` the parts that none answers. `unspoken`
    are words of the question that nothing says where none is told, each with what was searched for where it
    is sure that nothing speaks of it.
    """

    closest: tuple[NearPassage, ...]
    told: tuple[NearPassage, ...]
    untold: tuple[str, ...]
    unspoken: dict[str, list[str]]


async def rank_passages(tools: ArchiveTools, text: str, found: FoundGenerally) -> RankedPassages:
    """Rank the passages of the best chunks; keep the best of the paragraphs and tables that come closest."""
    read = dict.fromkeys(chunk.doc_id for chunk in found.chunks[:CHUNKS_READ])
    documents = await tools.documents.open_all(tools.index, read)
    opened = {document.record.doc_id: document for document in documents}
    candidates = await asyncio.to_thread(candidates_in, documents, found)
    registry = await tools.index.molecules()
    about = [
        one
        for one in candidates
        for own in [opened[one.passage.doc_id]]
        if not is_about_other(one.passage, found.molecules, registry, own.record.main_molecules, own.passages)
        and is_of_analyte(one, text, found.molecules)
        and is_of_named(one.passage, found.codes, own)
    ]
    question = analyse_question(text, found.names)
    scored = await rank(tools, question, about, RERANKED)
    near = await asyncio.to_thread(closest_passages, scored, opened)
    close = tuple(NearPassage(one.passage.doc_id, one.passage.start, one.column) for one in near)
    certain = [
        one
        for one in about
        for record in [opened[one.passage.doc_id].record]
        if (not record.newest_version or NUMBER.search(text))
        and (one.passage.row or set(METABOLITE.findall(one.passage.text)) <= set(METABOLITE.findall(text)))
        and is_of_analyte(one, text, (text,))
        and (not found.molecules or set() < set(record.main_molecules) <= set(found.molecules))
    ]
    told = await asyncio.to_thread(told_passages, question.core, certain)
    answers = tuple(dict.fromkeys(filter(None, told.values())))
    untold = tuple(part for part, one in told.items() if one is None)
    missing = {} if answers else await unspoken(tools, question, found, candidates)
    return RankedPassages(close, answers, untold, missing)


def candidates_in(documents: Sequence[LoadedDocument], found: FoundGenerally) -> list[CandidatePassage]:
    """The passages of the best chunks."""
    chunks = found.chunks[:CHUNKS_READ]
    best = max((chunk.score for chunk in chunks), default=0.0) or 1.0
    spans: dict[str, list[tuple[int, int, float]]] = {}
    for chunk in chunks:
        spans.setdefault(chunk.doc_id, []).append((chunk.start, chunk.end, chunk.score / best))
    return [
        candidate
        for document in documents
        for candidate in candidates_of(document, spans.get(document.document.record.doc_id, ()))
    ]


async def rank(
    tools: ArchiveTools, question: FactualQuestion, candidates: Sequence[CandidatePassage], reranked: int
) -> list[ScoredPassage]:
    """The passages, best first; late interaction judges again so many of those that words rank first."""
    by_words = await asyncio.to_thread(score, question, candidates)
    if not (top := by_words[:reranked]):
        return []
    values = await tools.reranker.score(question.core, [text_for_reranker(item) for item in top])
    judged = [replace(item, rerank=float(value)) for item, value in zip(top, values, strict=True)]
    judged.sort(key=lambda item: -item.score)
    return [*judged, *by_words[reranked:]]


def is_about_other(
    passage: Passage,
    question: Sequence[str],
    registry: Sequence[Molecule],
    main: Sequence[str],
    passages: Sequence[Passage] = (),
) -> bool:
    """Whether a passage is about other molecules than those asked about.

    That is what it names. A passage that names none is about what the line that leads its list names, or the
    nearest heading. Else it is about what its document is about, `main`; where that is not one molecule, the
    nearest sentence before it in its paragraph decides. `passages` are those of its document.
    """
    if not question:
        return False
    before = sentences_before(passages, passage) if len(main) != 1 else ()
    places = (passage.text, passage.lead, *reversed(passage.section), *before)
    named = ({name for _, _, name in mentions(place, registry)} for place in places)
    about = next(filter(None, named), set(main))
    return bool(about) and about.isdisjoint(question)


def is_of_named(passage: Passage, codes: Sequence[str], document: LoadedDocument) -> bool:
    """Whether a passage is about a study or document that a question names, if it names any: its document
    is, or it stands where the name does and has none of the same shape.
    """
    record, row = document.record, passage.row
    shapes = {*map(SHAPE, codes)}
    others = {one for one in CODE.findall(passage.text) if SHAPE(one) in shapes}
    around = sentences_before(document.passages, passage)
    said = (record.doc_id, record.title, record.study_id, passage.text, *passage.section, *around)
    told = " ".join((*said, row.caption if row else "")).casefold()
    own = not others or not others.isdisjoint(codes)
    return not codes or (own and any(code.casefold() in told for code in codes))


def is_of_analyte(candidate: CandidatePassage, question: str, named: Sequence[str]) -> bool:
    """Whether a passage speaks of the metabolites that a question names ("M3", "KV-402-M3"); where it has
    `named` a molecule alone, whether a row was measured of that.
    """
    row, asked = candidate.passage.row, stem_set(" ".join(METABOLITE.findall(question)))
    measured = [*filter(None, under(row, ANALYTE))] if row else []
    if PARENT.search(question):
        return not any(map(METABOLITE.search, measured or (candidate.passage.text,)))
    if not asked:
        return not named or all(one in question for one in measured)
    said = candidate.own.union(candidate.place, candidate.title, *candidate.columns)
    return asked <= (stem_set(" ".join(measured)) or said)


def sentences_before(passages: Sequence[Passage], passage: Passage) -> Iterator[str]:
    """The sentences before a passage in its paragraph, nearest first."""
    place = bisect_left(passages, passage.start, key=lambda one: one.start)
    while 0 < place < len(passages) and same_paragraph(passages[place - 1], passages[place]):
        place -= 1
        yield passages[place].text
