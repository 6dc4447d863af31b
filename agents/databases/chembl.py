"""ChEMBL: which drugs act on a target, asked and read. `chembl_drugs` says what follows from it.

Only the REST service is asked: a release is a database of tens of gigabytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from agents.databases.ports import Web, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

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
    mechanisms = await _mechanisms(web, known)
    ids = tuple(dict.fromkeys(one.molecule for one in mechanisms))
    molecules: list[Molecule] = []
    for part in _parts(ids):
        if (found := await web.fetch(molecule_request(part))) is not None:
            molecules += parse_molecules(found)
    warnings, missing = await _warnings(web, ids)
    read = (known, mechanisms, tuple(molecules), warnings)
    return Pharmacology(*read, reply.date, release, missing)


async def _release(web: Web) -> str:
    """The release of ChEMBL ("ChEMBL_35"), or ""."""
    try:
        reply = await web.fetch(WebRequest(CHEMBL.name, f"{API}/status.json"))
        return "" if reply is None else text(json_of(reply, CHEMBL.title), "chembl_db_version")
    except ToolFailed:
        return ""


async def _mechanisms(web: Web, known: Sequence[ProteinTarget]) -> tuple[Mechanism, ...]:
    ids = {one.id for one in known}
    found: list[Mechanism] = []
    for part in _parts(sorted(ids)):
        if (reply := await web.fetch(mechanism_request(sorted(part)))) is not None:
            found += [one for one in parse_mechanisms(reply) if one.target in ids]
    return tuple(found)


async def _warnings(web: Web, ids: Sequence[str]) -> tuple[tuple[SafetyWarning, ...], tuple[str, ...]]:
    found: list[SafetyWarning] = []
    try:
        for part in _parts(ids):
            if (reply := await web.fetch(warning_request(part))) is not None:
                found += [one for one in parse_warnings(reply) if one.molecule in ids]
    except ToolFailed as error:
        return tuple(found), (f"Safety warnings of ChEMBL are missing: {error}",)
    return tuple(found), ()


def target_request(target: Target) -> WebRequest:
    """Asks which of ChEMBL's human targets contain the protein: by accession, else by gene symbol."""
    prefix = "target_components__"
    wanted = (
        (f"{prefix}accession", target.uniprot)
        if target.uniprot
        else (f"{prefix}target_component_synonyms__component_synonym__iexact", target.symbol)
    )
    return _request("target", wanted, ("organism", HUMAN))


def mechanism_request(ids: Sequence[str]) -> WebRequest:
    """Asks for the mechanisms of action on targets."""
    return _request("mechanism", ("target_chembl_id__in", ",".join(ids)))


def molecule_request(ids: Sequence[str]) -> WebRequest:
    """Asks what molecules are."""
    return _request("molecule", ("molecule_chembl_id__in", ",".join(ids)))


def warning_request(ids: Sequence[str]) -> WebRequest:
    """Asks for boxed warnings and withdrawals of molecules."""
    return _request("drug_warning", ("parent_molecule_chembl_id__in", ",".join(ids)))


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


def _parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    return (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))
