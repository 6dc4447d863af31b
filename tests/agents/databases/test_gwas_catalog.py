"""GWAS Catalog: significant traits from the table of 2015 and from later ones, and over the network."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.associations import FAR, STRENGTH
from agents.databases.gwas_catalog import API, GWAS, common_variant_traits, from_row, is_far, read_page
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from agents.safety.endpoints.mapping import effects_of
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

GENE = Target("GENE7", previous=("OLD7",))
HEADER = (
    "DATE ADDED TO CATALOG\tPUBMEDID\tDISEASE/TRAIT\tREPORTED GENE(S)\tMAPPED_GENE\tUPSTREAM_GENE_DISTANCE"
    "\tDOWNSTREAM_GENE_DISTANCE\tSNPS\tP-VALUE\tPVALUE_MLOG\tP-VALUE (TEXT)\tOR or BETA\t95% CI "
    "(TEXT)\tMAPPED_TRAIT\tMAPPED_TRAIT_URI"
)
URI = "http://www.ebi.ac.uk/efo/EFO_0000001"


def row(
    mapped: str = "GENE7",
    p: str = "1E-31",
    strength: str = "31.0",
    trait: str = "QT interval",
    reported: str = "NR",
    snp: str = "rs1",
    uri: str = URI,
    said: str = "",
    remark: str = "",
) -> str:
    return (
        f"\t111\t{said or trait}\t{reported}\t{mapped}\t900\t50\t{snp}\t{p}\t{strength}\t{remark}"
        f"\t1.5\t[1-2]\t{trait}\t{uri}"
    )


def table(*rows: str) -> MemoryBulk:
    return loaded(format_of(GWAS, "gwas_catalog_associations.tsv"), "\n".join((HEADER, *rows)), "2015-06-08")


def told_of(*rows: str, target: Target = GENE):
    return run(common_variant_traits(Reach(table(*rows)), target))


def test_only_genome_wide_significance_counts_and_the_strongest_variant_stands_for_a_trait() -> None:
    told = told_of(
        row(p="2E-9", strength="8.7", snp="rs2"),
        row(),
        row(trait="asthma", p="6E-8", strength="7.22"),
        row(trait="gout", p="5E-8", strength="7.301029995663981"),
    )
    assert_stands(told)
    assert texts(told) == [
        "The GWAS Catalog 2015-06-08 ties 2 traits to common variants at GENE7 at genome-wide significance "
        "(p at most 5E-8): QT interval and gout.",
        "In the GWAS Catalog 2015-06-08, QT interval is tied to rs1, a variant at GENE7 (p = 1E-31, PMID "
        "111).",
        "In the GWAS Catalog 2015-06-08, gout is tied to rs1, a variant at GENE7 (p = 5E-8, PMID 111).",
    ]
    assert "Further traits, below that significance: 1" in told.records[0].text


def test_a_variant_between_genes_and_one_that_authors_name_are_said_so() -> None:
    between, named = told_of(
        row(mapped="GENE7 - GENE8"),
        row(mapped="GENE9", reported="GENE7", trait="gout", p="1E-9", strength="9"),
    ).facts[1:]
    assert [one.measure == FAR for one in (between, named)] == [False, True]
    assert "a variant between GENE7 and GENE8, 900 bases from GENE7" in between.text
    assert "a variant for which the authors name GENE7, mapped to GENE9" in named.text


def test_a_variant_far_off_or_mapped_to_another_gene_is_none_of_the_gene() -> None:
    assert is_far("between GENE7 and GENE8, 83992 bases from GENE7")
    assert not is_far("between GENE7 and GENE8, 8292 bases from GENE7")
    assert not is_far("at GENE7")
    (told,) = told_of(row(mapped="GENE9", reported="GENE7", trait="rheumatoid arthritis")).facts[1:]
    assert effects_of(told) == ()
    assert effects_of(told.model_copy(update={"measure": STRENGTH}))


def test_of_equally_strong_variants_the_one_at_the_gene_is_told() -> None:
    told = told_of(row(mapped="GENE6 - GENE7", snp="rs0"), row(snp="rs5"))
    assert "rs5, a variant at GENE7" in texts(told)[1]


def test_a_hit_that_is_copied_to_every_trait_of_a_study_is_told_once_as_the_study_reports_it() -> None:
    traits = ("hemoglobin measurement", "high density lipoprotein cholesterol measurement", "hematocrit")
    copies = [row(trait=one, said="Hematological and biochemical traits", remark="(HDL)") for one in traits]
    (_, fact) = told_of(*copies).facts
    assert fact.term == "Hematological and biochemical traits (HDL)"


def test_a_p_value_is_read_as_it_is_written() -> None:
    (_, fact) = told_of(row(p="7E-380", strength="Infinity")).facts
    assert (fact.measure, fact.value) == (STRENGTH, 379.2)
    assert "-log10(p) = 379.2" in fact.quotes[0]


def test_a_p_value_too_small_for_a_float_keeps_its_place() -> None:
    told = told_of(row(p="1E-500", strength="500", trait="gout"), row())
    assert [fact.term for fact in told.facts[1:]] == ["gout", "QT interval"]


def test_nothing_and_nothing_significant_are_said_apart() -> None:
    assert told_of(row(), target=Target("GENE8")).missing == (
        "The GWAS Catalog holds no association with GENE8.",
    )
    assert "none of them at genome-wide significance" in told_of(row(p="1E-6", strength="6")).missing[0]


def test_the_genes_of_an_interaction_are_told_apart() -> None:
    assert told_of(row(mapped="GENE9 x GENE7")).facts


def test_a_former_symbol_is_found() -> None:
    assert told_of(row(mapped="OLD7")).facts


def association(**more: object) -> dict[str, object]:
    return {
        "pvalue_mantissa": 3,
        "pvalue_exponent": -1315,
        "efo_traits": [{"efo_id": "MONDO_1", "efo_trait": "diabetes"}],
        "reported_trait": ["Type 2 diabetes"],
        "mapped_genes": ["GENE7"],
        "pubmed_id": "222",
        "snp_allele": [{"rs_id": "rs9"}],
        **more,
    }


def page(*found: dict[str, object], total: int | None = None) -> str:
    count = len(found) if total is None else total
    return json.dumps({"_embedded": {"associations": found}, "page": {"totalElements": count}})


def test_live_associations_are_told_with_what_was_not_read() -> None:
    web = RecordedWeb({API: page(association(), total=3000)}, date="2026-08-12")
    told = run(common_variant_traits(Reach(MemoryBulk(), web), GENE))
    assert_stands(told)
    assert texts(told)[1] == (
        "In the GWAS Catalog (2026-08-12), Type 2 diabetes is tied to rs9, a variant at GENE7 (p = "
        "3E-1315, PMID 222)."
    )
    assert told.missing == (
        "Of 3000 associations with GENE7 in the GWAS Catalog, the strongest 5 were read.",
    )


def test_live_another_gene_or_form_is_refused() -> None:
    for reply, why in (
        (page(association(mapped_genes=["GENE8"])), "GENE8, not with GENE7"),
        (page({"pvalue": "8e-12"}), "no mapped genes"),
        ("[]", "no associations"),
    ):
        with pytest.raises(ToolFailed, match=why):
            run(common_variant_traits(Reach(MemoryBulk(), RecordedWeb({API: reply})), GENE))


def test_live_nothing_found_is_a_note() -> None:
    web = RecordedWeb({API: json.dumps({"page": {"totalElements": 0}})})
    assert run(common_variant_traits(Reach(MemoryBulk(), web), GENE)).missing == (
        "The GWAS Catalog holds no association with GENE7.",
    )


@given(
    st.recursive(
        st.none() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["_embedded", "associations", "page", "mapped_genes", "pvalue_mantissa", "efo_traits"]
                ),
                inner,
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(lambda: read_page(value, GENE))


@given(st.dictionaries(st.sampled_from(HEADER.split("\t")), st.text()))
def test_garbled_rows_give_associations_or_none(cells: dict[str, str]) -> None:
    made = from_row(cells, GENE)
    assert made is None or made.trait


@pytest.mark.service("shared")
def test_the_recorded_associations_of_tcf7l2() -> None:
    folder = shared("data/tsa/api_captures/gwas")
    reply = (folder / "associations_gene_tcf7l2_v2_20260812.json").read_text()
    web = RecordedWeb({API: reply}, date="2026-08-12")
    told = run(common_variant_traits(Reach(MemoryBulk(), web), Target("TCF7L2")))
    assert_stands(told)
    assert "Type 2 diabetes is tied to rs7903146, a variant at TCF7L2 (p = 3E-1315" in texts(told)[1]
    empty = json.loads((folder / "associations_empty.json").read_text())
    assert read_page(empty, GENE) == ([], 0, 0)


@pytest.mark.service("shared")
def test_the_present_form_of_the_catalog_is_read() -> None:
    text = shared("data/tsa/gwas/gentropy_gwas_catalog_associations.tsv").read_text()
    bulk = loaded(format_of(GWAS, "gwas_catalog_associations.tsv"), text, "")
    told = run(common_variant_traits(Reach(bulk), Target("ALOX15")))
    assert_stands(told)
    assert texts(told)[1] == (
        "In the GWAS Catalog, Eosinophil percentage of white cells is tied to rs34210653, a variant at "
        "ALOX15 (p = 6E-40, PMID 27863252)."
    )


@pytest.mark.service("shared")
def test_the_catalog_of_2015_ties_the_qt_interval_to_atp1b1() -> None:
    path = shared("data/tsa/gwas/gwas_catalog_v1.0.1-downloaded_2015-06-08.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
        bulk = loaded(format_of(GWAS, "gwas_catalog_associations.tsv"), lines.read(), "2015-06-08")
    told = run(common_variant_traits(Reach(bulk), Target("ATP1B1")))
    assert_stands(told)
    assert texts(told)[1] == (
        "In the GWAS Catalog 2015-06-08, QT interval is tied to rs10919070, a variant at ATP1B1 (p = "
        "1E-31, PMID "
        "24952745)."
    )
