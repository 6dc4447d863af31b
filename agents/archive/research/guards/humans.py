"""Whether the molecule was ever given to humans."""

from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.attribution import said_of_this
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind, MoleculeRole
from agents.archive.research.vocabulary import wording


def given_to_humans(documents: Sequence[AnnotatedDocument]) -> bool:
    """Whether any document describes one study in which humans may have received the molecule."""
    passing = MoleculeRole.PASSING
    return any(one.of_one_study and one.role is not passing and not one.withdrawn for one in documents)


def is_older_plan(document: AnnotatedDocument, statement: AnnotatedDocument) -> bool:
    """Whether a document only plans, and is older than the one that says that nobody was dosed."""
    dates = document.record.date, statement.record.date
    return document.kind is DocumentKind.PROTOCOL and all(dates) and dates[0] <= dates[1]


def never_dosed(documents: Sequence[AnnotatedDocument]) -> Rejected | None:
    """The refusal where no human received the molecule.

    A document states so, and no other one describes a study in humans; older plans are left aside.
    """
    said = said_of_this(documents, wording("never_in_humans"))
    found = max(said, key=lambda item: item[0].record.date, default=None)
    if found is None:
        return None
    document, line = found
    if given_to_humans([one for one in documents if not is_older_plan(one, document)]):
        return None
    return Rejected("", "never dosed in humans", f"{document.doc_id}: {line.text}")
