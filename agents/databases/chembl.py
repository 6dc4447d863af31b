"""ChEMBL: which drugs act on a target, asked and read. `chembl_drugs` says what follows from it.

Only the REST service is asked: a release is a database of tens of gigabytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, json_lines, under, with_fields
from agents.databases.database import Database
from agents.databases.drugs import Drug, change_of, ranked, shown_name
from agents.databases.fields import items, json_of, number, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

WARNINGS = "chembl-warnings"
API = "https://www.ebi.ac.uk/chembl/api/data"


def _warning_rows(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in json_lines(lines):
        yield from under(row, row.get("parent_molecule_chembl_id", ""), row.get("molecule_chembl_id", ""))


WARNING_FILE = BulkFormat(
    WARNINGS,
    "drug_warning (JSON lines)",
    f"{API}/drug_warning",
    '{"molecule_chembl_id": …, "warning_class": …, "warning_type": …}',
    with_fields("molecule_chembl_id", "warning_class", "warning_type"),
    _warning_rows,
)

CHEMBL = Database(
    name="chembl",
    title="ChEMBL",
    tells="drugs and clinical candidates with their action, phase and safety warnings",
    licence="CC BY-SA 3.0",
    page="https://www.ebi.ac.uk/chembl/",
    calls=5,
    formats=(WARNING_FILE,),
)
HUMAN = "Homo sapiens"
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
    """A molecule. `phase` as in `Drug`."""

    id: str
    name: str
    kind: str
    phase: float | None
    first_approval: str


@dataclass(frozen=True, slots=True)
class SafetyWarning:
    """A black box warning or a withdrawal. Everything but `molecule` and `type` may be ""."""

    molecule: str
    type: str
    toxicity: str
    description: str
    country: str
    year: str


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
    for part in _parts(tuple(ids)):
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
            text(row, "first_approval"),
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


def drugs_in(known: Pharmacology) -> tuple[Drug, ...]:
    """The drugs with a mechanism on the target, the farthest first."""
    actions: dict[str, str] = {}
    for one in known.mechanisms:
        if not change_of(actions.get(one.molecule, "")):
            actions[one.molecule] = one.action
    return ranked(
        Drug(one.name, one.id, one.phase, actions[one.id], one.kind.lower())
        for one in known.molecules
        if one.id in actions
    )


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
    value = json_of(reply, CHEMBL.title)
    if not isinstance(value, dict) or not isinstance(value.get(name), list):
        raise ToolFailed(f"ChEMBL replied without its list of {name}: its form has changed ({reply.url}).")
    return items(value, name)


def _request(resource: str, *params: tuple[str, str]) -> WebRequest:
    return WebRequest(CHEMBL.name, f"{API}/{resource}.json", (*params, ("limit", "1000")))


def _parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    return (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))
