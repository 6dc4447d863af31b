"""ClinicalTrials.gov: events of the arm that got the drug, with denominators, and stopped studies."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases import clinical_trials
from agents.databases.clinical_trials import Arm, parse_studies, parse_study
from agents.databases.facts import Topic
from agents.databases.ports import WebReply
from agents.databases.trial_events import clinical_trials_tool
from agents.errors import ToolFailed
from tests.agents.databases import test_chembl
from tests.agents.databases.reaching import ask, facts_of, reach_of, said
from tests.support.services import shared


def group(id_: str, title: str, affected: int, at_risk: int, description: str = "") -> dict[str, Any]:
    return {
        "id": id_,
        "title": title,
        "description": description,
        "seriousNumAffected": affected,
        "seriousNumAtRisk": at_risk,
        "deathsNumAffected": 2,
        "deathsNumAtRisk": at_risk,
    }


def event(term: str, *counts: int, organ: str = "Skin disorders") -> dict[str, Any]:
    stats = [
        {"groupId": f"EG{number:03}", "numAffected": count, "numAtRisk": 100 + number}
        for number, count in enumerate(counts)
    ]
    return {"term": term, "organSystem": organ, "stats": stats}


STUDY: dict[str, Any] = {
    "protocolSection": {
        "identificationModule": {"nctId": "NCT01006980", "briefTitle": "A Study of Vemurafenib in Melanoma"},
        "statusModule": {"overallStatus": "COMPLETED"},
        "designModule": {"phases": ["PHASE2", "PHASE3"], "enrollmentInfo": {"count": 201}},
        "conditionsModule": {"conditions": ["Malignant Melanoma"]},
        "armsInterventionsModule": {"interventions": [{"name": "Vemurafenib"}, {"name": "Dacarbazine"}]},
    },
    "resultsSection": {
        "adverseEventsModule": {
            "eventGroups": [
                group("EG000", "Vemurafenib", 33, 100),
                group("EG001", "Dacarbazine", 16, 101),
            ],
            "seriousEvents": [event("Squamous cell carcinoma of skin", 12, 0), event("Pyrexia", 1, 4)],
            "otherEvents": [event("Rash", 40, 2), event("Nausea", 35, 45), event("Cough", 0, 5)],
        }
    },
}
STOPPED: dict[str, Any] = {
    "protocolSection": {
        "identificationModule": {"nctId": "NCT01400451", "briefTitle": "Vemurafenib and Ipilimumab"},
        "statusModule": {"overallStatus": "TERMINATED", "whyStopped": "Hepatotoxicity was seen."},
        "designModule": {"phases": ["PHASE1"], "enrollmentInfo": {"count": 16}},
        "armsInterventionsModule": {"interventions": [{"name": "Vemurafenib"}]},
    }
}


def replies(*studies: object) -> dict[str, Any]:
    return {
        **test_chembl.replies(
            mechanism=json.dumps(
                {"mechanisms": json.loads(test_chembl.replies()[MECHANISM])["mechanisms"][:1]}
            )
        ),
        clinical_trials.API: json.dumps({"studies": studies}),
    }


GOT = "In NCT01006980,"
MECHANISM = "https://www.ebi.ac.uk/chembl/api/data/mechanism.json"


async def test_events_are_told_for_those_who_got_the_drug_with_denominators() -> None:
    reply = await ask(clinical_trials_tool, reach_of(replies(STUDY)), "BRAF")
    assert said(reply) == [
        "NCT01006980 is a phase 2/3 study of Vemurafenib, an inhibitor of BRAF, with 201 participants in "
        "Malignant Melanoma; status: completed.",
        f"{GOT} 33 of 100 participants (33.0 %) of the arm Vemurafenib had a serious adverse event, and 16 "
        "of 101 participants (15.8 %) of the arm Dacarbazine.",
        f"{GOT} 2 of 100 participants (2.0 %) of the arm Vemurafenib died, and 2 of 101 participants (2.0 %) "
        "of the arm Dacarbazine.",
        f"{GOT} 12 of 100 participants (12.0 %) of the arm Vemurafenib had the serious adverse event "
        "Squamous cell carcinoma of skin (Skin disorders), and 0 of 101 participants (0.0 %) of the arm "
        "Dacarbazine.",
        f"{GOT} 40 of 100 participants (40.0 %) of the arm Vemurafenib had the adverse event Rash (Skin "
        "disorders), and 2 of 101 participants (2.0 %) of the arm Dacarbazine.",
    ]
    facts = facts_of(reply).facts
    assert {fact.change for fact in facts} == {"inhibition"}
    first = next(fact for fact in facts if fact.topic is Topic.ADVERSE_EVENT)
    assert (first.term, first.value, first.unit) == ("Squamous cell carcinoma of skin", 12.0, "%")
    assert reply.records[0].source.link == "https://clinicaltrials.gov/study/NCT01006980"


async def test_a_study_that_was_stopped_for_safety_is_told_with_the_reason() -> None:
    reply = await ask(clinical_trials_tool, reach_of(replies(STOPPED)), "BRAF")
    assert said(reply)[1] == (
        "NCT01400451 of Vemurafenib was stopped (terminated), and its sponsor says why: Hepatotoxicity was "
        "seen."
    )


async def test_a_study_that_was_stopped_for_money_is_not_told() -> None:
    study = json.loads(json.dumps(STOPPED))
    study["protocolSection"]["statusModule"]["whyStopped"] = "Lack of funding"
    reply = await ask(clinical_trials_tool, reach_of(replies(study)), "BRAF")
    assert not facts_of(reply).facts
    assert "Nothing found" in reply.note


async def test_without_another_arm_an_event_has_to_be_common() -> None:
    study = json.loads(json.dumps(STUDY))
    events = study["resultsSection"]["adverseEventsModule"]
    events["eventGroups"] = events["eventGroups"][:1]
    events["otherEvents"] += [event("Dizziness", 1)]
    reply = await ask(clinical_trials_tool, reach_of(replies(study)), "BRAF")
    terms = [fact.term for fact in facts_of(reply).facts if fact.topic is Topic.ADVERSE_EVENT]
    assert terms == ["Squamous cell carcinoma of skin", "Pyrexia", "Rash", "Nausea"]


async def test_studies_of_another_drug_are_refused() -> None:
    study = json.loads(json.dumps(STUDY).replace("Vemurafenib", "Aspirin"))
    reply = await ask(clinical_trials_tool, reach_of(replies(study)), "BRAF")
    assert not facts_of(reply).facts
    assert "replied with studies of other drugs" in facts_of(reply).missing[0]


@pytest.mark.parametrize("broken", ["", "[]", "{}", '{"studies": null}'])
async def test_a_reply_of_another_form_is_said_to_be_missing(broken: str) -> None:
    reply = await ask(clinical_trials_tool, reach_of({**replies(), clinical_trials.API: broken}), "BRAF")
    assert not facts_of(reply).facts
    assert facts_of(reply).missing[0].startswith("Studies of Vemurafenib are missing: ClinicalTrials.gov")


async def test_without_any_source_of_drugs_it_is_said_why() -> None:
    with pytest.raises(ToolFailed, match="Which drugs act on BRAF could not be found out"):
        await ask(clinical_trials_tool, reach_of({}), "BRAF")


@pytest.mark.parametrize(
    ("title", "description", "gets", "lacks"),
    [
        ("Vemurafenib 960 mg", "", True, False),
        ("Arm A", "vemurafenib twice daily", True, False),
        ("Placebo", "placebo that matches vemurafenib", False, True),
        ("Placebo + Vemurafenib", "", False, False),
        ("Arm B", "placebo, then vemurafenib", False, False),
        ("Dacarbazine", "", False, True),
        ("Vemurafenib", "open label after placebo", True, False),
    ],
)
def test_an_arm_gets_the_drug_only_where_that_is_clear(
    title: str, description: str, gets: bool, lacks: bool
) -> None:
    arm = Arm("EG000", title, description)
    assert (arm.gets("Vemurafenib"), arm.lacks("Vemurafenib")) == (gets, lacks)


def test_counts_that_cannot_be_are_left_out() -> None:
    study = json.loads(json.dumps(STUDY))
    events = study["resultsSection"]["adverseEventsModule"]["seriousEvents"]
    events[0]["stats"][0]["numAffected"] = 300
    events[1]["stats"][0]["numAtRisk"] = 0
    parsed = parse_study(study)
    assert [event.of(parsed.arms[0]) for event in parsed.events[:2]] == [None, None]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(st.data())
def test_any_part_of_a_study_may_be_anything(data: st.DataObject) -> None:
    study = json.loads(json.dumps(STUDY))
    at: Any = study
    for _ in range(data.draw(st.integers(1, 6))):
        if not isinstance(at, dict | list) or not at:
            break
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if data.draw(st.booleans()):
            at[key] = data.draw(JSON)
            break
        at = at[key]
    parsed = parse_studies(WebReply(json.dumps({"studies": [study]}), "", ""))
    for found in parsed:
        for event in found.events:
            assert all(one.affected <= one.at_risk for _, one in event.by_arm)


@pytest.mark.service("shared")
def test_recorded_studies_are_read() -> None:
    path = shared("data/tsa/api_captures/ctgov/search_keytruda_limit3_20260811.json")
    studies = parse_studies(WebReply(path.read_text(), "", ""))
    assert [study.nct for study in studies[:2]] == ["NCT05431270", "NCT03590054"]
    assert studies[0].phase == "phase 1/2"
    assert studies[1].status == "completed"
    assert studies[1].enrolment == 35
    one = shared("data/tsa/api_captures/ctgov/get_nct02576665_20260811.json")
    assert "Flucytosine" in parse_study(json.loads(one.read_text())).interventions
