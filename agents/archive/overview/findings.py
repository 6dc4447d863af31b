"""What came out of studies, in their own sentences and rows."""

import re
from collections.abc import AsyncIterator, Sequence

from agents.archive.overview.key_sentences import key_passages, key_rows
from agents.archive.overview.narrowed import is_clinical
from agents.archive.overview.page import Desk
from agents.archive.overview.studies import Study
from agents.archive.reading.answers import told_alone
from agents.archive.tools import LoadedDocument
from agents.trust.values import Claim, Verdict
from retrieval.values import Molecule, Passage

LIST_MARK = re.compile(r"^(?:[A-Z]{3,}: (?=[*•-] ))?(?:(?:[#*•-]+|\d{1,2}[.)]|\d+(?:\.\d+)+)\s+)*")
"""What stands before the first word of an item or a heading, with a label of its list ("EXCERPT: * "); a
value ("0.05% once daily") is none.
"""


async def findings(desk: Desk, studies: Sequence[Study], most: int) -> list[Claim]:
    """What came out of each study: the two sentences that tell most, one on safety, and the row of the main
    result; of several studies each with its study's name.
    """
    claims = []
    registry = await desk.tools.index.molecules()
    async for study, loaded in opened(desk, studies[:most]):
        own = main_of(study, registry)
        told = [
            *key_passages(loaded, ("Results",), most=2, own=own, registry=registry),
            *key_passages(loaded, ("Safety",), most=1, own=own, registry=registry),
        ]
        of = f"{study.name}: " if len(studies) > 1 else ""
        passages = dict.fromkeys((*told, *key_rows(loaded, own, registry)))
        claims += [desk_claim(desk, passage, of) for passage in passages]
    return claims


async def conclusions(desk: Desk, studies: Sequence[Study], most: int) -> list[Claim]:
    """What each study concludes, a sentence with its study's name: on its results, else on safety; of studies
    in animals on safety first, where a NOAEL stands.
    """
    claims = []
    registry = await desk.tools.index.molecules()
    async for study, loaded in opened(desk, studies[:most]):
        own = main_of(study, registry)
        roles = ("Results", "Safety") if is_clinical(study.record) else ("Safety", "Results")
        for role in roles:
            if told := key_passages(loaded, (role,), most=1, own=own, registry=registry):
                claims.append(desk_claim(desk, told[0], f"{study.name}: "))
                break
    return claims


async def opened(desk: Desk, studies: Sequence[Study]) -> AsyncIterator[tuple[Study, LoadedDocument]]:
    """Each study with its document, without those of which the archive holds no text."""
    for study in studies:
        if loaded := await desk.tools.documents.open(desk.tools.index, study.record.doc_id):
            yield study, loaded


def main_of(study: Study, registry: Sequence[Molecule]) -> list[Molecule]:
    """The molecules that a study is about."""
    names = {name for record in study.records for name in record.main_molecules}
    return [molecule for molecule in registry if molecule.name in names]


def desk_claim(desk: Desk, passage: Passage, of: str = "") -> Claim:
    """A passage as it stands, a row's cells behind their heads, under its key; `of` tells whose it is."""
    plain = told_alone(passage) if passage.row else passage.text
    text = of + LIST_MARK.sub("", " ".join(plain.split()))
    return Claim(text, (desk.key(passage),), verdict=Verdict.SUPPORTED, checked_by="verbatim")
