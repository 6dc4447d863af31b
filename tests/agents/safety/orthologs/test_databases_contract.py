"""The port of databases with candidates: one contract for files and for the live ones on invented replies."""

import json
from collections.abc import Callable, Mapping, Sequence

import pytest

from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.registry import DATABASES
from agents.databases.target import Target
from agents.databases.targets import Targets
from agents.errors import ToolFailed, ToolRetry
from agents.safety.orthologs import live
from agents.safety.orthologs.databases import OrthologDatabase, gather
from agents.safety.orthologs.decisions import Decisions, read_decisions
from agents.safety.orthologs.live import live_databases
from agents.safety.orthologs.species import Species, species_named
from agents.safety.orthologs.tool import SelectArguments, orthologs_tool, selected
from agents.safety.orthologs.values import ProteinSequence
from tests.agents.databases.standing import assert_stands, read_or_refused, run, texts
from tests.agents.safety.orthologs.families import Family
from tests.support.recorded_web import RecordedWeb

FAMILY = Family(21, 240, 0.002, "GENE1")
TARGET = Target("GENE1", ensembl="ENSG00000000001", entrez="1", uniprot="P00001")
MOUSE, DOG, RAT = map(species_named, ("mouse", "dog", "rat"))
HUMAN = f">sp|P00001|GENE1_HUMAN Some enzyme 1 OS=Homo sapiens OX=9606 GN=GENE1\n{FAMILY.residues('human')}\n"
UNIPROT = (
    f">sp|P00002|GENE1_MOUSE Some enzyme 1 OS=Mus musculus OX=10090 GN=Gene1\n{FAMILY.residues('mouse')}\n"
)
ENSEMBL = {
    "data": [
        {
            "id": "ENSG00000000001",
            "homologies": [
                {
                    "type": "ortholog_one2one",
                    "target": {
                        "taxon_id": 10090,
                        "species": "mus_musculus",
                        "protein_id": "ENSMUSP00000000001",
                        "seq": FAMILY.residues("mouse"),
                    },
                },
                {"type": "within_species_paralog", "target": {"taxon_id": 10090, "protein_id": "P"}},
                {
                    "type": "ortholog_one2many",
                    "target": {"taxon_id": 9031, "protein_id": "ENSGALP00000000001", "seq": "MKV"},
                },
            ],
        }
    ]
}
ORTHOLOGS = {"reports": [{"gene": {"gene_id": "2", "tax_id": "10090"}}]}
PRODUCTS = {
    "reports": [
        {
            "product": {
                "gene_id": "2",
                "symbol": "Gene1",
                "transcripts": [
                    {"protein": {"accession_version": "XP_000002.1"}},
                    {"protein": {"accession_version": "NP_000001.2"}},
                    {"type": "NON_CODING"},
                ],
            }
        }
    ]
}
REFSEQ = f">NP_000001.2 some enzyme 1 [Mus musculus]\n{FAMILY.residues('mouse')}\n"
REPLIES: Mapping[str, str | ToolFailed | None] = {
    f"{live.UNIPROT}/P00001.fasta": HUMAN,
    f"{live.UNIPROT}/search": UNIPROT,
    f"{live.ENSEMBL}/id/human/ENSG00000000001": json.dumps(ENSEMBL),
    f"{live.DATASETS}/1/orthologs": json.dumps(ORTHOLOGS),
    f"{live.DATASETS}/2/product_report": json.dumps(PRODUCTS),
    live.EFETCH: REFSEQ,
}

Make = Callable[[Mapping[str, str | ToolFailed | None]], OrthologDatabase]


MAKES: dict[str, Make] = {
    "UniProt": lambda replies: live.UniProtOrthologs(RecordedWeb(replies)),
    "Ensembl": lambda replies: live.EnsemblOrthologs(RecordedWeb(replies)),
    "NCBI": lambda replies: live.NcbiOrthologs(RecordedWeb(replies)),
}
EACH = pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)


@EACH
def test_only_the_species_asked_for_are_given_with_residues_and_source(make: Make) -> None:
    found = run(make(REPLIES).candidates(TARGET, (MOUSE, DOG)))
    assert [one.residues for one in found] == [FAMILY.residues("mouse")]
    assert {one.species for one in found} == {MOUSE}
    assert run(make(REPLIES).candidates(TARGET, (DOG,))) == ()


@EACH
def test_a_database_without_the_target_gives_nothing(make: Make) -> None:
    other = Target("GENE7", ensembl="ENSG00000000007", entrez="7", uniprot="P00007")
    replies = dict.fromkeys(
        (*REPLIES, f"{live.ENSEMBL}/id/human/{other.ensembl}", f"{live.DATASETS}/7/orthologs")
    )
    assert run(make(replies).candidates(other, (MOUSE,))) == ()


@EACH
@pytest.mark.parametrize("reply", ["<html>busy</html>", '{"data": 3}', "[]", ToolFailed("It is down.")])
def test_garbage_and_failures_are_sentences(make: Make, reply: str | ToolFailed) -> None:
    replies = dict.fromkeys(REPLIES, reply)
    read_or_refused(lambda: run(make(replies).candidates(TARGET, (MOUSE,))))


def test_curated_proteins_of_ncbi_come_with_the_genes_symbol() -> None:
    (one,) = run(live.NcbiOrthologs(RecordedWeb(REPLIES)).candidates(TARGET, (MOUSE,)))
    assert (one.accession, one.gene, one.reviewed) == ("NP_000001.2", "Gene1", True)
    with pytest.raises(ToolFailed, match="no NCBI Gene id of GENE1"):
        run(live.NcbiOrthologs(RecordedWeb(REPLIES)).candidates(Target("GENE1"), (MOUSE,)))


def test_a_database_that_fails_is_missing_and_the_others_are_searched() -> None:
    replies = {**REPLIES, f"{live.ENSEMBL}/id/human/ENSG00000000001": ToolFailed("Ensembl is down.")}
    found = run(gather(live_databases(RecordedWeb(replies)), TARGET, (MOUSE, DOG)))
    assert found.missing == ("Ensembl is down.",)
    assert found.searched == ("UniProt", "NCBI RefSeq")
    assert len(found.sequences) == 2


def test_every_database_that_is_asked_for_candidates_is_a_listed_source() -> None:
    asked = set()

    class Noting(RecordedWeb):
        async def fetch(self, request: WebRequest) -> WebReply | None:
            asked.add(request.source)
            return await super().fetch(request)

    run(gather(live_databases(Noting(REPLIES)), TARGET, (MOUSE,)))
    assert len(asked) == 3
    assert asked <= {one.name for one in DATABASES if one.live}


def test_no_database_at_all_is_an_error_in_a_sentence() -> None:
    failing = live_databases(RecordedWeb(dict.fromkeys(REPLIES, ToolFailed("Down."))))
    with pytest.raises(ToolFailed, match="Down"):
        run(selected(failing, TARGET, [FAMILY.entry("human")], Decisions((MOUSE,))))


def test_the_tool_tells_identities_and_exclusions_on_its_record() -> None:
    web = RecordedWeb({**REPLIES, "https://mygene.info/v3/query": json.dumps(MYGENE)})
    reach = Reach(MemoryBulk(), web)
    tool = orthologs_tool(reach, Targets(reach))
    told = run(tool(SelectArguments(target="GENE1", species=("mouse", "dog"))))
    assert told.data is not None
    (mouse,) = [one for one in told.data["facts"] if one["value"]]  # type: ignore[index, union-attr, call-overload]
    assert (mouse["species"], mouse["unit"], mouse["measure"]) == ("mouse", "%", "sequence identity")
    assert "No GENE1 sequence of the dog is taken" in str(told.data["facts"])


MYGENE = {
    "hits": [
        {
            "symbol": "GENE1",
            "taxid": 9606,
            "entrezgene": "1",
            "ensembl": {"gene": "ENSG00000000001"},
            "uniprot": {"Swiss-Prot": "P00001"},
            "type_of_gene": "protein-coding",
        }
    ]
}


def test_without_the_network_the_tool_says_so() -> None:
    bulk = MemoryBulk()
    known = Reach(bulk, RecordedWeb({"https://mygene.info/v3/query": json.dumps(MYGENE)}))
    tool = orthologs_tool(Reach(bulk), Targets(known))
    told = run(tool(SelectArguments(target="GENE1")))
    assert told.data is not None
    assert "not used" in str(told.data["missing"])


class Files:
    """A database that gives the same sequences whatever is asked."""

    title = "f"

    def __init__(self, entries: list[ProteinSequence]) -> None:
        self.entries = entries

    async def candidates(self, target: Target, species: Sequence[Species]) -> tuple[ProteinSequence, ...]:
        return tuple(self.entries)


def test_every_fact_stands_on_its_record() -> None:
    files = Files([FAMILY.entry("mouse"), FAMILY.entry("dog", residues=FAMILY.residues("dog")[:90])])
    told = run(selected([files], TARGET, [FAMILY.entry("human")], Decisions((MOUSE, DOG, RAT))))
    assert_stands(told)
    assert any("No GENE1 sequence of the rat is taken" in text for text in texts(told))
    assert any("90 residues, 62.5 % fewer" in text for text in texts(told))


def test_a_choice_of_another_form_is_sent_back() -> None:
    web = RecordedWeb({**REPLIES, "https://mygene.info/v3/query": json.dumps(MYGENE)})
    reach = Reach(MemoryBulk(), web)
    with pytest.raises(ToolRetry, match="SPECIES=ACCESSION"):
        run(orthologs_tool(reach, Targets(reach))(SelectArguments(target="GENE1", choose=("dog",))))


def test_species_are_read_in_any_form() -> None:
    given = [FAMILY.entry("cat"), FAMILY.entry("human")]
    assert [one.common for one in read_decisions(["all"], (), (), given).species] == ["cat"]
    asked = read_decisions(["dog, Mus musculus", "rat"], ["cat=C1"], ["rabbit"])
    assert [one.common for one in asked.species] == ["dog", "mouse", "rat", "cat", "rabbit"]
