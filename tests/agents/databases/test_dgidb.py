"""DGIdb: how drugs act on a gene and whose data say so; loaded and live."""

import json

import pytest

from agents.databases.dgidb import API, DGIDB, dgidb_tool
from agents.errors import ToolFailed
from tests.agents.databases.reaching import ask, facts_of, reach_of, said
from tests.support.services import shared

HEADER = (
    "gene_claim_name\tgene_concept_id\tgene_name\tinteraction_source_db_name\tinteraction_type\t"
    "interaction_score\tdrug_claim_name\tdrug_name\tapproved"
)
ROWS = [
    "ADRB2\thgnc:286\tADRB2\tChEMBL\tagonist\t0.9\tx\tALBUTEROL SULFATE\tTRUE",
    "ADRB2\thgnc:286\tADRB2\tTTD\tagonist\t0.8\tx\tALBUTEROL\tTRUE",
    "ADRB2\thgnc:286\tADRB2\tTTD\tantagonist,agonist\t0.1\tx\tXYZ-1\tFALSE",
    "ADRB2\thgnc:286\tADRB2\tNCI\tNULL\t0.1\tx\tASPIRIN\tTRUE",
]


async def test_drugs_of_a_loaded_file_are_told_with_action_and_sources() -> None:
    (form,) = DGIDB.formats
    assert form.fits([HEADER])
    reply = await ask(dgidb_tool, reach_of(files=[(form, [HEADER, *ROWS])]), "ADRB2")
    assert said(reply) == [
        "Albuterol, an approved drug, is an agonist of ADRB2 by ChEMBL, TTD in DGIdb.",
        "XYZ-1, a drug or clinical candidate, is an agonist and antagonist of ADRB2 by TTD in DGIdb.",
    ]
    assert [fact.change for fact in facts_of(reply).facts] == ["activation", ""]


async def test_another_gene_in_the_reply_is_refused() -> None:
    value = {"data": {"genes": {"nodes": [{"name": "EGFR", "interactions": []}]}}}
    with pytest.raises(ToolFailed, match="replied with EGFR where BRAF was asked for"):
        await ask(dgidb_tool, reach_of({API: json.dumps(value)}), "BRAF")


async def test_nothing_found_is_no_error() -> None:
    for empty in (None, '{"data": {"genes": {"nodes": []}}}'):
        reply = await ask(dgidb_tool, reach_of({API: empty}), "BRAF")
        assert "Nothing found" in reply.note


@pytest.mark.parametrize(
    "broken", ["", "[]", "{}", '{"data": {"genes": 3}}', '{"errors": [{"message": "no"}]}']
)
async def test_a_reply_of_another_form_is_refused(broken: str) -> None:
    with pytest.raises(ToolFailed):
        await ask(dgidb_tool, reach_of({API: broken}), "BRAF")


@pytest.mark.service("shared")
async def test_the_recorded_interactions_are_told() -> None:
    folder = shared("data/tsa/api_captures/dgidb")
    reply = await ask(dgidb_tool, reach_of({API: (folder / "gene_egfr_20260811.json").read_text()}), "EGFR")
    assert [fact.term for fact in facts_of(reply).facts] == ["Necitumumab", "Cetuximab", "Panitumumab"]
    assert {fact.change for fact in facts_of(reply).facts} == {"inhibition"}
    assert said(reply)[0] == (
        "Necitumumab, an approved drug, is an antibody and inhibitor of EGFR by ChEMBL, GuideToPharmacology, "
        "MyCancerGenome, TALC, TTD, TdgClinicalTrial in DGIdb."
    )
    reply = await ask(
        dgidb_tool, reach_of({API: (folder / "gene_braf_interactions.json").read_text()}), "BRAF"
    )
    assert [fact.term for fact in facts_of(reply).facts] == ["Dabrafenib", "Sorafenib"]
