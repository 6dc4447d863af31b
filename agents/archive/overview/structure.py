"""The passages that state a molecule's structure as SMILES: for who asks for it, and in a dossier."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.names import ResolvedNames
from agents.archive.overview.findings import desk_claim
from agents.archive.overview.page import Desk
from agents.archive.tools import ArchiveTools
from agents.reports.structures import stated_smiles
from agents.reports.values import Prose
from agents.trust.values import Claim
from retrieval.molecules.lookup import without_names
from retrieval.values import DocumentRecord, Molecule, Passage

LOOKED_THROUGH = 20
"""Documents of a molecule that are looked through."""
ASKED = re.compile(
    r"\W*(?:please |can you |could you )*"
    r"(?:(?:what(?:'s| is| are)|show(?: me)?|draw(?: me)?|give me)(?: the)?"
    r" (?:chemical |molecular )?(?:structures?|smiles(?: strings?| codes?)?)(?: formulas?)? of|draw)\b"
    r"(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
BESIDE = frozenset(("and", "the", "molecule", "molecules", "compound", "compounds", "drug", "please"))
"""Words beside the names of what is to be drawn; any other makes it a question about something else."""


def asks_for_structure(text: str, registry: Sequence[Molecule]) -> bool:
    """Whether a question asks for the structure of molecules, and for nothing else."""
    found = ASKED.fullmatch(text)
    if found is None:
        return False
    rest = without_names(found["rest"], registry)
    return {word.casefold() for word in re.findall(r"\w+", rest)} <= BESIDE


async def structure_answer(tools: ArchiveTools, question: Question, names: ResolvedNames) -> Answer | None:
    """The structures that documents state, in their words; None where they state none."""
    desk, molecules = await Desk.open(tools, question.text), names.molecules
    claims = {name: await structures(desk, [name]) for name in molecules}
    told = [claim for found in claims.values() for claim in found]
    if not told:
        return None
    composer = desk.number()
    blocks = [Prose(tuple(composer.statement(claim) for claim in told), strong=True)]
    missing = [f"Not stated for {name}: its structure." for name, found in claims.items() if not found]
    short = " ".join(claim.text for claim in told)
    return desk.answer(question, short, blocks, molecules=molecules, not_found=missing)


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
