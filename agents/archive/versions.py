"""What changed between two versions of a document: sentences, items and rows of tables, old beside new."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from rapidfuzz import fuzz, process

from agents.archive.answer import Answer, Question
from agents.archive.general.candidates import stem_set
from agents.archive.general.render import clean, render_row
from agents.archive.tabled import tabled
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.ingest.versions import age
from retrieval.values import DocumentRecord, Passage, PassageKind

VERSION = r"(?<![^\W_])(?:versions?|amendments?|drafts?|revisions?|v)"
ASKED = re.compile(
    rf"(?=.*{VERSION}(?:\b|\.?\d)).*\b(?:compare\b|how\b.*\bdiffer"
    r"|(?:differences?|changes) (?:between|from|since)"
    r"|what(?:['’]s| is| are| was| were| has| have)?(?: been)? (?:chang\w+|differ\w*|new|amended))\b",
    re.IGNORECASE,
)
NUMBER = re.compile(
    rf"{VERSION}\W{{0,3}}(\d+(?:\.[1-9]\d*)*)"
    r"(?:\.0)?(?: (?:and|to|with|vs\.?|versus) (\d+(?:\.[1-9]\d*)*))?",
    re.IGNORECASE,
)
"""The numbers of versions, without the zero of a whole one: "v2.0", "versions 1 and 2"."""
ALIKE = 60
"""Similarity in percent from which two passages are one that was changed."""
MOST_TOLD = 40


async def told_changes(tools: ArchiveTools, question: Question) -> Answer | None:
    """What changed between the versions that are asked about, else up to the last; None if nothing is asked.

    The document is that of which the question names most; of several one with versions, that of the thread.
    What stands under a heading that the question names is told first, then differing numbers.
    """
    if question.instruction or not ASKED.match(question.text):
        return None
    families: dict[str, list[DocumentRecord]] = defaultdict(list)
    for record in sorted(await tools.index.records(), key=age):
        families[record.newest_version or record.copy_of or record.doc_id].append(record)
    words = stem_set(re.sub(r"\d", "", question.text))

    def rank(family: Sequence[DocumentRecord]) -> tuple[int, bool, bool]:
        about = stem_set(" ".join(f"{one.doc_id} {one.title} {one.document_type}" for one in family))
        in_thread = question.thread_document in [one.doc_id for one in family]
        return len(words & about), len(family) > 1, in_thread

    family = max(families.values(), key=rank)
    held = {one.doc_id: numbers_in(f"{one.doc_id}\n{one.title}") for one in family}
    asked = numbers_in(question.text)
    *older, newest = held
    ends = [*([one for one in older if asked & held[one]] or older[-1:]), newest][:2]
    opened = await tools.documents.open_all(tools.index, ends)
    changes = await asyncio.to_thread(list, changes_between(opened[0], opened[-1]))
    topic = words - stem_set(family[-1].title)

    def order(change: Sequence[Passage | None]) -> tuple[bool, bool]:
        heads = " ".join(head for one in change if one for head in one.section[-1:])
        old, new = (re.findall(r"\d+", one.text) if one else [] for one in change)
        return topic.isdisjoint(stem_set(heads)), old == new

    told = sorted(changes, key=order)[:MOST_TOLD]
    rows = [[(said(one) if one else "", one) for one in change] for change in told]
    titles = [(one.record.title, first) for one in opened for first in one.passages[:1]]
    alike = "These versions are alike." if older else "The archive holds one version of this alone."
    short = "What differs, most important first:" if rows else alike
    counts = f"{len(rows)} of {len(changes)} passages." if rows else ""
    if missing := asked.difference(*held.values()):
        counts += f" The archive names no version {' or '.join(sorted(missing))}."
    return await tabled(tools, question, short, counts, tuple(ends), rows or [titles])


def numbers_in(text: str) -> set[str]:
    """The numbers of versions that a text names."""
    return {*chain(*NUMBER.findall(text))} - {""}


def changes_between(old: LoadedDocument, new: LoadedDocument) -> Iterator[Sequence[Passage | None]]:
    """Passages of the older version with what the newer one has in their place, in its order, then what it
    lacks. Of a passage that only one has the other is the most similar one, or None.
    """
    before, after = (
        {said(one): one for one in document.passages if not (one.row and one.kind is PassageKind.HEADING)}
        for document in (old, new)
    )
    gone = [text for text in before if text not in after]
    for text, passage in after.items():
        if text not in before:
            near = process.extractOne(text, gone, scorer=fuzz.ratio, score_cutoff=ALIKE)
            yield before[gone.pop(near[2])] if near else None, passage
    yield from ((before[text], None) for text in gone)


def said(passage: Passage) -> str:
    """A passage as it is compared and shown: a row with its heads."""
    return render_row(passage.row) if passage.row else clean(passage.text)
