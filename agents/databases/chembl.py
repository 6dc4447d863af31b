"""ChEMBL: which drugs act on a target, asked and read. `chembl_drugs` says what follows from it.

Only the REST service is asked: a release is a database of tens of gigabytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, json_under, with_fields
from agents.databases.database import database
from agents.databases.drugs import Drug, change_of, ranked, shown_name
from agents.databases.fields import items, json_of, list_of, number, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

API = "https://www.ebi.ac.uk/chembl/api/data"
WARNINGS = "chembl-warnings"
HUMAN = "Homo sapiens"
WARNING_FILE = BulkFormat(
    WARNINGS,
    "drug_warning (JSON lines)",
    f"{API}/drug_warning",
    '{"molecule_chembl_id": …, "warning_class": …, "warning_type": …}',
    with_fields("molecule_chembl_id", "warning_class", "warning_type"),
    json_under("parent_molecule_chembl_id", "molecule_chembl_id"),
)
T = TypeVar("T")
CHEMBL = database("chembl", WARNING_FILE)
TITLE = CHEMBL.title
SINGLE = "SINGLE PROTEIN"
"""What ChEMBL calls a target that is no complex, family or interface."""
AT_ONCE = 60
"""Ids in one request: more would make its address too long."""


@dataclass(frozen=True, slots=True)
class ProteinTarget:
    """What ChEMBL calls a target: a protein, a complex or a family that contains it."""

    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Mechanism:
    """What a molecule (a parent: salts count as it) does to a target. `action` is an action type in lower
    case.
    """

    molecule: str
    target: str
    action: str
    mechanism: str


@dataclass(frozen=True, slots=True)
class Molecule:
    """A molecule. `phase` as in `Drug`; `smiles` is its structure, "" for one without, as an antibody."""

    id: str
    name: str
    kind: str
    phase: float | None
    smiles: str = ""


@dataclass(frozen=True, slots=True)
class SafetyWarning:
    """A black box warning or a withdrawal. Everything but `molecule` and `type` may be ""."""

    molecule: str
    type: str
    toxicity: str
    description: str
    country: str
    year: str


def parse_targets(reply: WebReply, target: Target) -> tuple[ProteinTarget, ...]:
    """The human targets with the protein as a part.

    Raises `ToolFailed` if the reply is about other genes only, or not of the form that is known.
    """
    rows = _rows(reply, "targets")
    human = [row for row in rows if text(row, "organism") == HUMAN and text(row, "target_chembl_id")]
    ours = [row for row in human if _contains(row, target)]
    if human and not ours:
        named = ", ".join(filter(None, (text(row, "pref_name") for row in human[:3])))
        raise ToolFailed(f"ChEMBL replied with other targets than {target.symbol} ({named}); it is not used.")
    return tuple(
        ProteinTarget(text(row, "target_chembl_id"), text(row, "pref_name"), text(row, "target_type"))
        for row in ours
    )


def parse_mechanisms(reply: WebReply) -> tuple[Mechanism, ...]:
    """The mechanisms; rows without molecule or target are passed over."""
    return tuple(
        Mechanism(
            text(row, "parent_molecule_chembl_id") or text(row, "molecule_chembl_id"),
            text(row, "target_chembl_id"),
            text(row, "action_type").lower(),
            text(row, "mechanism_of_action"),
        )
        for row in _rows(reply, "mechanisms")
        if text(row, "molecule_chembl_id") and text(row, "target_chembl_id")
    )


def parse_molecules(reply: WebReply) -> tuple[Molecule, ...]:
    """The molecules that have a name."""
    return tuple(
        Molecule(
            text(row, "molecule_chembl_id"),
            shown_name(text(row, "pref_name")),
            text(row, "molecule_type"),
            number(row, "max_phase"),
            _smiles(row),
        )
        for row in _rows(reply, "molecules")
        if text(row, "molecule_chembl_id") and text(row, "pref_name")
    )


def parse_warnings(reply: WebReply) -> tuple[SafetyWarning, ...]:
    """Boxed warnings and withdrawals."""
    return tuple(
        warning_of(row)
        for row in _rows(reply, "drug_warnings")
        if text(row, "molecule_chembl_id") and text(row, "warning_type")
    )


def warning_of(row: JsonValue) -> SafetyWarning:
    """One row, of the service or of the file."""
    return SafetyWarning(
        text(row, "parent_molecule_chembl_id") or text(row, "molecule_chembl_id"),
        text(row, "warning_type"),
        text(row, "warning_class"),
        text(row, "warning_description"),
        text(row, "warning_country"),
        text(row, "warning_year"),
    )


def _smiles(row: JsonValue) -> str:
    """The canonical SMILES of a molecule, or ""; one with a blank in it is none."""
    smiles = text(row, "molecule_structures", "canonical_smiles")
    return "" if len(smiles.split()) > 1 else smiles


def _contains(row: JsonValue, target: Target) -> bool:
    """Whether a target of ChEMBL has the protein among its parts: by accession, else by gene symbol."""
    parts = items(row, "target_components")
    if target.uniprot:
        return any(text(part, "accession") == target.uniprot for part in parts)
    return any(
        text(name, "syn_type") == "GENE_SYMBOL" and text(name, "component_synonym") == target.symbol
        for part in parts
        for name in items(part, "target_component_synonyms")
    )


def _rows(reply: WebReply, name: str) -> list[JsonValue]:
    """The rows of a list of ChEMBL. Raises `ToolFailed` where there is no such list."""
    return list_of(json_of(reply, TITLE), TITLE, name)


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
