"""What UniProt, NCBI Gene and Ensembl say of a target, from files and from replies; and of the wrong gene."""

import json
from typing import Any, ClassVar

import pytest

from agents.databases import ensembl, hgnc, ncbi_gene, open_targets, uniprot
from agents.databases.facts import Fact, Facts
from agents.databases.memory import MemoryBulk, RecordedWeb
from agents.databases.ports import Reach
from agents.databases.toolset import database_tools
from agents.errors import ToolFailed
from agents.tools.reply import ToolReply
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
GFF = """\
##gff-version 3
#description: evidence-based annotation of the human genome (GRCh38), version 49 (Ensembl 115)
chr1\tHAVANA\tgene\t100\t900\t.\t-\t.\tID=ENSG00000000001.3;gene_id=ENSG00000000001.3;gene_type=protein_coding;gene_name=ABC1
chr1\tHAVANA\ttranscript\t100\t800\t.\t-\t.\tID=ENST00000000012.1;transcript_id=ENST00000000012.1;tag=basic
chr1\tHAVANA\ttranscript\t100\t900\t.\t-\t.\tID=ENST00000000011.2;transcript_id=ENST00000000011.2;tag=basic,Ensembl_canonical
chr1\tHAVANA\tCDS\t200\t220\t.\t-\t0\tParent=ENST00000000011.2;transcript_id=ENST00000000011.2;protein_id=ENSP00000000111.2
chr1\tHAVANA\tCDS\t301\t315\t.\t-\t0\tParent=ENST00000000011.2;transcript_id=ENST00000000011.2;protein_id=ENSP00000000111.2
chr2\tHAVANA\tgene\t5\t9\t.\t+\t.\tID=ENSG00000000002.1;gene_id=ENSG00000000002.1;gene_type=lncRNA;gene_name=ABC2
"""
GENE_INFO = (
    "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\tchromosome\tmap_location\tdescription\ttype_of_gene",
    "9606\t11\tABC1\t-\tCAR1\tEnsembl:ENSG00000000001\t1\t1p36\tinvented carrier 1\tprotein-coding",
    "10090\t99\tAbc1\t-\t-\t-\t1\t1 A1\tmouse carrier\tprotein-coding",
)
MANE = (
    "#NCBI_GeneID\tEnsembl_Gene\tsymbol\tRefSeq_nuc\tRefSeq_prot\tMANE_status",
    "GeneID:11\tENSG00000000001.3\tABC1\tNM_000001.4\tNP_000001.2\tMANE Select",
)


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

    async def test_the_sequence_is_fasta(self, bulk: MemoryBulk) -> None:
        bulk.load(uniprot.UNIPROT.formats[0], ENTRY.splitlines())
        reply = await asked(Reach(bulk), "protein_sequence")
        assert reply.records[0].source.text.endswith(
            ">sp|P00001|ABC1_HUMAN Invented carrier 1 OS=Homo sapiens OX=9606 GN=ABC1\nMKTAYIAKQRQI"
        )
        assert facts(reply)[0].value == 12

    async def test_a_recorded_entry_gives_the_same_kind_of_facts(self, bulk: MemoryBulk) -> None:
        entry = shared("data/tsa/api_captures/uniprot/get_p15056_20260812.json").read_text()
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P15056.json": entry}, release="2026_03")
        reply = await asked(Reach(bulk, web), "protein", "BRAF")
        assert "UniProt on BRAF, function: Protein kinase involved in the transduction of" in said(reply)
        assert "The canonical protein of BRAF has 766 amino acids." in said(reply)
        assert reply.records[0].source.release == "2026_03"

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
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P15056.json": None})
        reply = await asked(Reach(bulk, web), "protein", "BRAF")
        assert reply.note == "UniProt has no reviewed human entry of BRAF."

    async def test_another_protein_in_the_reply_is_refused(self, bulk: MemoryBulk) -> None:
        entry = shared("data/tsa/api_captures/uniprot/get_p15056_20260812.json").read_text()
        web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P00533.json": entry})
        with pytest.raises(ToolFailed, match="UniProt replied with BRAF, not with EGFR"):
            await asked(Reach(bulk, web), "protein", "EGFR")


class TestNcbiGene:
    SUMMARY = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi"
    PRODUCTS = "https://api.ncbi.nlm.nih.gov/datasets/v2/gene/id/11/product_report"

    async def test_files_give_kind_place_and_the_agreed_transcript(self, bulk: MemoryBulk) -> None:
        for form, lines in zip(ncbi_gene.NCBI_GENE.formats, (GENE_INFO, MANE), strict=True):
            assert bulk.load(form, lines).rows == 1
        reply = await asked(Reach(bulk), "gene_summary")
        assert said(reply) == (
            "NCBI Gene lists ABC1 as a protein-coding gene.\n"
            "The gene ABC1 lies at 1p36.\n"
            "The MANE Select transcript of ABC1 in RefSeq is NM_000001.4 with protein NP_000001.2."
        )
        assert Facts.model_validate(reply.data).missing == (
            "The summary by RefSeq was not asked for: files hold none, and the network is not used.",
        )

    async def test_replies_of_ncbi_give_summary_and_transcripts(self, bulk: MemoryBulk) -> None:
        summary = {"name": "ABC1", "maplocation": "1p36", "organism": {"taxid": 9606}}
        summary["summary"] = "Carries sodium. Mutations stop the heart. [provided by RefSeq, Jul 2020]."
        transcripts = [
            {"accession_version": "NM_000002.1", "protein": {"accession_version": "NP_000002.1"}},
            {
                "accession_version": "NM_000001.4",
                "select_category": "MANE_SELECT",
                "protein": {"accession_version": "NP_000001.2"},
            },
        ]
        products = {"reports": [{"product": {"symbol": "ABC1", "transcripts": transcripts}}]}
        web = RecordedWeb(
            {self.SUMMARY: json.dumps({"result": {"11": summary}}), self.PRODUCTS: json.dumps(products)}
        )
        reply = await asked(Reach(bulk, web), "gene_summary")
        assert said(reply) == (
            "The gene ABC1 lies at 1p36.\n"
            "RefSeq on ABC1: Carries sodium.\n"
            "RefSeq on ABC1: Mutations stop the heart.\n"
            "The MANE Select transcript of ABC1 in RefSeq is NM_000001.4 with protein NP_000001.2.\n"
            "RefSeq has 2 transcripts of ABC1."
        )

    async def test_where_ncbi_is_away_mygene_is_asked(self, bulk: MemoryBulk) -> None:
        recorded = shared("data/tsa/api_captures/mygene/get_egfr_20260811.json").read_text()
        web = RecordedWeb({"https://mygene.info/v3/query": recorded}, date="2026-08-11")
        reply = await asked(Reach(bulk, web), "gene_summary", "EGFR")
        assert "RefSeq on EGFR: Mutations in this gene are associated with lung cancer." in said(reply)
        assert "mygene.info" in reply.records[0].source.title

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


class TestEnsembl:
    LOOKUP = "https://rest.ensembl.org/lookup/id/ENSG00000000001"
    DOMAINS = "https://rest.ensembl.org/overlap/translation/ENSP00000000111"
    GENE: ClassVar[dict[str, Any]] = {
        "id": "ENSG00000000001",
        "display_name": "ABC1",
        "species": "homo_sapiens",
        "seq_region_name": "1",
        "start": 100,
        "end": 900,
        "strand": -1,
        "biotype": "protein_coding",
        "Transcript": [
            {"id": "ENST00000000012", "is_canonical": 0},
            {
                "id": "ENST00000000011",
                "is_canonical": 1,
                "Translation": {"id": "ENSP00000000111", "length": 12},
            },
        ],
    }
    SAID = (
        "The gene ABC1 lies on chromosome 1, 100 to 900, strand -.\n"
        "Ensembl lists ABC1 as a protein coding gene.\n"
        "The canonical transcript of ABC1 is ENST00000000011, with protein ENSP00000000111 of 12 amino acids."
    )

    async def test_a_gff_file_gives_place_and_canonical_transcript(self, bulk: MemoryBulk) -> None:
        loaded = bulk.load(ensembl.ENSEMBL.formats[0], GFF.splitlines())
        assert (loaded.rows, loaded.release) == (2, "49 (Ensembl 115)")
        reply = await asked(Reach(bulk), "gene_and_transcript")
        assert said(reply) == self.SAID.removesuffix(" of 12 amino acids.") + "."

    async def test_replies_give_the_same_and_domains(self, bulk: MemoryBulk) -> None:
        domains = [{"id": "PF00001", "description": "Carrier domain", "start": 2, "end": 9}]
        web = RecordedWeb({self.LOOKUP: json.dumps(self.GENE), self.DOMAINS: json.dumps(domains)})
        reply = await asked(Reach(bulk, web), "gene_and_transcript")
        assert said(reply) == (
            f"{self.SAID}\nBy Pfam, the protein of ABC1 has at residues 2 to 9: Carrier domain."
        )

    async def test_domains_that_do_not_come_are_told_and_cost_nothing_else(self, bulk: MemoryBulk) -> None:
        web = RecordedWeb({self.LOOKUP: json.dumps(self.GENE), self.DOMAINS: ToolFailed("Ensembl is away.")})
        reply = await asked(Reach(bulk, web), "gene_and_transcript")
        assert said(reply) == self.SAID
        assert reply.note == "Ensembl's domains of ABC1 are missing: Ensembl is away."

    async def test_the_target_file_of_open_targets_stands_in(self, bulk: MemoryBulk) -> None:
        row = {
            "id": "ENSG00000000001",
            "approvedSymbol": "ABC1",
            "approvedName": "carrier",
            "biotype": "protein_coding",
            "genomicLocation": {"chromosome": "1", "start": 100, "end": 900, "strand": -1},
            "canonicalTranscript": {"id": "ENST00000000011"},
        }
        bulk.load(open_targets.FORMATS[0], [json.dumps(row)], "26.03")
        reply = await asked(Reach(bulk), "gene_and_transcript")
        assert "The gene ABC1 lies on chromosome 1, 100 to 900, strand -." in said(reply)
        assert reply.records[0].source.title.startswith("Ensembl, as in Open Targets 26.03")

    @pytest.mark.parametrize(
        "change", [{"id": "ENSG00000000009"}, {"species": "mus_musculus"}, {"seq_region_name": ""}]
    )
    async def test_another_gene_is_refused(self, bulk: MemoryBulk, change: dict[str, str]) -> None:
        web = RecordedWeb({self.LOOKUP: json.dumps({**self.GENE, **change})})
        with pytest.raises(ToolFailed, match="Ensembl replied"):
            await asked(Reach(bulk, web), "gene_and_transcript")


@pytest.mark.parametrize("tool", ["protein", "protein_sequence", "gene_summary", "gene_and_transcript"])
async def test_what_was_not_asked_is_told_and_no_error(bulk: MemoryBulk, tool: str) -> None:
    reply = await asked(Reach(bulk), tool)
    assert reply.records == ()
    assert "was not asked: no file is loaded, and the network is not used." in reply.note
    assert Facts.model_validate(reply.data).missing
