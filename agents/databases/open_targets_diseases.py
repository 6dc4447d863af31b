"""Open Targets: diseases that are genetically associated with a target, and the direction of effect."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from agents.counts import number_of
from agents.databases.edition import Edition
from agents.databases.facts import Change, Topic
from agents.databases.fields import items, number, text
from agents.databases.open_targets import graphql, target_in, target_of
from agents.databases.ports import Web
from agents.databases.sheet import Sheet
from agents.databases.target import Target
from agents.errors import ToolFailed

QUERY = """
query DirectionOfEffect($id: String!, $diseases: [String!]!) { target(ensemblId: $id) { id approvedSymbol
  evidences(efoIds: $diseases, size: 300) { rows { datasourceId %s directionOnTrait
    disease { id name } } } } }
"""
FIELDS = ("directionOnTarget", "variantEffect")
"""What a release calls the change of the target, the newer name first."""
CHANGES = {"lof": Change.LOSS, "gof": Change.GAIN}
OPPOSITE = {Change.LOSS: Change.GAIN, Change.GAIN: Change.LOSS}
TRAITS = {"risk": "raises", "protect": "lowers"}
LOWERS = "change that lowers the risk"
"""Measure of a fact on a change that protects."""
DISEASES = """
query GeneticAssociations($id: String!) { target(ensemblId: $id) { id approvedSymbol
  associatedDiseases(page: { index: 0, size: 50 }) {
    rows { score disease { id name } datatypeScores { id score } } } } }
"""
GENETIC = ("genetic_association", "genetic_literature")
"""Kinds of evidence that count: a drug's indication or a text that names both is no effect of the gene."""
SHOWN = 15


@dataclass(frozen=True, slots=True)
class Directed:
    """What one change of the target does to a disease ("raises", "lowers"), by `count` pieces of evidence."""

    disease: str
    id: str
    change: Change
    does: str
    count: int
    sources: tuple[str, ...]

    @property
    def raised_by(self) -> Change:
        """The change of the target that would bring the disease about."""
        return self.change if self.does == "raises" else OPPOSITE[self.change]


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


async def directed(web: Web, target: Target, diseases: Sequence[str]) -> tuple[Directed, ...]:
    """What is known of some diseases, by their ids, in the order given. Raises `ToolFailed`."""
    if not diseases:
        return ()
    failed: ToolFailed | None = None
    for field in FIELDS:
        request = graphql(QUERY.replace("%s", field), id=target.ensembl, diseases=list(diseases))
        try:
            reply = await web.fetch(request)
            found = None if reply is None else target_in(reply, target)
        except ToolFailed as error:
            failed = failed or error
        else:
            return parse_directed(items(found, "evidences", "rows"), diseases)
    raise failed or ToolFailed("Open Targets did not answer.")


def parse_directed(rows: Sequence[JsonValue], diseases: Sequence[str]) -> tuple[Directed, ...]:
    """Evidence counted by disease, change and what it does. Where both are said of one change, the more
    frequent counts, and a tie says nothing.
    """
    counted: Counter[tuple[str, Change, str]] = Counter()
    names: dict[str, str] = {}
    sources: dict[tuple[str, Change, str], list[str]] = {}
    for row in rows:
        id_, said = text(row, "disease", "id"), next(filter(None, (text(row, one) for one in FIELDS)), "")
        change, does = CHANGES.get(said.lower()), TRAITS.get(text(row, "directionOnTrait").lower(), "")
        if id_ in diseases and change and does:
            counted[id_, change, does] += 1
            names[id_] = text(row, "disease", "name") or id_
            sources.setdefault((id_, change, does), []).append(text(row, "datasourceId"))
    return tuple(
        Directed(names[id_], id_, change, does, count, tuple(dict.fromkeys(sources[id_, change, does])))
        for id_ in diseases
        for change in OPPOSITE
        for does, other in (("raises", "lowers"), ("lowers", "raises"))
        if (count := counted[id_, change, does]) > counted[id_, change, other]
    )


def direction_sheet(target: Target, found: Sequence[Directed], edition: Edition) -> Sheet:
    """The record: a line and a fact for each disease and change."""
    sheet = edition.sheet(f"direction of effect of {target.symbol}", target.symbol)
    for one in found:
        pieces = number_of(one.count, "piece")
        by = f" ({pieces} of evidence: {', '.join(filter(None, one.sources))})"
        says = (
            f"{one.change.capitalize()} of function of {target.symbol} {one.does} the risk of {one.disease}"
        )
        sheet.state(
            Topic.DISEASE,
            f"{says} ({one.id}){by}",
            term=one.disease,
            id=one.id,
            change=one.raised_by,
            measure=LOWERS if one.does == "lowers" else "",
        )
    return sheet
