"""Open Targets' direction of effect: what loss or gain of a target does to a disease, and what follows."""

import json
from typing import Any

import pytest

from agents.databases.edition import Edition
from agents.databases.facts import Change, Fact, Topic
from agents.databases.open_targets import API
from agents.databases.open_targets_diseases import (
    LOWERS,
    Directed,
    directed,
    direction_sheet,
    parse_directed,
)
from agents.databases.target import Target
from agents.errors import ToolFailed
from agents.safety.order import Direction, SafetyOrder
from agents.safety.synthesis.apart import apart_from_risks
from agents.safety.values import CitedFact
from tests.agents.databases.reaching import reach_of

ZORB1 = Target("ZORB1", ensembl="ENSG00000000001")
HEART, LIVER = (
    {"id": "EFO_1", "name": "coronary artery disease"},
    {"id": "EFO_2", "name": "hepatic steatosis"},
)


def row(disease: dict[str, str], change: str, does: str, field: str = "directionOnTarget") -> Any:
    return {"datasourceId": "gene_burden", field: change, "directionOnTrait": does, "disease": disease}


ROWS = [
    row(HEART, "LoF", "protect"),
    row(HEART, "LoF", "protect", "variantEffect"),
    row(HEART, "LoF", "risk"),
    row(LIVER, "LoF", "risk"),
    row(LIVER, "", "risk"),
]


def facts() -> list[Fact]:
    found = parse_directed(ROWS, ("EFO_1", "EFO_2"))
    return direction_sheet(ZORB1, found, Edition("Open Targets", "26.06")).facts


def test_evidence_is_counted_by_what_a_change_does_and_a_tie_says_nothing() -> None:
    assert [
        (one.disease, one.change, one.does, one.count) for one in parse_directed(ROWS, ("EFO_1", "EFO_2"))
    ] == [
        ("coronary artery disease", "loss", "lowers", 2),
        ("hepatic steatosis", "loss", "raises", 1),
    ]
    assert parse_directed([*ROWS, row(HEART, "LoF", "risk")], ("EFO_1",)) == ()
    assert Directed("x", "y", Change.LOSS, "lowers", 1, ()).raised_by == "gain"


def test_loss_that_protects_supports_an_inhibitor_and_is_a_hazard_of_an_activator() -> None:
    lowers, raises = (CitedFact(one, "E1", "ot", "Open Targets") for one in facts())
    assert lowers.fact.text.startswith("Loss of function of ZORB1 lowers the risk of coronary artery disease")
    assert (lowers.fact.measure, lowers.fact.topic) == (LOWERS, Topic.DISEASE)
    inhibits = apart_from_risks(SafetyOrder("ZORB1", direction=Direction.INHIBITION), [lowers, raises])
    assert inhibits.opposite == (lowers,)
    activates = apart_from_risks(SafetyOrder("ZORB1", direction=Direction.ACTIVATION), [lowers, raises])
    assert activates.opposite == (raises,)


async def test_an_older_name_of_the_field_is_asked_where_the_newer_is_refused() -> None:
    target = {"id": ZORB1.ensembl, "approvedSymbol": "ZORB1", "evidences": {"rows": ROWS}}
    reach = reach_of({API: json.dumps({"data": {"target": target}})})
    assert reach.web is not None
    assert len(await directed(reach.web, ZORB1, ["EFO_1", "EFO_2"])) == 2
    refused = reach_of({API: json.dumps({"errors": [{"message": "Cannot query field"}]})})
    assert refused.web is not None
    with pytest.raises(ToolFailed, match="Cannot query field"):
        await directed(refused.web, ZORB1, ["EFO_1"])
