"""How evidence is laid out for a judge of claims: what quotes share is told once."""

from collections.abc import Iterator, Sequence

from agents.data_block import data_block
from agents.evidence.values import LEFT_OUT, Evidence
from agents.text.rows import render_heads
from agents.text.words import content_words, stems
from retrieval.text.sentences import split_sentences

LONG = 100
"""Characters of a heading, caption or row of heads from which on it is told once."""
SUBJECTS = 6
"""Names of a document's molecules that are shown."""


def blocks_of(evidence: Sequence[Evidence], keys: Sequence[str], claims: Sequence[str]) -> Iterator[str]:
    """A block for each piece of evidence, in order, under its key and for the claim that it was given for.

    What stands around a passage is told only where the claim has words that the passage and its place lack.
    A sentence or a long head of a document is told once: blocks after that name its key.
    """
    told = {
        (item.doc_id, said): key
        for item, key in zip(evidence, keys, strict=True)
        for said in split_sentences(item.text)
    }

    def once(text: str, parts: Sequence[str], item: Evidence, key: str) -> str:
        at = [(part, told.setdefault((item.doc_id, part), key)) for part in parts]
        others = ", ".join(dict.fromkeys(where for _, where in at if where != key))
        news = (part for part, where in at if where == key)
        return " ".join((*news, f"as for {others}")) if others else text

    for item, key, claim in zip(evidence, keys, claims, strict=True):
        labels = _labels(item)
        lacking = content_words(claim) - stems("\n".join((*labels.values(), item.context, item.text)))
        near = item.around if lacking else ""
        parts = [part for part in split_sentences(near) if part != LEFT_OUT.strip()]
        around = "\n".join(filter(None, (item.notes, once(near, parts, item, key))))
        heads = item.context.replace(" | ".join(item.header), render_heads(item.header))
        lines = (once(line, [line] * (len(line) >= LONG), item, key) for line in heads.splitlines())
        context = "" if _is_its_own_head(item) else "\n".join(dict.fromkeys(lines))
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
