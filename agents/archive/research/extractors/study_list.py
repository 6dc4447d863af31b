"""The studies of a molecule in the archive, with phase, species or population, status and date."""

from collections.abc import Iterator, Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.context import population_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind, MoleculeRole
from agents.archive.research.drafting import absent
from agents.archive.values import Draft, DraftClaim, DraftField, ResearchInput
from retrieval.values import Passage

KINDS = (DocumentKind.REGISTRY, DocumentKind.PROTOCOL, DocumentKind.CLINICAL, DocumentKind.NONCLINICAL)
ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}
MOST = 12


def extract(research_input: ResearchInput) -> Draft:
    """Documents that describe a study of the molecule."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [
        document
        for document in documents
        if document.kind in KINDS and document.role is not MoleculeRole.PASSING
    ]
    rejected = [
        Rejected(s.doc_id, "mentioned in passing", f"{s.kind.value}: {s.title}")
        for s in documents
        if s not in found
    ]
    if not found:
        return absent(f"The archive holds no study of {name}.", rejected)
    return draft(name, found, rejected)


def draft(name: str, found: Sequence[AnnotatedDocument], rejected: Sequence[Rejected]) -> Draft:
    """One line a study."""
    items = [item_of(document) for document in found]
    more = f"; {len(items) - MOST} more" if len(items) > MOST else ""
    short = f"{len(items)} stud{'y' if len(items) == 1 else 'ies'}: {'; '.join(items[:MOST])}{more}"
    claims = tuple(
        DraftClaim(passage.text.lstrip("# "), (passage,))
        for document in found
        if (passage := first_passage(document)) is not None
    )
    fields = tuple(field for document in found for field in fields_of(document))
    return Draft(
        True, short, f"The archive holds {short[0].lower()}{short[1:]}.", claims, fields, tuple(rejected)
    )


def item_of(document: AnnotatedDocument) -> str:
    """ "NCT01234567 (Phase II; patients with asthma; completed)"."""
    facts = (phase_of(document), population_of(document) or species(document), status_of(document))
    return f"{document.doc_id} ({'; '.join(filter(None, facts))})"


def phase_of(document: AnnotatedDocument) -> str:
    """The phase, or the kind of study where it has none."""
    if document.phases:
        return f"Phase {'/'.join(ROMAN[phase] for phase in sorted(document.phases))}"
    return document.record.document_type or document.kind.value


def species(document: AnnotatedDocument) -> str:
    """Species that the record names."""
    return ", ".join(document.record.species)


def status_of(document: AnnotatedDocument) -> str:
    """The status, if the record has one."""
    return document.record.status.value if document.record.status else ""


def first_passage(document: AnnotatedDocument) -> Passage | None:
    """The heading or sentence that stands for the study: the one with its title, or the first."""
    titled = next(
        (
            line
            for line in document.lines
            if line.is_heading and document.record.title and document.record.title in line.passage.text
        ),
        None,
    )
    line = titled or (document.lines[0] if document.lines else None)
    return line.passage if line else None


def fields_of(document: AnnotatedDocument) -> Iterator[DraftField]:
    """What the study list shows of a study; `note` is its identifier."""
    passage = first_passage(document)
    at = (passage,) if passage else ()
    values = {
        "study": document.doc_id,
        "title": document.title,
        "type": document.record.document_type or document.kind.value,
        "phase": "/".join(ROMAN[phase] for phase in sorted(document.phases)),
        "species": species(document),
        "status": status_of(document),
        "date": document.record.date,
    }
    for field, value in values.items():
        if value:
            yield DraftField(field, value, passages=at, note=document.doc_id)
