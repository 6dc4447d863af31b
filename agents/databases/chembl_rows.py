"""ChEMBL's rows: targets, mechanisms, molecules and warnings, as its service and its files give them."""

from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, json_under, with_fields
from agents.databases.drugs import shown_name
from agents.databases.fields import items, json_of, list_of, number, text
from agents.databases.ports import WebReply
from agents.databases.target import Target
from agents.errors import ToolFailed

TITLE = "ChEMBL"
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
