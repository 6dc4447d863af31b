"""The dossier: what a research agent reads for one molecule and one question type."""

from collections.abc import Sequence

from agents.archive.review import Reviewed
from agents.archive.tools import ArchiveTools
from agents.archive.values import ResearchInput, ReviewedDocument
from retrieval.values import Molecule


async def gather_input(
    tools: ArchiveTools, reviewed: Sequence[Reviewed], question: str = ""
) -> ResearchInput:
    """Documents of one or several domains, by date and name, with what passed review.

    Whole documents are handed over, since a table or a design is often explained elsewhere than where its
    value stands.
    """
    name = reviewed[0].found.molecule
    registry = await tools.index.molecules()
    doc_ids = sorted({doc_id for item in reviewed for doc_id in item.found.doc_ids})
    retained: dict[str, set[int]] = {}
    for ref in (ref for item in reviewed for ref in item.review.retained):
        retained.setdefault(ref.doc_id, set()).add(ref.start)
    opened = [
        ReviewedDocument(
            read.document.record, read.passages, frozenset(retained.get(read.document.record.doc_id, ()))
        )
        for read in await tools.documents.open_all(tools.index, doc_ids)
    ]
    opened.sort(key=lambda document: (document.record.date, document.record.doc_id))
    return ResearchInput(*_apart(name, registry), tuple(opened), question)


def _apart(name: str, registry: Sequence[Molecule]) -> tuple[Molecule, tuple[Molecule, ...]]:
    """The molecule of a name, and all others of the archive."""
    molecule = next((known for known in registry if known.name == name), Molecule(name))
    return molecule, tuple(known for known in registry if known.name != name)
