"""ChEMBL: drugs of a target with action and phase, warnings, and what happens when it replies wrongly."""

import gzip
import json
from typing import Any

import pytest

from agents.databases import chembl
from agents.databases.chembl import parse_mechanisms, parse_molecules, parse_targets, parse_warnings
from agents.databases.chembl_drugs import chembl_tool, structures_in
from agents.databases.facts import Topic
from agents.databases.ports import WebReply
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.reaching import ask, facts_of, reach_of, reply_of, said
from tests.support.services import shared

BRAF = Target("BRAF", ensembl="ENSG00000157764", uniprot="P15056")
TARGET = {
    "target_chembl_id": "CHEMBL5145",
    "pref_name": "Serine/threonine-protein kinase B-raf",
    "target_type": "SINGLE PROTEIN",
    "organism": "Homo sapiens",
    "target_components": [{"accession": "P15056", "target_component_synonyms": []}],
}
MECHANISMS = [
    ("CHEMBL1229517", "INHIBITOR", "Serine/threonine-protein kinase B-raf inhibitor"),
    ("CHEMBL9", "", "Serine/threonine-protein kinase B-raf ligand"),
]
MOLECULES = [
    {
        "molecule_chembl_id": "CHEMBL1229517",
        "pref_name": "VEMURAFENIB",
        "molecule_type": "Small molecule",
        "max_phase": "4.0",
        "first_approval": 2011,
    },
    {
        "molecule_chembl_id": "CHEMBL9",
        "pref_name": "XL-281",
        "molecule_type": "Small molecule",
        "max_phase": 1,
    },
]
WARNING = {
    "molecule_chembl_id": "CHEMBL1229517",
    "warning_type": "Black Box Warning",
    "warning_class": "Carcinogenicity",
    "warning_country": "United States",
    "warning_year": None,
}


def replies(**changed: Any) -> dict[str, Any]:
    values: dict[str, object] = {
        "target": {"targets": [TARGET]},
        "mechanism": {
            "mechanisms": [
                {
                    "molecule_chembl_id": molecule,
                    "parent_molecule_chembl_id": molecule,
                    "target_chembl_id": "CHEMBL5145",
                    "action_type": action,
                    "mechanism_of_action": mechanism,
                }
                for molecule, action, mechanism in MECHANISMS
            ]
        },
        "molecule": {"molecules": MOLECULES},
        "drug_warning": {"drug_warnings": [WARNING]},
        "status": {"chembl_db_version": "ChEMBL_35"},
    }
    whole = {f"{chembl.API}/{name}.json": json.dumps(value) for name, value in values.items()}
    return {**whole, **{f"{chembl.API}/{name}.json": value for name, value in changed.items()}}


async def test_drugs_of_a_target_are_told_with_action_phase_and_warning() -> None:
    reply = await ask(chembl_tool, reach_of(replies()), "braf")
    assert said(reply) == [
        "ChEMBL lists 2 drugs or clinical candidates with a mechanism of action on BRAF: 1 in phase 4 "
        "(approved), 1 in phase 1.",
        "Vemurafenib (CHEMBL1229517), a small molecule, is an inhibitor of BRAF (Serine/threonine-protein "
        "kinase B-raf inhibitor); highest clinical phase: phase 4 (approved).",
        "XL-281 (CHEMBL9), a small molecule, acts on BRAF (Serine/threonine-protein kinase B-raf ligand); "
        "highest clinical phase: phase 1.",
        "Vemurafenib (CHEMBL1229517), an inhibitor of BRAF, carries a black box warning in United States: "
        "Carcinogenicity.",
    ]
    facts = facts_of(reply).facts
    assert [fact.change for fact in facts] == ["", "inhibition", "", "inhibition"]
    assert facts[1].value == 4.0
    assert facts[3].term == "Carcinogenicity"
    assert facts[3].record == 1
    assert {record.source.release for record in reply.records} == {"ChEMBL_35"}


async def test_the_structures_of_drugs_stand_in_the_record_and_are_no_facts() -> None:
    smiles = "CCCS(=O)(=O)Nc1ccc(F)c(C(=O)c2c[nH]c3ncc(-c4ccc(Cl)cc4)cc23)c1F"
    drawn = {**MOLECULES[0], "molecule_structures": {"canonical_smiles": smiles, "molfile": "x"}}
    others = (
        {**MOLECULES[1], "molecule_structures": told} for told in (None, {}, {"canonical_smiles": "C C"})
    )
    for other in others:
        molecules = json.dumps({"molecules": [drawn, other]})
        reply = await ask(chembl_tool, reach_of(replies(molecule=molecules)), "BRAF")
        assert len(facts_of(reply).facts) == 4
        ((name, found, line),) = structures_in(reply.records[0].source.text)
        assert (name, found) == ("Vemurafenib", smiles)
        assert line == f"- Vemurafenib (CHEMBL1229517), SMILES: {smiles}"
    plain = await ask(chembl_tool, reach_of(replies()), "BRAF")
    assert "Structures" not in plain.records[0].source.text


async def test_without_its_release_the_drugs_are_still_told() -> None:
    for unknown in ("[]", None, ToolFailed("ChEMBL does not answer (500).")):
        reply = await ask(chembl_tool, reach_of(replies(status=unknown)), "BRAF")
        assert len(facts_of(reply).facts) == 4
        assert {record.source.release for record in reply.records} == {""}


async def test_a_target_without_drugs_is_no_error() -> None:
    reply = await ask(chembl_tool, reach_of(replies(mechanism='{"mechanisms": []}')), "BRAF")
    assert not facts_of(reply).facts
    assert "no drug with a mechanism of action on BRAF" in reply.note


async def test_a_target_that_is_unknown_is_no_error() -> None:
    for empty in (None, '{"targets": []}'):
        reply = await ask(chembl_tool, reach_of(replies(target=empty)), "BRAF")
        assert "no target for BRAF" in reply.note


async def test_without_warnings_the_drugs_are_still_told() -> None:
    broken = replies(drug_warning=ToolFailed("ChEMBL does not answer (500)."))
    reply = await ask(chembl_tool, reach_of(broken), "BRAF")
    assert len(facts_of(reply).facts) == 3
    assert facts_of(reply).missing == (
        "Safety warnings of ChEMBL are missing: ChEMBL does not answer (500).",
    )


async def test_another_gene_in_the_reply_is_refused() -> None:
    other = {**TARGET, "pref_name": "EGFR", "target_components": [{"accession": "P00533"}]}
    with pytest.raises(ToolFailed, match="other targets than BRAF"):
        await ask(chembl_tool, reach_of(replies(target=json.dumps({"targets": [other]}))), "BRAF")


@pytest.mark.parametrize("name", ["target", "mechanism", "molecule"])
@pytest.mark.parametrize("broken", ["", "<html>", "[]", "{}", '{"targets": null, "mechanisms": 3}'])
async def test_a_reply_of_another_form_is_refused(name: str, broken: str) -> None:
    with pytest.raises(ToolFailed, match="ChEMBL replied "):
        await ask(chembl_tool, reach_of(replies(**{name: broken})), "BRAF")


async def test_without_the_network_it_is_said_that_nobody_was_asked() -> None:
    reply = await ask(chembl_tool, reach_of(), "BRAF")
    (missing,) = facts_of(reply).missing
    assert missing.startswith("ChEMBL was not asked:")


async def test_a_mechanism_on_another_target_is_left_out() -> None:
    stray = json.loads(replies()[f"{chembl.API}/mechanism.json"])
    stray["mechanisms"][0]["target_chembl_id"] = "CHEMBL203"
    reply = await ask(chembl_tool, reach_of(replies(mechanism=json.dumps(stray))), "BRAF")
    assert not any("Vemurafenib" in text for text in said(reply))


def test_targets_are_found_by_symbol_where_no_accession_is_known() -> None:
    named = {"component_synonym": "BRAF", "syn_type": "GENE_SYMBOL"}
    row = {**TARGET, "target_components": [{"target_component_synonyms": [named]}]}
    assert parse_targets(reply_of({"targets": [row]}), Target("BRAF"))
    with pytest.raises(ToolFailed):
        parse_targets(reply_of({"targets": [row]}), Target("RAF1"))


@pytest.mark.service("shared")
def test_the_recorded_mechanisms_of_pembrolizumab_are_read() -> None:
    path = shared("data/tsa/api_captures/chembl/mechanisms_pembrolizumab_20260811.json")
    (one,) = parse_mechanisms(WebReply(path.read_text(), "", ""))
    assert (one.molecule, one.target, one.action) == ("CHEMBL3137343", "CHEMBL3307223", "inhibitor")
    assert one.mechanism == "Programmed cell death protein 1 inhibitor"


@pytest.mark.service("shared")
def test_real_rows_of_targets_and_warnings_are_read() -> None:
    folder = shared("data/tsa/ot_fixtures")
    with gzip.open(folder / "chembl_target_100.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    found = next(row for row in rows if row["target_chembl_id"] == "CHEMBL2364169")
    row = {**found, "organism": "Homo sapiens"}  # the file has it in its metadata, the service at the top
    row["target_components"] = found["_metadata"]["target_component"]
    (complex_,) = parse_targets(reply_of({"targets": [row]}), Target("CSF2RA", uniprot="P15509"))
    assert complex_.type == "PROTEIN COMPLEX"
    lines_ = (folder / "drug_warning_30.jsonl").read_text().splitlines()
    warnings = parse_warnings(reply_of({"drug_warnings": [json.loads(line) for line in lines_]}))
    assert len(warnings) == 30
    assert warnings[0].molecule == "CHEMBL92"
    assert warnings[0].toxicity == "Gastrotoxicity"


async def test_a_warning_of_a_drug_on_a_complex_or_family_is_shared() -> None:
    family = json.dumps({"targets": [{**TARGET, "target_type": "PROTEIN FAMILY"}]})
    for changed, shared_ in (({}, False), ({"target": family}, True)):
        reply = await ask(chembl_tool, reach_of(replies(**changed)), "BRAF")
        warned = [fact for fact in facts_of(reply).facts if fact.topic is Topic.ADVERSE_EVENT]
        assert [fact.shared for fact in warned] == [shared_]


def test_molecules_without_a_name_are_passed_over() -> None:
    rows = [{"molecule_chembl_id": "CHEMBL1", "pref_name": None}, MOLECULES[0]]
    assert [one.name for one in parse_molecules(reply_of({"molecules": rows}))] == ["Vemurafenib"]
