"""Whether the molecule was ever given to humans."""

from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.attribution import said_of_this
from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.vocabulary import wording


def given_to_humans(documents: Sequence[AnnotatedDocument]) -> bool:
    """Whether any document describes one study in which humans may have received the molecule."""
    passing = MoleculeRole.PASSING
    return any(one.of_one_study and one.role is not passing and not one.withdrawn for one in documents)


def never_dosed(documents: Sequence[AnnotatedDocument]) -> Rejected | None:
    """The refusal where no human received the molecule.

    A document states so, and no other one describes a study in humans.
    """
    said = said_of_this(documents, wording("never_in_humans"))
    found = max(said, key=lambda item: item[0].record.date, default=None)
    if found is None:
        return None
    document, line = found
    if given_to_humans(documents):
        return None
    return Rejected("", "never dosed in humans", f"{document.doc_id}: {line.text}")
