"""Open Targets: profile, drugs with what is reported of them, and curated liabilities; loaded and live."""

import json
from typing import Any

import pytest

from agents.databases.chembl import WARNING_FILE
from agents.databases.facts import Topic
from agents.databases.open_targets import API, FORMATS, OPEN_TARGETS, data_of
from agents.databases.open_targets_drugs import parse_candidates
from agents.databases.open_targets_profile import open_targets_tool
from agents.databases.open_targets_reports import open_targets_drugs_tool
from agents.databases.open_targets_safety import open_targets_safety_tool, parse_liability
from agents.databases.ports import Reach, WebReply
from agents.errors import ToolFailed
from tests.agents.databases.reaching import ask, facts_of, reach_of, said
from tests.support.services import shared

EGFR = {"id": "ENSG00000146648", "approvedSymbol": "EGFR"}
CAPTURES = "data/tsa/api_captures/opentargets"
FORM = {form.source: form for form in FORMATS}
MOLECULE = {
    "id": "CHEMBL596",
    "name": "FENTANYL",
    "drugType": "Small molecule",
    "maximumClinicalTrialPhase": 4,
    "blackBoxWarning": True,
    "hasBeenWithdrawn": True,
    "withdrawnNotice": {"countries": ["Norway"], "classes": ["Misuse"], "year": 1980},
    "linkedTargets": {"rows": ["ENSG00000112038"], "count": 1},
}
MECHANISM = {
    "actionType": "AGONIST",
    "mechanismOfAction": "Mu opioid receptor agonist",
    "chemblIds": ["CHEMBL596"],
    "targets": ["ENSG00000112038"],
}
LIABILITY = {
    "id": "ENSG00000112038",
    "event": "decreased respiration",
    "eventId": "HP_0002098",
    "datasource": "Lynch et al. (2017)",
    "effects": [{"direction": "activation", "dosing": "acute"}, {"direction": "inhibition", "dosing": None}],
    "literature": "28216264",
    "biosamples": [{"tissueId": "UBERON_0001004", "tissueLabel": "respiratory"}],
}
ASSAY = {
    "targetFromSourceId": "OPRM1",
    "event": "regulation of receptor activity",
    "datasource": "ToxCast",
    "biosamples": [{"cellFormat": "cell line", "cellLabel": "HepG2"}],
    "studies": [{"name": "NVS_GPCR_hOpiate_mu", "type": "cell-free"}],
}


def live(value: object) -> Reach:
    """A reach whose service gives this target to every question."""
    return reach_of({API: json.dumps({"data": {"target": value}})})


def loaded(**rows: Any) -> Reach:
    """A reach with files of one row or more of "opentargets-drugs" and others, by their last word."""
    return reach_of(
        files=[
            (FORM[f"opentargets-{name}"], [json.dumps(row) for row in value]) for name, value in rows.items()
        ]
    )


def captured(name: str) -> Any:
    """A recorded target. It was asked for without its id, which the tools ask for."""
    return json.loads(shared(f"{CAPTURES}/{name}").read_text())["data"]["target"]


async def test_drugs_of_loaded_files_are_told_with_what_is_warned_of_them() -> None:
    reach = loaded(drugs=[MOLECULE], mechanisms=[MECHANISM])
    reply = await ask(open_targets_drugs_tool, reach, "OPRM1")
    assert said(reply) == [
        "Fentanyl (CHEMBL596), a small molecule, is an agonist of OPRM1; highest clinical phase: phase 4 "
        "(approved).",
        "Fentanyl (CHEMBL596), an agonist of OPRM1: boxed warning of the FDA.",
        "Fentanyl (CHEMBL596), an agonist of OPRM1: withdrawal in Norway in 1980 for Misuse.",
    ]
    assert [fact.change for fact in facts_of(reply).facts] == ["activation"] * 3


async def test_a_drug_that_acts_on_other_proteins_too_is_told_so_and_its_harm_is_shared() -> None:
    several = {**MOLECULE, "linkedTargets": {"rows": ["ENSG00000112038", "ENSG00000082556"], "count": 2}}
    reply = await ask(open_targets_drugs_tool, loaded(drugs=[several], mechanisms=[MECHANISM]), "OPRM1")
    told = said(reply)[-1]
    assert told == (
        "Fentanyl (CHEMBL596), an agonist of OPRM1 (it acts on other proteins too): withdrawal in Norway in "
        "1980 for Misuse."
    )
    assert [fact.shared for fact in facts_of(reply).facts if fact.topic is Topic.ADVERSE_EVENT] == [True]
    alone = await ask(open_targets_drugs_tool, loaded(drugs=[MOLECULE]), "OPRM1")
    assert not any(fact.shared for fact in facts_of(alone).facts)


async def test_a_target_without_drugs_in_the_loaded_file_is_no_error() -> None:
    reply = await ask(open_targets_drugs_tool, loaded(drugs=[MOLECULE]), "BRAF")
    assert "the loaded file of Open Targets lists no drug of BRAF" in reply.note


async def test_curated_liabilities_have_a_fact_for_each_direction() -> None:
    reply = await ask(open_targets_safety_tool, loaded(safety=[LIABILITY, ASSAY]), "OPRM1")
    assert said(reply) == [
        "Safety liability of OPRM1 on activation (acute): decreased respiration in respiratory (Lynch et al. "
        "(2017), PMID 28216264).",
        "Safety liability of OPRM1 on inhibition: decreased respiration in respiratory (Lynch et al. (2017), "
        "PMID 28216264).",
    ]
    assert [fact.change for fact in facts_of(reply).facts] == ["activation", "inhibition"]


async def test_the_curators_own_table_is_read_without_the_systems_that_it_repeats() -> None:
    rows = (
        "symptom\tbiologicalSystem\teffect\tefoId\tensemblId\tpmid\tref\ttarget",
        "438:respiratory depression\tpancreas\tactivation_acute\tEFO_1\tENSG00000112038\t1\tLynch\tOPRM1",
        "439:respiratory depression\trespiratory\tactivation_acute\tEFO_1\tENSG00000112038\t1\tLynch\tOPRM1",
        "pain\trespiratory\tinhibition_general\t\tENSG00000112038\t\tUrban\tOPRM1",
    )
    form = next(one for one in OPEN_TARGETS.formats if one.file == "adverse_effects.tsv")
    reply = await ask(open_targets_safety_tool, reach_of(files=[(form, rows)]), "OPRM1")
    assert [(one.term, one.change) for one in facts_of(reply).facts] == [
        ("pain", "inhibition"),
        ("respiratory depression", "activation"),
    ]


async def test_another_gene_in_the_reply_is_refused() -> None:
    for make in (open_targets_tool, open_targets_drugs_tool, open_targets_safety_tool):
        with pytest.raises(ToolFailed, match="replied with EGFR where BRAF was asked for"):
            await ask(make, live(EGFR), "BRAF")


async def test_a_reply_without_the_list_of_drugs_is_refused() -> None:
    with pytest.raises(ToolFailed, match="no list `rows`"):
        await ask(open_targets_drugs_tool, live(EGFR), "EGFR")


@pytest.mark.parametrize("broken", ["", "[]", "<html>", '{"data": {}}', '{"data": 3}'])
async def test_a_reply_of_another_form_is_refused(broken: str) -> None:
    for make in (open_targets_tool, open_targets_drugs_tool, open_targets_safety_tool):
        with pytest.raises(ToolFailed):
            await ask(make, reach_of({API: broken}), "EGFR")


async def test_a_target_that_the_service_does_not_know_is_no_error() -> None:
    for make in (open_targets_tool, open_targets_drugs_tool, open_targets_safety_tool):
        reply = await ask(make, live(None), "EGFR")
        assert "Nothing found" in reply.note


def test_an_error_of_the_service_is_told_in_its_words() -> None:
    with pytest.raises(ToolFailed, match="refused the question: Cannot query field"):
        data_of(WebReply('{"errors": [{"message": "Cannot query field x"}]}', "", ""), "target")


def test_a_stage_of_two_phases_counts_as_the_first() -> None:
    rows = [{"maxClinicalStage": "PHASE_1_2", "drug": {"id": "CHEMBL1", "name": "AMG-1"}}]
    (drug,) = parse_candidates(rows)
    assert drug.stage == "phase 1"


@pytest.mark.service("shared")
async def test_the_recorded_liabilities_of_egfr_are_told() -> None:
    value = {**captured("druggability_egfr_20260811.json"), **EGFR}
    reply = await ask(open_targets_safety_tool, live(value), "EGFR")
    facts = facts_of(reply).facts
    assert len(facts) == 20
    assert not any("ToxCast" in fact.text for fact in facts)
    (rash,) = [fact for fact in facts if fact.term == "Skin rash"]
    assert rash.change == "inhibition"
    assert rash.text == "Safety liability of EGFR on inhibition: Skin rash in skin (Brennan et al. (2024))."


@pytest.mark.service("shared")
@pytest.mark.parametrize(("symbol", "ensembl"), [("BRAF", "ENSG00000157764"), ("ERBB2", "ENSG00000141736")])
async def test_recorded_drugs_are_told_and_missing_details_are_said(symbol: str, ensembl: str) -> None:
    value = {**captured(f"clinical_{symbol.lower()}_20260811.json"), "id": ensembl}
    reply = await ask(open_targets_drugs_tool, live(value), symbol)
    told = facts_of(reply)
    assert len(told.facts) >= 16
    assert all(fact.change == "" for fact in told.facts)
    assert len([text for text in told.missing if "are missing" in text]) == 6
    if symbol == "BRAF":
        assert "Vemurafenib" in {fact.term for fact in told.facts}


@pytest.mark.service("shared")
async def test_a_real_file_of_drugs_is_told() -> None:
    folder = shared("data/tsa/ot_fixtures")
    files = [(FORM["opentargets-drugs"], (folder / "drug_test.json").read_text().splitlines())]
    reply = await ask(open_targets_drugs_tool, reach_of(files=files), "OPRM1")
    sentences = said(reply)
    assert sentences[0] == (
        "Fentanyl (CHEMBL596), a small molecule, is a drug or clinical candidate for OPRM1; highest clinical "
        "phase: phase 4 (approved)."
    )


@pytest.mark.service("shared")
async def test_real_warnings_of_chembl_are_told_of_drugs_of_a_loaded_file() -> None:
    lines = shared("data/tsa/ot_fixtures/drug_warning_30.jsonl").read_text().splitlines()
    linked = {"rows": ["ENSG00000169252"], "count": 1}
    molecules = [
        {"id": id_, "name": name, "drugType": "Small molecule", "linkedTargets": linked}
        for id_, name in (("CHEMBL714", "ALBUTEROL"), ("CHEMBL2103827", "DROXIDOPA"))
    ]
    files = [
        (FORM["opentargets-drugs"], [json.dumps(one) for one in molecules]),
        (WARNING_FILE, lines),
    ]
    reply = await ask(open_targets_drugs_tool, reach_of(files=files), "ADRB2")
    assert "Albuterol (CHEMBL714), a drug or clinical candidate for ADRB2: black box warning." in said(reply)
    droxidopa = [fact for fact in facts_of(reply).facts if fact.term == "Vascular toxicity"]
    assert [fact.id for fact in droxidopa] == ["CHEMBL2103827"]


@pytest.mark.service("shared")
async def test_a_real_file_of_targets_gives_a_profile() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(shared("data/tsa/ot_fixtures/target_sample.parquet")).to_pylist()
    reach = reach_of(files=[(FORM["opentargets"], [json.dumps(row) for row in rows])])
    reply = await ask(open_targets_tool, reach, "NFE2L2")
    facts = facts_of(reply).facts
    assert {fact.topic for fact in facts} == {Topic.HOMOLOGY}
    mouse = [fact for fact in facts if fact.topic is Topic.HOMOLOGY and fact.species == "mouse"]
    assert [fact.value for fact in mouse] == [81.0]


async def test_identity_is_told_from_both_sides_and_a_gap_is_said() -> None:
    homologue = {
        "speciesName": "Dog",
        "homologyType": "ortholog_one2one",
        "targetGeneSymbol": "NAME9",
        "queryPercentageIdentity": 95.9,
    }
    sides = [{**homologue, "targetPercentageIdentity": other} for other in (86.5, 95.0)]
    row = {
        "id": "ENSG00000000009",
        "approvedSymbol": "NAME9",
        "approvedName": "invented",
        "homologues": sides,
    }
    reply = await ask(open_targets_tool, reach_of(files=[(FORM["opentargets"], [json.dumps(row)])]), "NAME9")
    assert said(reply) == [
        "NAME9 has a one-to-one orthologue in dog, NAME9, with 95.9 % identity to the human protein (86.5 % "
        "seen from the orthologue; the two differ, so that one protein is longer or a fragment).",
        "NAME9 has a one-to-one orthologue in dog, NAME9, with 95.9 % identity to the human protein (95.0 % "
        "seen from the orthologue).",
    ]


@pytest.mark.service("shared")
def test_every_real_row_of_liabilities_is_read() -> None:
    lines = shared("data/tsa/ot_fixtures/safety_dev.jsonl").read_text().splitlines()
    rows = [parse_liability(json.loads(line)) for line in lines]
    assert all(row.event and row.datasource for row in rows)
    assert sum(bool(row.effects) for row in rows) == 24
