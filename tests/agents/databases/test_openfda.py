"""openFDA: what labels warn of, with their words."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.drugs import Drug
from agents.databases.facts import Response
from agents.databases.label_format import whole_label
from agents.databases.labels import LabelPassage
from agents.databases.openfda import (
    API,
    boxed_in,
    common_in,
    phrase,
    reported_in,
    results,
    warned_in,
)
from agents.databases.openfda_safety import drug_labels_tool, label_sheet, of_one
from agents.databases.ports import WebReply
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases import test_chembl
from tests.agents.databases.reaching import ask, facts_of, reach_of, reply_of, said
from tests.support.services import shared

LABEL: dict[str, Any] = {
    "set_id": "38eea320-7e0c-485a-bc30-98c3c45e2763",
    "effective_time": "20200518",
    "boxed_warning": ["WARNING: LIVER INJURY and HEART FAILURE Severe liver injury has been seen (5.1)."],
    "adverse_reactions": [
        "6 ADVERSE REACTIONS The following adverse reactions are discussed elsewhere: New primary "
        "malignancies [see Warnings and Precautions (5.1)] • QT prolongation [see Warnings and Precautions "
        "(5.6)] The most common adverse reactions of any grade (≥ 30%) were arthralgia, rash, and fatigue. "
        "Others were rare."
    ],
    "openfda": {"generic_name": ["VEMURAFENIB"], "brand_name": ["ZELBORAF"]},
}


def replies(label: object = None) -> dict[str, Any]:
    return {
        **test_chembl.replies(),
        f"{API}/label.json": json.dumps(label if label is not None else {"results": [LABEL]}),
    }


async def test_a_label_is_told_with_its_own_words() -> None:
    reply = await ask(drug_labels_tool, reach_of(replies()), "BRAF")
    begin = "The US label of Vemurafenib, an inhibitor of BRAF,"
    assert said(reply) == [
        f"{begin} has a boxed warning of liver injury.",
        f"{begin} has a boxed warning of heart failure.",
        f"{begin} warns of New primary malignancies.",
        f"{begin} warns of QT prolongation.",
        f"{begin} names as one of the most common adverse reactions arthralgia.",
        f"{begin} names as one of the most common adverse reactions rash.",
        f"{begin} names as one of the most common adverse reactions fatigue.",
    ]
    assert {fact.change for fact in facts_of(reply).facts} == {"inhibition"}
    assert facts_of(reply).facts[0].term == "liver injury"
    assert "WARNING: LIVER INJURY and HEART FAILURE" in facts_of(reply).facts[0].quotes[1]
    assert reply.records[0].source.release == "2020-05-18"


async def test_labels_of_other_drugs_are_not_the_drugs() -> None:
    other = {**LABEL, "openfda": {"generic_name": ["ASPIRIN"]}}
    reply = await ask(drug_labels_tool, reach_of(replies(label={"results": [other]})), "BRAF")
    assert facts_of(reply).answer is Response.NO_ROW


async def test_the_label_of_a_combination_is_not_the_drugs() -> None:
    both = {**LABEL, "openfda": {"generic_name": ["VEMURAFENIB AND COBIMETINIB"]}}
    reply = await ask(drug_labels_tool, reach_of(replies(label={"results": [both]})), "BRAF")
    assert not facts_of(reply).facts
    assert facts_of(reply).answer is Response.NO_ROW


async def test_nothing_found_is_no_error() -> None:
    none = {"error": {"code": "NOT_FOUND", "message": "No matches found!"}}
    reply = await ask(drug_labels_tool, reach_of(replies(none)), "BRAF")
    assert "Nothing found" in reply.note


@pytest.mark.parametrize("broken", [[], {}, {"results": 3}, "<html>"])
async def test_a_reply_of_another_form_is_said_to_be_missing(broken: object) -> None:
    reply = await ask(drug_labels_tool, reach_of(replies(broken)), "BRAF")
    assert not facts_of(reply).facts
    assert "of Vemurafenib is missing: openFDA replied in a form that is" in facts_of(reply).missing[0]


def test_an_error_of_the_service_is_told() -> None:
    with pytest.raises(ToolFailed, match="refused the question: Slow down"):
        results(reply_of({"error": {"code": "OVER_RATE_LIMIT", "message": "slow down"}}))


@given(st.text(max_size=40))
def test_a_phrase_ends_where_it_began_whatever_it_holds(text: str) -> None:
    made = phrase(text)
    inside = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"', made)
    assert inside is not None
    assert re.sub(r"\\(.)", r"\1", inside[1]) == " ".join(text.split())


def test_a_boxed_warning_without_heading_is_told_by_its_first_sentence() -> None:
    said = f"Increased mortality was seen in {'very ' * 100}old patients."
    (one,) = boxed_in(f"{said} More text.")  # whole, however long it is
    assert one.term == one.verbatim == said
    stopped = "Angina has been reported after abrupt cessation."
    assert [one.term for one in boxed_in(f"Patients should be watched. {stopped}")] == [stopped]


def test_a_boxed_heading_is_read_once_in_its_parts() -> None:
    both = "BOXED WARNING: WARNING: (A) STROKE(B) SPINAL HEMATOMA WARNING: (A) STROKE"
    assert [one.term for one in boxed_in(both)] == ["stroke", "spinal hematoma"]
    body = "WARNING: SERIOUS INFECTIONS and MALIGNANCY SERIOUS INFECTIONS Patients have an increased risk"
    assert [one.term for one in boxed_in(body)] == ["serious infections", "malignancy"]


@pytest.mark.parametrize(
    ("heading", "terms"),
    [
        (
            "FATAL AND SERIOUS TOXICITIES: HEPATIC, ZORBITIS, and PERFORATION",
            ["hepatic toxicity", "zorbitis", "perforation"],
        ),
        (
            "RISK OF STROKE, BLEEDING AND RISK OF DEATH IN PATIENTS WITH GOUT",
            ["stroke", "bleeding", "death"],
        ),
        ("POTENTIAL RISK OF COLLAPSE: FOR SHORT-TERM HOSPITAL USE ONLY", ["collapse"]),
        ("INCREASED MORTALITY; QT PROLONGATION", ["increased mortality", "qt prolongation"]),
    ],
)
def test_a_box_in_capitals_is_split_into_its_risks(heading: str, terms: list[str]) -> None:
    told = boxed_in(f"BOXED WARNING: WARNING: {heading} WARNING: {heading} Zorbitis has been seen.")
    assert [one.term for one in told] == terms


def test_the_headings_of_the_warnings_are_risks_beside_those_that_the_reactions_name() -> None:
    reactions = "6 ADVERSE REACTIONS * Zorbitis [see Warnings and Precautions (5.2)] * rash"
    warnings = (
        "5 WARNINGS EXCERPT: * Zorbitis: watch. ( 5.2 , 6.1 ) 5.1 Drugs with Same Active Ingredient Patients "
        "shall not. 5.2 Zorbic Disorders ZORBELO can cause them (5.3). 5.3 Suppression of Bone Turnover In "
        "trials it fell. 5.4 Nephrogenic Fibrosis (NF) It was seen. 5.10 Embryofetal Toxicity Based on its "
        "mechanism it may harm. 5.11 Neurologic Reactions Use of ZORBELO has been tied to it. 5.12 Risk of "
        "Serious Adverse Reactions in Patients with Gout Such patients had. 5.13 Laboratory Tests Do."
    )
    assert [one.term for one in warned_in(reactions, warnings)] == [
        "Zorbitis",
        "Suppression of Bone Turnover",
        "Nephrogenic Fibrosis",
        "Embryofetal Toxicity",
        "Neurologic Reactions",
        "Serious Adverse Reactions in Patients with Gout",
    ]


def test_scraps_of_sentences_are_no_common_reactions() -> None:
    said = (
        "Most common adverse reactions (5% or greater) are zorbitis, increased urination EXCERPT: To report. "
        "The most common adverse reactions were these."
    )
    assert [one.term for one in common_in(said)] == ["zorbitis", "increased urination"]
    shares = (
        "The most common adverse reactions were rash (3% against 5%), and with ZORBELO 300 mg, of patients "
        "treated with placebo and ZORBELO, respectively."
    )
    assert [one.term for one in common_in(shares)] == ["rash"]
    eyes = "The most common adverse reactions were limbal and conjunctival hyperemia, and itch."
    assert [one.term for one in common_in(eyes)] == ["limbal and conjunctival hyperemia", "itch"]
    assert not common_in("The most common adverse reactions leading to permanent discontinuation were rash.")


def test_older_labels_warn_in_sentences() -> None:
    text = (
        "Intestinal Angioedema Intestinal angioedema has been reported. If it is bad, obstruction may occur. "
        "Zorbatinib can cause fetal harm when given. These cases have been reported."
    )
    fetal = "Zorbatinib can cause fetal harm when given."
    assert [one.term for one in reported_in(text)] == ["Intestinal angioedema has been reported.", fetal]
    heat = "Hyperpyrexia and heat stroke, not associated with the above, have also been reported."
    assert [one.term for one in reported_in(heat)] == [heat]
    assert not reported_in(f"Fits {'and more fits ' * 20} have been reported.")  # too long to be told whole


@given(
    st.text(
        alphabet=st.sampled_from("WARNING: abc,.;[]()5 most common adverse reactions are and\n"), max_size=400
    )
)
def test_texts_of_labels_may_be_anything(text: str) -> None:
    for read in (boxed_in, common_in, reported_in, lambda written: warned_in(written, written)):
        for one in read(text):
            assert one.verbatim


def test_long_texts_are_read_in_time() -> None:
    for text in ("most common adverse reactions are " * 3000, "WARNING: " + "A, " * 30000, "[see " * 20000):
        boxed_in(text), warned_in(text, text), common_in(text)


@pytest.mark.service("shared")
def test_recorded_replies_are_read() -> None:
    folder = shared("data/tsa/api_captures/openfda")
    (label,) = results(WebReply((folder / "label_keytruda_20260811.json").read_text(), "", ""))[:1]
    assert isinstance(label, dict)
    assert whole_label(label) is None  # what was recorded holds names, and no section
    assert results(WebReply((folder / "device_pma_brca1_20260811.json").read_text(), "", "")) == []


def test_a_reassurance_and_a_name_of_a_section_are_no_warning() -> None:
    low = "BECAUSE OF THE VERY LOW INCIDENCE of zorbosis, minor changes are unlikely to signal it."
    assert boxed_in(low) == ()
    (harm,) = boxed_in(f"{low} Zorbatinib can cause injury to the developing fetus.")
    assert harm.term == "Zorbatinib can cause injury to the developing fetus."
    heading = "WARNING: SUICIDAL THOUGHTS AND BEHAVIORS (SEE WARNINGS, PRECAUTIONS AND PEDIATRIC USE) Zorb"
    assert [one.term for one in boxed_in(heading)] == ["suicidal thoughts"]
    ending = "WARNING: PREMATURE DISCONTINUATION OF ZORBA INCREASES THE RISK OF THROMBOTIC EVENTS Zorb"
    assert [one.term for one in boxed_in(ending)] == [
        "premature discontinuation of zorba increases the risk of thrombotic events"
    ]
    (doubled,) = reported_in("Head and Neck Angioedema Angioedema of the face has been reported.")
    assert doubled.term == "Angioedema of the face has been reported."


def test_use_watching_illness_and_other_drugs_are_no_effects_and_a_heading_is_no_part_of_a_sentence() -> None:
    headings = (
        "Nutritional Management",
        "Coexisting Conditions",
        "Excessive Use of ZORBA and Use with Other Long-Acting Zorbins",
        "Withdrawal of ZORBs",
        "Pre-existing Neuromuscular Disorders",
        "Beta-Blocker Withdrawal",
        "Overestimation of Extent of Disease",
        "Hypoglycemia with Concomitant Use with Insulin",
    )
    warnings = " ".join(f"5.{number} {one} It has been seen." for number, one in enumerate(headings, 1))
    assert [one.term for one in warned_in("", warnings)] == ["Hypoglycemia with Concomitant Use with Insulin"]
    older = (
        "Pregnancy and Fetal Injury Zorbatinib can cause fetal harm when given. Hyperpyrexia has been "
        "reported with other zorbins. Delirium has been reported with concurrent use of X. "
        "Injury has occurred."
    )
    assert [one.term for one in reported_in(older)] == ["Zorbatinib can cause fetal harm when given."]
    box = "Families should be told. Zorbatinib raises the risk of rash."
    assert [one.term for one in boxed_in(box)] == ["Zorbatinib raises the risk of rash."]


def test_passages_on_a_fixed_combination_are_not_of_the_drug() -> None:
    texts = (
        "Lisinopril and hydrochlorothiazide tablets are contraindicated in anuria.",
        "Hydrochlorothiazide: sensitivity reactions may occur.",
        "Lisinopril may cause cough.",
    )
    label = [LabelPassage(str(at), "LISINOPRIL", "warnings", one) for at, one in enumerate(texts)]
    assert [one.text for one in of_one(label, ("lisinopril",))] == [texts[2]]


def test_a_label_of_a_medicine_for_the_eye_says_that_its_harm_may_come_of_the_place() -> None:
    def told(warns: str) -> bool:
        label = [LabelPassage("1", "ZORB", "warnings", warns)]
        sheet = label_sheet(Target("ZORB1"), Drug("zorbatinib", action="inhibitor"), label)
        return all(one.local for one in sheet.facts)

    assert told("5.1 Endophthalmitis Intravitreal injections: asepsis. After intravitreal use, watch.")
    assert not told("5.1 Bleeding Zorbatinib was given by mouth; an intravitreal one was not seen.")
