"""What Open Targets says of a target: function, orthologues, genetics.

Its constraint and pathways are those of gnomAD and Reactome, which are asked themselves.
"""

from pydantic import JsonValue

from agents.databases.bulk_format import Row
from agents.databases.facts import Topic
from agents.databases.fields import at, cell, items, number, text, texts
from agents.databases.open_targets import (
    OPEN_TARGETS,
    TARGETS,
    TargetProvenance,
    rows_of,
    target_of,
)
from agents.databases.open_targets_diseases import diseases_of
from agents.databases.ports import Reach, Web
from agents.databases.sheet import Sheet, sentence, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.databases.uniprot import CITED
from retrieval.text.sentences import split_sentences

PROFILE = """
query TargetProfile($id: String!) { target(ensemblId: $id) { id approvedSymbol
  homologues { speciesName homologyType targetGeneId targetGeneSymbol queryPercentageIdentity
    targetPercentageIdentity } } }
"""
PROSE = ("functionDescriptions", "subcellularLocations")
FEW = 3
"""Sentences of the function that are told."""
GAP = 5.0
"""Points between the identities seen from both proteins from which on it is said that they differ."""
SPECIES = ("chimpanzee", "macaque", "rabbit", "dog", "pig", "mouse", "rat", "guinea pig", "zebrafish")
"""Species of toxicology and of model organisms whose homologues are told, by their names there."""
TOPICS = (
    Topic.FUNCTION,
    Topic.LOCATION,
    Topic.ASSOCIATION,
    Topic.DISEASE,
    Topic.HOMOLOGY,
)


async def profile(reach: Reach, target: Target) -> TargetFindings:
    """The profile from the loaded files, else from the service. Raises `ToolFailed`."""
    found = await _loaded(reach, target)
    sheets: list[Sheet] = []
    missing: list[str] = []
    if found is None and reach.web is not None:
        found = await _live(reach.web, target)
        sheets, missing = await diseases_of(reach.web, target)
    if found is None:
        return unasked(OPEN_TARGETS)
    value, where = found
    parts = (_function, _homologues)
    sheets = [*(part(value, target, where) for part in parts), *sheets]
    nothing = f"Nothing found: {where.asked} has no profile of {target.symbol}."
    return target_findings(sheets, nothing=nothing, missing=missing)


async def _loaded(reach: Reach, target: Target) -> tuple[JsonValue, TargetProvenance] | None:
    """The target in the loaded file; None if none is loaded."""
    if (loaded := reach.bulk.release(TARGETS)) is None:
        return None
    rows = await rows_of(reach, TARGETS, target)
    return (_target_value(rows[0]) if rows else None), TargetProvenance.of(loaded)


def _target_value(row: Row) -> JsonValue:
    nested = ("homologues", *PROSE)
    return {name: cell(row.get(name, "")) for name in nested}


async def _live(web: Web, target: Target) -> tuple[JsonValue, TargetProvenance]:
    asked = await target_of(web, PROFILE, target)
    if asked is None:
        return None, TargetProvenance()
    return asked[0], TargetProvenance(asked[1].release, asked[1].date)


def _function(value: JsonValue, target: Target, where: TargetProvenance) -> Sheet:
    """What the protein does, in UniProt's first sentences, and where UniProt locates it."""
    sheet = where.sheet(f"Open Targets: function and place of {target.symbol}, from UniProt", target)
    said = [one for written in texts(at(value, "functionDescriptions")) for one in split_sentences(written)]
    for one in said[:FEW]:
        line = sheet.line(f"Function of {target.symbol}: {sentence(one)}")
        told_of = sentence(CITED.sub("", one))
        sheet.fact(
            Topic.FUNCTION, f"UniProt, by Open Targets, on the function of {target.symbol}: {told_of}", line
        )
    places = [text(one, "location") for one in items(value, "subcellularLocations") if _of_uniprot(one)]
    for place in dict.fromkeys(filter(None, places)):
        says = f"UniProt, by Open Targets, locates the protein of {target.symbol} at: {place}"
        sheet.state(Topic.LOCATION, says, term=place)
    return sheet


def _of_uniprot(place: JsonValue) -> bool:
    return text(place, "source") == "uniprot"


def _other_way(same: float, other: float | None) -> str:
    """The identity seen from the orthologue; a gap says that one of both proteins has parts of its own."""
    if other is None:
        return ""
    gap = "; the two differ, so that one protein is longer or a fragment" if abs(same - other) > GAP else ""
    return f" ({other:.1f} % seen from the orthologue{gap})"


def _homologues(value: JsonValue, target: Target, where: TargetProvenance) -> Sheet:
    """Orthologues in species of toxicology, with their identity to the human protein."""
    sheet = where.sheet(f"Open Targets: orthologues of {target.symbol}", target)
    for row in items(value, "homologues"):
        species, kind = text(row, "speciesName"), text(row, "homologyType")
        same, other = number(row, "queryPercentageIdentity"), number(row, "targetPercentageIdentity")
        if species.lower() not in SPECIES or not kind.startswith("ortholog") or same is None:
            continue
        called = text(row, "targetGeneSymbol") or text(row, "targetGeneId")
        relation = kind.removeprefix("ortholog_").replace("2", "-to-")
        says = (
            f"{target.symbol} has a {relation} orthologue in {species.lower()}, {called}, with {same:.1f} % "
            f"identity to the human protein{_other_way(same, other)}"
        )
        sheet.state(
            Topic.HOMOLOGY,
            says,
            term=called,
            id=text(row, "targetGeneId"),
            species=species.lower(),
            measure="identity to the human protein",
            value=round(same, 1),
            unit="%",
        )
    return sheet


open_targets_tool = TargetTool(
    "open_targets_target",
    "Function, homologues and genetically associated diseases of a target, from Open Targets.",
    OPEN_TARGETS,
    profile,
    TOPICS,
)
