"""ChEMBL: which drugs act on a target, asked and read. `chembl_drugs` says what follows from it.

Only the REST service is asked: a release is a database of tens of gigabytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agents.databases.chembl_rows import (
    API,
    HUMAN,
    TITLE,
    WARNING_FILE,
    Mechanism,
    Molecule,
    ProteinTarget,
    SafetyWarning,
    parse_mechanisms,
    parse_molecules,
    parse_targets,
    parse_warnings,
)
from agents.databases.database import Database
from agents.databases.drugs import Drug, change_of, ranked
from agents.databases.fields import json_of, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

T = TypeVar("T")

CHEMBL = Database(
    name="chembl",
    title=TITLE,
    tells="drugs and clinical candidates with their action, phase and safety warnings",
    licence="CC BY-SA 3.0",
    page="https://www.ebi.ac.uk/chembl/",
    calls=5,
    formats=(WARNING_FILE,),
)
SINGLE = "SINGLE PROTEIN"
"""What ChEMBL calls a target that is no complex, family or interface."""
AT_ONCE = 60
"""Ids in one request: more would make its address too long."""


@dataclass(frozen=True, slots=True)
class Pharmacology:
    """What ChEMBL knows of a target's drugs, as it was read."""

    targets: tuple[ProteinTarget, ...] = ()
    mechanisms: tuple[Mechanism, ...] = ()
    molecules: tuple[Molecule, ...] = ()
    warnings: tuple[SafetyWarning, ...] = ()
    date: str = ""
    release: str = ""
    missing: tuple[str, ...] = ()


async def drugs_of(web: Web, target: Target) -> tuple[Drug, ...]:
    """The target's drugs, the farthest first. Raises `ToolFailed`."""
    return drugs_in(await fetched(web, target))


async def fetched(web: Web, target: Target) -> Pharmacology:
    """All that is asked of ChEMBL. Raises `ToolFailed`; of warnings and the release it may do without."""
    reply = await web.fetch(target_request(target))
    if reply is None:
        return Pharmacology()
    release = await _release(web) or reply.release
    known = parse_targets(reply, target)
    if not known:
        return Pharmacology(date=reply.date, release=release)
    targets = sorted(one.id for one in known)
    found = await _of_ids(web, "mechanism", "target_chembl_id__in", targets, parse_mechanisms)
    mechanisms = tuple(one for one in found if one.target in targets)
    ids = tuple(dict.fromkeys(one.molecule for one in mechanisms))
    molecules = await _of_ids(web, "molecule", "molecule_chembl_id__in", ids, parse_molecules)
    warnings, missing = await _warnings(web, ids)
    return Pharmacology(known, mechanisms, tuple(molecules), warnings, reply.date, release, missing)


async def _release(web: Web) -> str:
    """The release of ChEMBL ("ChEMBL_35"), or ""."""
    try:
        reply = await web.fetch(WebRequest(CHEMBL.name, f"{API}/status.json"))
        return "" if reply is None else text(json_of(reply, CHEMBL.title), "chembl_db_version")
    except ToolFailed:
        return ""


async def _of_ids(
    web: Web, resource: str, field: str, ids: Sequence[str], parse: Callable[[WebReply], Iterable[T]]
) -> list[T]:
    """What a resource says of ids, which stand in this field of its rows; asked in parts."""
    found: list[T] = []
    for start in range(0, len(ids), AT_ONCE):
        request = _request(resource, (field, ",".join(ids[start : start + AT_ONCE])))
        if (reply := await web.fetch(request)) is not None:
            found += parse(reply)
    return found


async def _warnings(web: Web, ids: Sequence[str]) -> tuple[tuple[SafetyWarning, ...], tuple[str, ...]]:
    """Boxed warnings and withdrawals, or a sentence on why they are missing."""
    try:
        found = await _of_ids(web, "drug_warning", "parent_molecule_chembl_id__in", ids, parse_warnings)
    except ToolFailed as error:
        return (), (f"Safety warnings of ChEMBL are missing: {error}",)
    return tuple(one for one in found if one.molecule in ids), ()


def target_request(target: Target) -> WebRequest:
    """Asks which of ChEMBL's human targets contain the protein: by accession, else by gene symbol."""
    prefix = "target_components__"
    wanted = (
        (f"{prefix}accession", target.uniprot)
        if target.uniprot
        else (f"{prefix}target_component_synonyms__component_synonym__iexact", target.symbol)
    )
    return _request("target", wanted, ("organism", HUMAN))


def drugs_in(known: Pharmacology) -> tuple[Drug, ...]:
    """The drugs with a mechanism on the target, the farthest first."""
    actions: dict[str, str] = {}
    for one in known.mechanisms:
        if not change_of(actions.get(one.molecule, "")):
            actions[one.molecule] = one.action
    single = {one.id for one in known.targets if one.type.upper() == SINGLE}
    alone = {one.molecule for one in known.mechanisms if one.target in single}
    return ranked(
        Drug(one.name, one.id, one.phase, actions[one.id], one.kind.lower(), one.id not in alone)
        for one in known.molecules
        if one.id in actions
    )


def _request(resource: str, *params: tuple[str, str]) -> WebRequest:
    return WebRequest(CHEMBL.name, f"{API}/{resource}.json", (*params, ("limit", "1000")))
