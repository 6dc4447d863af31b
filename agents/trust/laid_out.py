"""How evidence is laid out for a judge of claims: what quotes share is told once."""

from collections.abc import Iterator, Sequence

from agents.data_block import data_block
from agents.evidence.values import Evidence
from agents.text.words import content_words, stems

SUBJECTS = 6
"""Names of a document's molecules that are shown."""


def blocks_of(evidence: Sequence[Evidence], keys: Sequence[str], claims: Sequence[str]) -> Iterator[str]:
    """A block for each piece of evidence, in order, under its key and for the claim that it was given for.

    What stands around a passage is told only where the claim has words that the passage and its place lack.
    What was told around the last passages of a document is not told again: the block names their key.
    """
    told: dict[tuple[str, str], str] = {}
    for item, key, claim in zip(evidence, keys, claims, strict=True):
        labels = _labels(item)
        lacking = content_words(claim) - stems("\n".join((*labels.values(), item.context, item.text)))
        near = item.around if lacking else ""
        if near:
            first = told.setdefault((item.doc_id, near), key)
            near = near if first == key else f"as for {first}"
        around = "\n".join(filter(None, (item.notes, near)))
        context = "" if _is_its_own_head(item) else item.context
        read = "\n".join(filter(None, (context, item.text, f"(Around it: {around})" if around else "")))
        yield data_block(read, key=key, **{name: said for name, said in labels.items() if said})


def _labels(item: Evidence) -> dict[str, str]:
    """What tells a reader what a passage speaks of. A title may be a section's, so the id stands by it."""
    named = item.release or item.doc_id in item.title
    return {
        "document": item.title if named else f"{item.title} ({item.doc_id})".strip(),
        "type": item.document_type,
        "study": item.study,
        "date": item.date,
        "about": ", ".join(item.subjects[:SUBJECTS]),
    }


def _is_its_own_head(item: Evidence) -> bool:
    """Whether a passage is the row of heads that its context tells as well."""
    return bool(item.cells) and item.cells == item.header
