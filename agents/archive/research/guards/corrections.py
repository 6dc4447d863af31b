"""Values that a later document takes back, or that the signed study report contradicts."""

from collections.abc import Sequence
from functools import lru_cache

from agents.archive.answer import Rejected
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.dose_mentions import DoseMention, in_patients
from agents.archive.research.documents.doses import doses_of
from agents.archive.research.guards.doses import Guard, refused
from agents.archive.research.patterns.clauses import is_taken_back
from agents.archive.research.vocabulary import wording


def corrected(documents: Sequence[AnnotatedDocument]) -> Guard:
    """A guard that refuses values which a correction among these documents takes back."""
    taken_back = {
        (dose.dimension, dose.quantity.standard_high): document
        for document in documents
        if is_correction(document)
        for dose in doses_of(document)
        if dose.is_this and is_taken_back(dose.line.text, dose.place)
    }

    def guard(dose: DoseMention) -> Rejected | None:
        correction = taken_back.get((dose.dimension, dose.quantity.standard_high))
        again = correction is dose.document and not is_taken_back(dose.line.text, dose.place)
        if correction is None or again:
            return None
        return refused(dose, "replaced later", f"{correction.doc_id} corrects it")

    return guard


@lru_cache(maxsize=256)
def is_correction(document: AnnotatedDocument) -> bool:
    """Whether a document, or a sentence of it, expressly corrects an earlier one."""
    said = wording("replaces")
    about = f"{document.title} {document.record.document_type}"
    return bool(said.search(about)) or any(said.search(line.text) for line in document.lines)


def contradicted(admitted: Sequence[DoseMention]) -> Guard:
    """A guard that refuses what a summary states above the highest dose of the signed reports on the same
    people.
    """
    highest: dict[tuple[str, bool], DoseMention] = {}
    for dose in sorted(admitted, key=lambda dose: dose.amount):
        if dose.document.kind is DocumentKind.CLINICAL:
            highest[dose.dimension, in_patients(dose)] = dose

    def guard(dose: DoseMention) -> Rejected | None:
        report = highest.get((dose.dimension, in_patients(dose)))
        of_study = dose.document.kind in (DocumentKind.CLINICAL, DocumentKind.REGISTRY)
        if of_study or report is None or dose.amount <= report.amount:
            return None
        reason = f"{report.document.doc_id} gives {report.text} as the highest and was followed"
        return refused(dose, "document contradicts the study report", reason)

    return guard
