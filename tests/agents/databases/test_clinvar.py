"""ClinVar: the gene-disease table in both forms, and pathogenic variants over the network."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.change import change_in
from agents.databases.clinvar import CLINVAR, UNCERTAIN, rare_variant_diseases, undotted
from agents.databases.clinvar_live import EUTILS, found_ids, summaries
from agents.databases.memory import MemoryBulk, RecordedWeb
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts

DOTTED = (
    "GeneSymbol\tEntrezID\tMedGenID\tPhenotype\tGrouped\n"
    "GENE7\t7\tC0000007\tLong.QT.syndrome\tLong.QT.syndrome\n"
    'GENE7\t7\tC0000008\t"Deafness,.autosomal.recessive.12"\tdeafness\n'
    "GENE7\t7\tCN169374\tnot.specified\tnot.specified\n"
    "GENE7\t99\tC0000009\tGout\tGout\n"
)
NCBI = (
    "#GeneID\tAssociatedGenes\tRelatedGenes\tConceptID\tDiseaseName\tSourceName\tSourceID\tDiseaseMIM\tLastUpdated\n"
    "7\tGENE7\t\tC0000007\tLong QT syndrome\tx\ty\t\t20 Nov 2020\n"
    "7\t\tGENE7\tC0000010\tHigh blood pressure\tx\ty\t\t20 Nov 2020\n"
)
GENE = Target("GENE7", entrez="7")


@pytest.mark.parametrize(
    ("dotted", "plain"),
    [
        ("22q13.3.deletion.syndrome", "22q13.3 deletion syndrome"),
        ("Deafness,.autosomal.recessive.12", "Deafness, autosomal recessive 12"),
        ("21-hydroxylase.deficiency", "21-hydroxylase deficiency"),
        ("", ""),
    ],
)
def test_dots_that_stand_for_blanks_become_blanks(dotted: str, plain: str) -> None:
    assert undotted(dotted) == plain


def test_each_disease_is_a_fact_and_no_disease_is_none() -> None:
    bulk = loaded(format_of(CLINVAR, "clinvar_genes_phenos.txt"), DOTTED, "2015")
    told = run(rare_variant_diseases(Reach(bulk), GENE))
    assert_stands(told)
    assert texts(told) == [
        "ClinVar 2015 ties variants of GENE7 to 2 diseases or traits.",
        "ClinVar 2015 ties variants of GENE7 to: Deafness, autosomal recessive 12 (MedGen C0000008; by its "
        "name, read as one of loss of function).",
        "ClinVar 2015 ties variants of GENE7 to: Long QT syndrome (MedGen C0000007).",
    ]
    assert "says neither what the variants do" in told.missing[0]


def test_the_change_of_the_gene_is_read_from_a_name_that_says_it() -> None:
    assert change_in("Deafness, autosomal recessive 12") == "loss"
    assert change_in("Activated PI3K-delta syndrome") == "gain"
    assert change_in("Thyroid adenoma, hyperfunctioning, somatic") == "gain"
    assert change_in("Hypercholesterolemia, autosomal dominant, 3") == ""


def test_the_deficiency_of_the_genes_own_product_is_its_loss() -> None:
    names = ("Zorbin", "ZORB1")
    assert change_in("Zorbin deficiency, late onset", names) == change_in("ZORB1 deficiency", names) == "loss"
    assert change_in("Vitamin B12 deficiency", names) == change_in("Zorbin deficiency") == ""


def test_a_name_that_stands_for_several_ids_is_told_and_not_asserted() -> None:
    wrong = "".join(f"GENE{one}\t{one}\tC000002{one}\tWrong.name\tx\n" for one in (7, 8, 9))
    bulk = loaded(format_of(CLINVAR, "clinvar_genes_phenos.txt"), DOTTED + wrong)
    told = run(rare_variant_diseases(Reach(bulk), GENE))
    assert_stands(told)
    (fact,) = [one for one in told.facts if one.measure == UNCERTAIN]
    assert (fact.term, fact.id) == ("", "MedGen:C0000027")
    assert "3 different ids (“Wrong name”): which disease is meant is not certain" in fact.text


def test_the_table_of_ncbi_is_read() -> None:
    bulk = loaded(format_of(CLINVAR, "gene_condition_source_id"), NCBI)
    told = run(rare_variant_diseases(Reach(bulk), GENE))
    assert {fact.term for fact in told.facts} == {"", "Long QT syndrome", "High blood pressure"}


def test_a_gene_without_diseases_is_said_so() -> None:
    bulk = loaded(format_of(CLINVAR, "clinvar_genes_phenos.txt"), DOTTED)
    told = run(rare_variant_diseases(Reach(bulk), Target("GENE8")))
    assert told.missing == ("The loaded table of ClinVar ties no disease to GENE8.",)


def summary(uid: str, symbol: str = "GENE7", disease: str = "Long QT syndrome") -> dict[str, object]:
    return {
        "uid": uid,
        "accession": f"VCV{uid}",
        "title": "NM_1.1(GENE7):c.1A>G (p.Met1Val)",
        "genes": [{"symbol": symbol}],
        "germline_classification": {
            "description": "Pathogenic",
            "review_status": "reviewed by expert panel",
            "trait_set": [{"trait_name": disease}, {"trait_name": "not provided"}],
        },
        "molecular_consequence_list": ["start lost"],
    }


def live(*found: dict[str, object], count: str = "2") -> RecordedWeb:
    ids = [str(one["uid"]) for one in found]
    result = {"uids": ids, **{str(one["uid"]): one for one in found}}
    return RecordedWeb(
        {
            f"{EUTILS}/esearch.fcgi": json.dumps({"esearchresult": {"count": count, "idlist": ids}}),
            f"{EUTILS}/esummary.fcgi": json.dumps({"result": result}),
        },
        date="2026-08-11",
    )


def test_live_variants_are_counted_by_disease() -> None:
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(summary("1"), summary("2"))), GENE))
    assert_stands(told)
    assert texts(told) == [
        "ClinVar (2026-08-11) holds 2 pathogenic or likely pathogenic variants of GENE7.",
        "ClinVar (2026-08-11) ties 2 variants of GENE7 to Long QT syndrome (truncating ones among "
        "them: 0, example: VCV1 (Pathogenic)).",
    ]


def test_live_a_disease_of_truncating_variants_is_one_of_loss() -> None:
    cut = {"molecular_consequence_list": ["nonsense"]}
    found = (summary("1"), summary("2") | cut, summary("3", disease="Gout"))
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(*found, count="3")), GENE))
    assert_stands(told)
    assert {fact.term: fact.change for fact in told.facts if fact.term} == {
        "Long QT syndrome": "loss",
        "Gout": "",
    }


def test_live_what_was_not_read_is_said() -> None:
    web = live(summary("1"), count="512")
    told = run(rare_variant_diseases(Reach(MemoryBulk(), web), GENE))
    assert told.missing == ("Of 512 pathogenic variants of GENE7 in ClinVar, the first 1 were read.",)


def test_live_variants_of_other_genes_are_refused() -> None:
    with pytest.raises(ToolFailed, match="variants of other genes, not with GENE7"):
        run(rare_variant_diseases(Reach(MemoryBulk(), live(summary("1", symbol="GENE8"))), GENE))


def test_live_nothing_found_is_a_note() -> None:
    told = run(rare_variant_diseases(Reach(MemoryBulk(), live(count="0")), GENE))
    assert told.missing == ("ClinVar has no pathogenic variant of GENE7.",)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["result", "uids", "esearchresult", "idlist", "count", "1"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    for read in (found_ids, summaries):
        read_or_refused(partial(read, value))
