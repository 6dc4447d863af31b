"""The passage that states a molecule's structure as SMILES, so that a dossier shows it drawn."""

from collections.abc import Sequence

from agents.archive.overview.findings import desk_claim
from agents.archive.overview.page import Desk
from agents.reports.structures import stated_smiles
from agents.trust.values import Claim
from retrieval.values import DocumentRecord, Passage

LOOKED_THROUGH = 20
"""Documents of a molecule that are looked through."""


async def structures(desk: Desk, molecules: Sequence[str]) -> list[Claim]:
    """Of each molecule the first passage in its documents that states its SMILES, if there is one."""
    claims = []
    for name in molecules:
        own = [record for record in desk.records if name in record.main_molecules]
        for record in own[:LOOKED_THROUGH]:
            if passage := await _stated(desk, record, name):
                claims.append(desk_claim(desk, passage))
                break
    return claims


async def _stated(desk: Desk, record: DocumentRecord, name: str) -> Passage | None:
    """The passage of a document. In a document on several molecules it has to name this one."""
    loaded = await desk.tools.documents.open(desk.tools.index, record.doc_id)
    if loaded is None or "SMILES" not in loaded.document.text:
        return None
    alone = len(record.main_molecules) == 1
    for passage in loaded.passages:
        if any(stated_smiles(passage.text)) and (alone or name.casefold() in passage.text.casefold()):
            return passage
    return None
