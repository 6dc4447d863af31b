"""Good replies with one part that is anything: each fact stands on its record, or the tool says why not."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.databases.chembl_drugs import chembl_tool
from agents.databases.open_targets import API as OPEN_TARGETS_API
from agents.databases.open_targets_profile import open_targets_tool
from agents.databases.open_targets_reports import open_targets_drugs_tool
from agents.databases.open_targets_safety import open_targets_safety_tool
from agents.databases.openfda_safety import drug_labels_tool
from agents.databases.trial_events import clinical_trials_tool
from agents.errors import ToolFailed
from tests.agents.databases import test_clinical_trials, test_openfda
from tests.agents.databases.reaching import ask, reach_of
from tests.support.drills import examples

TARGET = {
    "id": "ENSG00000157764",
    "approvedSymbol": "BRAF",
    "homologues": [
        {
            "speciesName": "Mouse",
            "homologyType": "ortholog_one2one",
            "targetGeneId": "ENSMUSG00000002413",
            "targetGeneSymbol": "Braf",
            "queryPercentageIdentity": 97.1,
        }
    ],
    "associatedDiseases": {
        "rows": [
            {
                "score": 0.8,
                "disease": {"id": "MONDO_0018997", "name": "Noonan syndrome"},
                "datatypeScores": [{"id": "genetic_association", "score": 0.91}],
            }
        ]
    },
    "safetyLiabilities": [
        {
            "event": "rash",
            "eventId": "HP_0000988",
            "datasource": "Brennan et al. (2024)",
            "literature": "38773351",
            "effects": [{"direction": "Inhibition/Decrease/Downregulation", "dosing": "general"}],
            "biosamples": [{"tissueLabel": "skin"}],
            "studies": [],
        },
        {"event": "kinase activity", "datasource": "ToxCast", "studies": [{"name": "NVS_ENZ_hBRAF"}]},
    ],
    "drugAndClinicalCandidates": {
        "count": 1,
        "rows": [
            {
                "maxClinicalStage": "APPROVAL",
                "drug": {"id": "CHEMBL1229517", "name": "VEMURAFENIB", "drugType": "Small molecule"},
            }
        ],
    },
}
META = {"meta": {"dataVersion": {"year": "26", "month": "06"}}}
DRUG = {
    "id": "CHEMBL1229517",
    "name": "VEMURAFENIB",
    "mechanismsOfAction": {
        "rows": [
            {"actionType": "INHIBITOR", "mechanismOfAction": "x", "targets": [{"id": "ENSG00000157764"}]}
        ]
    },
    "drugWarnings": [{"warningType": "Black Box Warning", "toxicityClass": "Carcinogenicity", "year": 2012}],
}


def replies() -> dict[str, Any]:
    """All replies, as values."""
    texts = {**test_openfda.replies(), **test_clinical_trials.replies(test_clinical_trials.STUDY)}
    texts[OPEN_TARGETS_API] = json.dumps({"data": {"target": TARGET, "drug": DRUG, **META}})
    return {url: json.loads(text) for url, text in texts.items()}


MAKERS = (
    chembl_tool,
    clinical_trials_tool,
    drug_labels_tool,
    open_targets_tool,
    open_targets_drugs_tool,
    open_targets_safety_tool,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def mutate(data: st.DataObject, value: Any) -> None:
    """Put anything into one place of a value of JSON, or take it away."""
    at = value
    while isinstance(at, dict | list) and at:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.integers(0, 4)) == 0:
            if data.draw(st.booleans()):
                at[key] = data.draw(JSON)
            else:
                del at[key]
            return
        at = at[key]


@pytest.mark.parametrize("make", MAKERS)
async def test_good_replies_are_told(make: Any) -> None:
    reply = await ask(make, reach_of({url: json.dumps(value) for url, value in replies().items()}), "BRAF")
    assert reply.records
    assert not reply.note
    assert reply.records[0].source.release or make is clinical_trials_tool


@pytest.mark.parametrize("make", MAKERS)
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_one_part_may_be_anything(make: Any, data: st.DataObject) -> None:
    values = replies()
    mutate(data, values[data.draw(st.sampled_from(sorted(values)))])
    try:
        await ask(make, reach_of({url: json.dumps(value) for url, value in values.items()}), "BRAF")
    except ToolFailed as error:
        said = str(error)
    else:
        return
    assert said.endswith("."), said
