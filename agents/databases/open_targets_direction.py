"""Open Targets' direction of effect: whether loss or gain of a target's function raises or lowers a disease.

Rare variants, burden tests and curated genes tell it (`directionOnTarget`, "variantEffect" in older
releases, and `directionOnTrait`). Loss that protects is what an inhibitor imitates, and no hazard of it: such
a fact has the change that would bring the disease about, which is gain.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from agents.counts import number_of
from agents.databases.edition import Edition
from agents.databases.facts import Change, Topic
from agents.databases.fields import items, text
from agents.databases.open_targets import graphql, target_in
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
