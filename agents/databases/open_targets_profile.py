"""What Open Targets says of a target: orthologues, genetics.

Its function, constraint and pathways are those of UniProt, gnomAD and Reactome, which are asked themselves.
"""

from pydantic import JsonValue

from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, number, text
from agents.databases.open_targets import (
    OPEN_TARGETS,
    TARGETS,
    TITLE,
    page_of,
    rows_of,
    target_of,
)
from agents.databases.open_targets_diseases import diseases_of
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

PROFILE = """
query TargetProfile($id: String!) { target(ensemblId: $id) { id approvedSymbol
  homologues { speciesName homologyType targetGeneId targetGeneSymbol queryPercentageIdentity
    targetPercentageIdentity } } }
"""
GAP = 5.0
"""Points between the identities seen from both proteins from which on it is said that they differ."""
SPECIES = ("chimpanzee", "macaque", "rabbit", "dog", "pig", "mouse", "rat", "guinea pig", "zebrafish")
"""Species of toxicology and of model organisms whose homologues are told, by their names there."""
TOPICS = (
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
        found = await target_of(reach.web, PROFILE, target) or (None, Edition(TITLE))
        sheets, missing = await diseases_of(reach.web, target)
    if found is None:
        return unasked(OPEN_TARGETS)
    value, edition = found
    sheets = [_homologues(value, target, edition), *sheets]
    nothing = f"Nothing found: {edition.asked} has no profile of {target.symbol}."
    return target_findings(sheets, nothing=nothing, missing=missing)


async def _loaded(reach: Reach, target: Target) -> tuple[JsonValue, Edition] | None:
    """The target in the loaded file; None if none is loaded."""
    if (loaded := reach.bulk.release(TARGETS)) is None:
        return None
    rows = await rows_of(reach, TARGETS, target)
    found = {"homologues": cell(rows[0].get("homologues", ""))} if rows else None
    return found, Edition.of_bulk(OPEN_TARGETS, loaded, page_of(target))


def _other_way(same: float, other: float | None) -> str:
    """The identity seen from the orthologue; a gap says that one of both proteins has parts of its own."""
    if other is None:
        return ""
    gap = "; the two differ, so that one protein is longer or a fragment" if abs(same - other) > GAP else ""
    return f" ({other:.1f} % seen from the orthologue{gap})"


def _homologues(value: JsonValue, target: Target, edition: Edition) -> Sheet:
    """Orthologues in species of toxicology, with their identity to the human protein."""
    sheet = edition.sheet(f"orthologues of {target.symbol}", target.symbol)
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


open_targets_tool = TargetTool("open_targets_target", OPEN_TARGETS, profile, TOPICS)
