"""Gene Ontology and Reactome: sets, annotations in UniProt, and pathways over the network."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.gene_ontology import GO, Annotation, gene_functions
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.reactome import API as CONTENT
from agents.databases.reactome import REACTOME, listed_pathways, pathways
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb

GENE = Target("GENE7", uniprot="P00007", previous=("OLD7",))
SETS = (
    "positive regulation of heart rate (GO:0010460)\t\tGENE7,1.0\tGENE8\n"
    "signal transduction (GO:0007165)\t\tGENE7\tGENE8\tGENE9\n"
)
GMT = "Broad, and wide\tR-HSA-2\tOLD7\tGENE8\tGENE9\nNarrow\tR-HSA-1\tOLD7\n"


def test_the_terms_of_a_gene_are_told_the_narrowest_first() -> None:
    bulk = loaded(format_of(GO, "GO_Biological_Process.gmt"), SETS, "Biological Process 2021")
    told = run(gene_functions(Reach(bulk), GENE))
    assert_stands(told)
    assert texts(told) == [
        "Gene Ontology Biological Process 2021 lists 2 terms of GENE7: positive regulation of heart rate; "
        "signal transduction.",
        "Gene Ontology Biological Process 2021 lists GENE7 under the term “positive regulation of heart "
        "rate” "
        "(GO:0010460).",
        "Gene Ontology Biological Process 2021 lists GENE7 under the term “signal transduction” "
        "(GO:0007165).",
    ]
    assert told.missing == (
        "The gene sets of the Gene Ontology do not say on which evidence an entry rests.",
    )


def test_without_files_the_terms_of_uniprot_are_told() -> None:
    entry = (
        "ID   GENE7_HUMAN  Reviewed;  12 AA.\nAC   P00007;\nGN   Name=GENE7;\nOX   NCBI_TaxID=9606;\n"
        "DR   GO; GO:0005886; C:plasma membrane; TAS:Reactome.\n"
        "DR   GO; GO:0010460; P:positive regulation of heart rate; IDA:UniProtKB.\n//\n"
    )
    web = RecordedWeb({"https://rest.uniprot.org/uniprotkb/P00007.txt": entry}, release="2026_03")
    told = run(gene_functions(Reach(MemoryBulk(), web), GENE))
    assert_stands(told)
    assert texts(told)[1] == (
        "By the Gene Ontology in UniProt 2026_03, GENE7 is involved in positive regulation of heart rate "
        "(GO:0010460; evidence: experiment, IDA)."
    )
    assert [fact.topic for fact in told.facts] == ["function", "function", "location"]


def test_pathways_under_a_former_symbol_are_found_and_said_so() -> None:
    bulk = loaded(format_of(REACTOME, "ReactomePathways.gmt"), GMT, "2022")
    told = run(pathways(Reach(bulk), GENE))
    assert_stands(told)
    assert texts(told)[0] == "Reactome 2022 lists 2 pathways of GENE7: Narrow; Broad, and wide."
    assert "GENE7 is listed under its former symbol OLD7" in told.records[0].text
    assert run(pathways(Reach(bulk), Target("GENE10"))).missing == ("Reactome lists no pathway of GENE10.",)


def test_pathways_of_mutants_and_germs_come_after_normal_function() -> None:
    gmt = "Drug resistance of GENE7 mutants\tR-HSA-1\tGENE7\nWide\tR-HSA-2\tGENE7\tGENE8\n"
    told = run(pathways(Reach(loaded(format_of(REACTOME, "ReactomePathways.gmt"), gmt)), GENE))
    assert [fact.term for fact in told.facts][1:] == ["Wide", "Drug resistance of GENE7 mutants"]


def test_live_pathways() -> None:
    found = [{"stId": "R-HSA-1", "displayName": "Narrow", "speciesName": "Homo sapiens"}]
    web = RecordedWeb({f"{CONTENT}/mapping/UniProt/P00007/pathways": json.dumps(found)}, date="2026-08-11")
    told = run(pathways(Reach(MemoryBulk(), web), GENE))
    assert_stands(told)
    assert texts(told)[-1] == "Reactome (2026-08-11) lists GENE7 under the pathway “Narrow” (R-HSA-1)."


def test_live_a_protein_without_pathways_is_a_note() -> None:
    web = RecordedWeb({f"{CONTENT}/mapping/UniProt/P00007/pathways": None})
    assert run(pathways(Reach(MemoryBulk(), web), GENE)).missing == ("Reactome lists no pathway of GENE7.",)


def test_another_form_is_refused() -> None:
    with pytest.raises(ToolFailed, match="no list of pathways"):
        listed_pathways({"error": "x"})
    with pytest.raises(ToolFailed, match="no human pathway"):
        listed_pathways([{"stId": "R-MMU-1", "displayName": "x", "speciesName": "Mus musculus"}])


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["results", "numberOfHits", "geneProductId", "goId", "id", "stId"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(lambda: listed_pathways(value))


def test_evidence_is_ranked_experiments_first() -> None:
    codes = ("IDA", "TAS", "IBA", "IEA")
    assert [Annotation("GO:1", "x", "", code).group for code in codes] == [0, 1, 2, 3]
