"""The answer to a general question: the part of a passage that surely answers, or what comes closest.

The deterministic mind selects and does not write. What is certain enough is calibrated on questions with and
without an answer. A language model reads more and writes instead (`agents.archive.general.agent`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import SearchedPlace
from agents.archive.corrections import beside_corrections, is_taken_back
from agents.archive.general.blocks import apart, block_around
from agents.archive.general.candidates import table_start
from agents.archive.general.certain import CERTAIN, bare, is_of_all, stands_alone
from agents.archive.general.extract import Extracted, clean, extract, fields_of
from agents.archive.general.fits import is_asked_for
from agents.archive.general.parts import parts_of
from agents.archive.general.polarity import verdict
from agents.archive.general.question import AnswerType, FactualQuestion, analyse_question
from agents.archive.general.review import ReviewedGenerally, ReviewedPassage
from agents.archive.general.search import FoundGenerally
from agents.archive.general.tables import LabelledRow, labelled_rows
from agents.archive.general.words import stems
from agents.archive.review import PassageRef
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import Draft, DraftClaim
from retrieval.values import Filters, Passage, PassageKind, Stage

NEAR = 0.02
"""Confidence below which a passage does not even come close, unless its document is the one asked about."""
ABSENT = "Not stated in the archive."
OFFERED = 6
"""Closest passages at most; the first three that pass the check of claims are shown."""


@dataclass(frozen=True, slots=True)
class GeneralDraft:
    """The answer to a general question, and the domain of the document it stands in.

    `why_fallen_back` says why a model that was asked did not answer; else it is "". `by_rules` is what the
    rules say where a model made the draft, for the case that none of its claims stands.
    """

    draft: Draft
    domain: Stage
    searched: SearchedPlace
    why_fallen_back: str = ""
    by_rules: Draft | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InPlace:
    """A passage with the document it stands in, and its rows under their heads."""

    document: LoadedDocument
    place: int
    row: LabelledRow | None

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.document.passages[self.place]


async def answer_generally(
    tools: ArchiveTools, text: str, found: FoundGenerally, review: ReviewedGenerally, *, certain: bool = True
) -> GeneralDraft:
    """The best passages as an answer, or as what comes closest; not `certain`: only as what comes closest.

    A value of which a correction speaks is not certain: the passages are shown, and the correction with them.
    """
    review = replace(review, closest=await beside_corrections(tools, review.closest))
    ids = dict.fromkeys(ref.doc_id for ref in (*(item.ref for item in review.passages), *review.closest))
    documents = {d.document.record.doc_id: d for d in await tools.documents.open_all(tools.index, ids)}
    draft = draft_by_rules(text, found.names, review, documents, certain=certain)
    cited = [passage.doc_id for claim in draft.claims for passage in claim.passages]
    if draft.present and await is_taken_back(tools, draft.short, cited):
        draft = draft_by_rules(text, found.names, review, documents, certain=False)
    searched = replace(found.searched, passages=review.looked_at)
    return GeneralDraft(draft, await domain_of(tools, draft), searched)


async def domain_of(tools: ArchiveTools, draft: Draft) -> Stage:
    """The domain of the document that an answer stands in; that of decisions where there is none."""
    if not draft.present:
        return Stage.STRATEGIC
    [record] = await tools.index.records(Filters(doc_ids=(draft.claims[0].passages[0].doc_id,)))
    return record.stages[0] if record.stages else Stage.STRATEGIC


def draft_by_rules(
    text: str,
    names: Sequence[str],
    review: ReviewedGenerally,
    documents: Mapping[str, LoadedDocument],
    *,
    certain: bool = True,
) -> Draft:
    """An answer where each part of the question has one, in the order asked; else the closest passages."""
    parts = parts_of(text)
    reviewed = review.passages
    places = [(item, in_place(documents[item.ref.doc_id], item.ref)) for item in reviewed]
    answers = [
        answer_of(asked, names, [pair for pair in places if pair[0].part == part])
        for part, asked in enumerate(parts)
    ]
    if certain and all(answers):
        told = [one for one, _ in filter(None, answers)]
        at = [where for _, where in filter(None, answers)]
        fields = tuple(
            field for one, where in zip(told, at, strict=True) for field in fields_of(one, where.passage)
        )
        claims = tuple(dict.fromkeys(DraftClaim(statement(where), (where.passage,)) for where in at))
        short = "; ".join(one.short for one in told)
        return Draft(True, short, "; ".join(map(headline, told)), claims, fields)
    if not names and not any(item.confidence >= NEAR for item in reviewed):
        return Draft(False, "", ABSENT)
    return closest([in_place(documents[ref.doc_id], ref) for ref in review.closest])


def answer_of(
    asked: str, names: Sequence[str], places: Sequence[tuple[ReviewedPassage, InPlace]]
) -> tuple[Extracted, InPlace] | None:
    """What the best passage answers to a part of the question, if that is certain."""
    if not places or not is_certain(*places[0]):
        return None
    (item, where), *others = places
    told = extracted_from(asked, names, item, where)
    if told is None or is_cut(told) or is_head(told, where):
        return None
    if not is_of_all(asked, statement(where), place_of(where), names):
        return None
    question = analyse_question(asked, names)
    if not is_asked_for(question, told, where.passage.text, where.row, place_of(where)):
        return None
    rivals = [
        other.confidence
        for other, beside in others
        if other.fits
        and bare(told.short) not in bare(statement(beside))
        and not is_other_row(question, where, beside)
        and is_of_all(asked, statement(beside), place_of(beside), names)
    ]
    return (told, where) if stands_alone(item.confidence, rivals) else None


def is_cut(told: Extracted) -> bool:
    """Whether a passage had to be cut to be an answer: then nothing in it was picked, and it is only near."""
    return told.short.endswith("…")


def is_head(told: Extracted, where: InPlace) -> bool:
    """Whether an answer is the first head of a table, which names its rows and states nothing."""
    return where.row is not None and where.row.is_header and told.short == clean(where.row.cells[0])


def is_other_row(question: FactualQuestion, best: InPlace, beside: InPlace) -> bool:
    """Whether a row of the same table has a label that says less of the question than that of the best."""
    if best.row is None or beside.row is None or best.row.caption != beside.row.caption:
        return False
    asked = set(question.terms)
    return bool(asked & set(stems(best.row.label)) - set(stems(beside.row.label)))


def is_certain(item: ReviewedPassage, where: InPlace) -> bool:
    """Whether a passage answers: likely enough, with all that the question turns on in it.

    A heading names what is told below it, and a question of the document's own states nothing.
    """
    heading = where.passage.kind is PassageKind.HEADING and where.row is None
    asks = where.passage.text.rstrip(" *_\"'”)").endswith("?")
    return item.fits and item.confidence >= CERTAIN and not heading and not asks


def place_of(where: InPlace) -> tuple[str, ...]:
    """What stands around a passage: document, headings, and of a row its caption."""
    record = where.document.document.record
    caption = (where.row.caption,) if where.row else ()
    return (record.doc_id, record.title, record.study_id, *record.molecules, *where.passage.section, *caption)


def extracted_from(
    asked: str, names: Sequence[str], item: ReviewedPassage, where: InPlace
) -> Extracted | None:
    """The short answer; None to a question for yes or no that the passage does not decide."""
    question = analyse_question(asked, names)
    extracted = extract(question, where.passage, where.row, item.column)
    if question.answer_type is not AnswerType.YES_NO:
        return extracted
    said = verdict(question, statement(where))
    return replace(extracted, short=f"{said}: {clean(where.passage.text)}") if said else None


def closest(places: Sequence[InPlace]) -> Draft:
    """The best passages with what stands around them; nothing where none comes close."""
    blocks = [block_around(where.document, where.place) for where in places]
    chosen = [(places[i], blocks[i]) for i in apart(blocks)[:OFFERED]]
    if not chosen:
        return Draft(False, "", ABSENT)
    claims = tuple(DraftClaim(told_in_place(where, block), (block,)) for where, block in chosen)
    return Draft(False, "", "", claims, closest=True)


def in_place(document: LoadedDocument, ref: PassageRef) -> InPlace:
    """The passage that begins where a reference says."""
    passages = document.passages
    place = next(i for i, passage in enumerate(passages) if passage.start == ref.start)
    if passages[place].row is None:
        return InPlace(document, place, None)
    last = place
    while last < len(passages) and passages[last].row is not None:
        last += 1
    rows = labelled_rows(passages[table_start(passages, place) : last])
    return InPlace(document, place, rows.get(ref.start))


def headline(extracted: Extracted) -> str:
    """The short answer with its place in a table."""
    place = ", ".join(filter(None, (extracted.row, extracted.column)))
    return f"{extracted.short} ({place})" if place and extracted.column else extracted.short


def statement(where: InPlace) -> str:
    """A passage as a statement: the sentence itself; of a row its cells under their heads."""
    if where.row is None:
        return clean(where.passage.text)
    row = where.row
    heads = ("",) * len(row.cells) if row.is_header else row.heads
    told = [(clean(head), clean(cell)) for head, cell in zip(heads, row.cells, strict=True) if cell]
    label = clean(row.label_above)
    cells = [f"{head}: {cell}" if head and head != cell else cell for head, cell in told]
    return "; ".join(dict.fromkeys([label, *cells] if label and not row.cells[0] else cells))


def told_in_place(where: InPlace, block: Passage) -> str:
    """A block as a reader is shown it: word for word; of a table the row, with the table's caption."""
    if not where.row:
        return clean(block.text)
    # A line above the table that only the answer's reader takes for its caption carries nothing.
    text, above = statement(where), clean(block.row.caption if block.row else "")
    return f"{above}: {text}" if above and above not in text else text
