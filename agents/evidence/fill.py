"""Evidence made of a passage: the one place where what travels with a passage is filled in."""

from dataclasses import replace

from agents.evidence.sources import Source
from agents.evidence.values import Evidence
from retrieval.values import DocumentRecord, Passage

Holder = DocumentRecord | Source
"""What a passage is of."""


def evidence_of(key: str, uid: str, passage: Passage, holder: Holder, shown_to: str = "") -> Evidence:
    """A passage as evidence under a key."""
    evidence = Evidence(
        key=key,
        uid=uid,
        doc_id=passage.doc_id,
        title=holder.title,
        start=passage.start,
        end=passage.end,
        text=passage.text,
        shown_to=shown_to,
        section=passage.section,
        page=passage.page,
        context=_context(passage),
        date=holder.date,
        document_type=holder.name if isinstance(holder, Source) else holder.document_type,
        newest_version=holder.newest_version,
        lead=passage.lead,
        around=passage.around,
    )
    if isinstance(holder, Source):
        evidence = replace(evidence, release=holder.release, link=holder.link)
    else:
        evidence = replace(
            evidence, subjects=subjects_of(holder), study=holder.study_id, species=holder.species
        )
    if (row := passage.row) is None:
        return evidence
    return replace(
        evidence,
        caption=row.caption,
        header=row.header,
        cells=row.cells,
        group=row.group,
        notes=row.notes,
    )


def subjects_of(record: DocumentRecord) -> tuple[str, ...]:
    """Every name of the molecules that a document is about; none where it is about none, for what it names
    beside may be a comparator or a reagent.
    """
    molecules = record.main_molecules
    groups = (group for group in record.names if set(group) & set(molecules))
    return tuple(dict.fromkeys((*molecules, *(name for group in groups for name in group))))


def _context(passage: Passage) -> str:
    """Headings above a passage, the line that leads to a list, a row's caption, heads and sub-heads: what
    tells a reader where this stands.
    """
    lines = [" > ".join(passage.section), passage.lead]
    if passage.row is not None:
        lines += [passage.row.caption, " | ".join(passage.row.header), " > ".join(passage.row.group)]
    return "\n".join(filter(None, lines))
