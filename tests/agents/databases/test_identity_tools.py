"""What UniProt and NCBI Gene say of a target, from files and from replies; and of the wrong gene."""

import json
from typing import Any

import pytest

from agents.databases import hgnc, uniprot
from agents.databases.facts import Fact, Facts
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.toolset import database_tools
from agents.errors import ToolFailed
from agents.tools.reply import ToolReply
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

HGNC = (
    "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tensembl_gene_id\tentrez_id\tuniprot_ids",
    "HGNC:1\tABC1\tinvented carrier 1\tApproved\tCAR1\t\tENSG00000000001\t11\tP00001",
    "HGNC:2\tBRAF\tB-Raf\tApproved\tBRAF1\t\tENSG00000157764\t673\tP15056",
    "HGNC:3\tEGFR\treceptor\tApproved\tERBB\t\tENSG00000146648\t1956\tP00533",
)
ENTRY = """\
ID   ABC1_HUMAN              Reviewed;          12 AA.
AC   P00001; Q00009;
DE   RecName: Full=Invented carrier 1 {ECO:0000305};
GN   Name=ABC1; Synonyms=CAR1;
OX   NCBI_TaxID=9606;
CC   -!- FUNCTION: Carries sodium into the beta-
CC       cell (PubMed:123). Its loss stops the
CC       heart. {ECO:0000269|PubMed:123}.
CC   -!- SUBCELLULAR LOCATION: Cell membrane {ECO:0000250}; Multi-pass membrane
CC       protein. Golgi apparatus. Note=Recycles.
CC   -!- TISSUE SPECIFICITY: Heart and kidney.
CC   -!- DISEASE: Standstill 1 (STST1) [MIM:100001]: A disorder of rhythm.
CC       {ECO:0000269}. Note=The disease is caused by variants.
CC   -----------------------------------------------------------------------
DR   Ensembl; ENST00000000011; ENSP00000000111; ENSG00000000001.
DR   GeneID; 11; -.
FT   DOMAIN          2..9
FT                   /note="Carrier"
FT   TRANSMEM        3..5
FT                   /note="Helical"
SQ   SEQUENCE   12 AA;  1000 MW;  ABC CRC64;
     MKTAYIAKQR QI
//
ID   ABC1_MOUSE              Reviewed;          12 AA.
AC   P99999;
GN   Name=Abc1;
OX   NCBI_TaxID=10090;
//
"""


@pytest.fixture
def bulk() -> MemoryBulk:
    loaded = MemoryBulk()
    loaded.load(hgnc.TSV, HGNC, "2026-01")
    return loaded


async def asked(reach: Reach, tool: str, target: str = "ABC1") -> ToolReply:
    return await database_tools(reach).call(tool, json.dumps({"target": target}))


def facts(reply: ToolReply) -> tuple[Fact, ...]:
    """The facts of a reply, each checked to stand on verbatim lines of its record."""
    found = Facts.model_validate(reply.data).facts
    for fact in found:
        text = reply.records[fact.record].source.text
        assert fact.quotes
        assert all(quote in text for quote in fact.quotes)
    return found


def said(reply: ToolReply) -> str:
    return "\n".join(fact.text for fact in facts(reply))


class TestUniProt:
    async def test_the_flat_file_gives_what_a_reader_wants(self, bulk: MemoryBulk) -> None:
        loaded = bulk.load(uniprot.UNIPROT.formats[0], ENTRY.splitlines(), "2026_01")
        reply = await asked(Reach(bulk), "protein")
        assert loaded.rows == 1  # the mouse is none of ours
        assert said(reply) == (
            "UniProt on ABC1, function: Carries sodium into the beta-cell.\n"
            "UniProt on ABC1, function: Its loss stops the heart.\n"
            "UniProt on ABC1, tissue specificity: Heart and kidney.\n"
            "UniProt locates the protein of ABC1 at: Cell membrane.\n"
            "UniProt locates the protein of ABC1 at: Golgi apparatus.\n"
            "The canonical protein of ABC1 has 12 amino acids.\n"
            "The protein of ABC1 has, at residues 2 to 9: domain Carrier.\n"
            "The protein of ABC1 has 1 transmembrane segment.\n"
            "UniProt lists Standstill 1 (STST1) as a disease in which ABC1 is involved."
        )
        (disease,) = (fact for fact in facts(reply) if fact.topic == "disease")
        assert (disease.term, disease.id) == ("Standstill 1 (STST1)", "MIM:100001")
        (record,) = reply.records
        assert record.source.title == "UniProt 2026_01: Invented carrier 1 of ABC1 (P00001)"
        assert record.source.link == "https://www.uniprot.org/uniprotkb/P00001/entry"

    async def test_the_real_flat_file_is_read(self) -> None:
        lines = shared("data/tsa/ot_fixtures/uniprot_sample_10.txt").read_text().splitlines()
        loaded = MemoryBulk()
        assert loaded.load(uniprot.UNIPROT.formats[0], lines).rows == 10
        reply = await asked(Reach(loaded), "protein", "PIGS")
        assert "The protein of PIGS has 2 transmembrane segments." in said(reply)
        assert "biosynthesis defect 18 (GPIBD18)" in said(reply)

    async def test_a_protein_that_is_not_there_is_told(self, bulk: MemoryBulk) -> None:
        bulk.load(uniprot.UNIPROT.formats[0], ENTRY.splitlines())
        reply = await asked(Reach(bulk), "protein", "BRAF")
        assert reply.note == "The loaded file of UniProt has no entry of BRAF."
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P15056.txt": None})
        reply = await asked(Reach(bulk, web), "protein", "BRAF")
        assert reply.note == "UniProt has no reviewed human entry of BRAF."

    async def test_another_protein_in_the_reply_is_refused(self, bulk: MemoryBulk) -> None:
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P00533.txt": ENTRY})
        with pytest.raises(ToolFailed, match="UniProt replied with ABC1, not with EGFR"):
            await asked(Reach(bulk, web), "protein", "EGFR")

    async def test_the_service_gives_the_same_as_the_file(self, bulk: MemoryBulk) -> None:
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P00001.txt": ENTRY}, release="2026_03")
        reply = await asked(Reach(bulk, web), "protein")
        assert "UniProt on ABC1, function: Carries sodium into the beta-cell." in said(reply)
        assert reply.records[0].source.release == "2026_03"


class TestNcbiGene:
    SUMMARY = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi"

    async def test_a_reply_of_ncbi_gives_the_summary(self, bulk: MemoryBulk) -> None:
        summary = {"name": "ABC1", "maplocation": "1p36", "organism": {"taxid": 9606}}
        summary["summary"] = "Carries sodium. Mutations stop the heart. [provided by RefSeq, Jul 2020]."
        web = RecordedWeb({self.SUMMARY: json.dumps({"result": {"11": summary}})})
        reply = await asked(Reach(bulk, web), "gene_summary")
        assert said(reply) == ("RefSeq on ABC1: Carries sodium.\nRefSeq on ABC1: Mutations stop the heart.")

    @pytest.mark.parametrize(
        "result",
        [
            {"11": {"name": "XYZ"}},
            {"11": {"name": "ABC1", "organism": {"taxid": 10090}}},
            {"12": {"name": "ABC1"}},
            {"11": {"error": "cannot get document summary"}},
        ],
    )
    async def test_another_gene_is_refused(self, bulk: MemoryBulk, result: Any) -> None:
        web = RecordedWeb({self.SUMMARY: json.dumps({"result": result})})
        with pytest.raises(ToolFailed, match="NCBI Gene replied"):
            await asked(Reach(bulk, web), "gene_summary")


@pytest.mark.parametrize("tool", ["protein", "gene_summary"])
async def test_what_was_not_asked_is_told_and_no_error(bulk: MemoryBulk, tool: str) -> None:
    reply = await asked(Reach(bulk), tool)
    assert reply.records == ()
    assert "was not asked: " in reply.note
    assert "the network is not used." in reply.note
    assert Facts.model_validate(reply.data).missing
