"""Open Targets: diseases that are genetically associated with a target, and the direction of effect."""

from pydantic import JsonValue

from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.fields import items, number, text
from agents.databases.open_targets import target_of
from agents.databases.open_targets_direction import directed, direction_sheet
from agents.databases.ports import Web
from agents.databases.sheet import Sheet
from agents.databases.target import Target
from agents.errors import ToolFailed

DISEASES = """
query GeneticAssociations($id: String!) { target(ensemblId: $id) { id approvedSymbol
  associatedDiseases(page: { index: 0, size: 50 }) {
    rows { score disease { id name } datatypeScores { id score } } } } }
"""
GENETIC = ("genetic_association", "genetic_literature")
"""Kinds of evidence that count: a drug's indication or a text that names both is no effect of the gene."""
SHOWN = 15


async def diseases_of(web: Web, target: Target) -> tuple[list[Sheet], list[str]]:
    """Diseases with genetic evidence. They are asked for alone, so that the rest does without them."""
    try:
        asked = await target_of(web, DISEASES, target)
    except ToolFailed as error:
        return [], [f"Genetically associated diseases of Open Targets are missing: {error}"]
    if asked is None:
        return [], []
    value, edition = asked
    found = associations(value, target, edition)
    try:
        ways = await directed(web, target, [fact.id for fact in found.facts])
    except ToolFailed as error:
        return [found], [f"The direction of effect in Open Targets is missing: {error}"]
    return [found, direction_sheet(target, ways, edition)], []


def associations(value: JsonValue, target: Target, edition: Edition) -> Sheet:
    """The diseases with genetic evidence, the highest genetic score first."""
    sheet = edition.sheet(f"genetically associated diseases of {target.symbol}", target.symbol)
    scored = []
    for row in items(value, "associatedDiseases", "rows"):
        scores = [
            score
            for one in items(row, "datatypeScores")
            if text(one, "id") in GENETIC and (score := number(one, "score")) is not None
        ]
        if scores and text(row, "disease", "name"):
            scored.append((max(scores), text(row, "disease", "name"), text(row, "disease", "id")))
    for score, name, id_ in sorted(scored, key=lambda one: (-one[0], one[1]))[:SHOWN]:
        says = f"{target.symbol} is genetically associated with {name} ({id_}), genetic score {score:.2f}"
        sheet.state(
            Topic.ASSOCIATION,
            says,
            term=name,
            id=id_,
            measure="genetic association score",
            value=score,
        )
    return sheet
