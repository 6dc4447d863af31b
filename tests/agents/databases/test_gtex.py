"""GTEx: the profile of a gene from both bulk forms and from the network."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.expression import Profile
from agents.databases.gtex import API, GTEX, gencode_id, gtex_tool, medians, tissue_expression
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments
from agents.databases.targets import Targets
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

TISSUES = "Brain - Cortex\tBrain - Cerebellum\tHeart - Left Ventricle\tLiver\tLung\tKidney - Cortex\tTestis"
MEANS = f"GeneID\t{TISSUES}\n7\t3.0000\t1.5000\t0.0000\t0.2500\t2.0049\t0.0000\t0.9999\n"
GCT = (
    "#1.2\n1\t7\n"
    f"Name\tDescription\t{TISSUES}\n"
    "ENSG00000000007.4\tGENE7\t7.0\t3.0\t0.0\t0.25\t1.0\t0.0\t0.5\n"
)
GENE = Target("GENE7", entrez="7", ensembl="ENSG00000000007")


def means(text: str = MEANS) -> MemoryBulk:
    return loaded(format_of(GTEX, "expression-SMTSD.tsv"), text, "v4")


def test_the_highest_tissue_of_each_organ_comes_first_and_tau_counts_organs() -> None:
    told = run(tissue_expression(Reach(means()), GENE))
    assert_stands(told)
    highest, reached, tau, vital = texts(told)[:4]
    assert highest == (
        "In GTEx v4, the expression of GENE7 is highest in Brain - Cortex (3.00) and Lung (2.00) "
        "(mean expression, log2(1 + RPKM); highest tissue of each organ)."
    )
    assert reached == "In GTEx v4, GENE7 reaches 1.00 log2(1 + RPKM) in 3 of 7 tissues."
    values = [3.0, 2.0049, 0.9999, 0.25, 0.0, 0.0]
    expected = sum(1 - value / 3.0 for value in values) / 5
    assert (
        tau == "In GTEx v4, the expression of GENE7 is moderately specific "
        f"(index tau {expected:.2f} over 6 organs)."
    )
    assert "0.00 in Heart - Left Ventricle" in vital


def test_a_tissue_without_expression_is_told_only_where_the_organ_is_vital() -> None:
    told = run(tissue_expression(Reach(means()), GENE))
    terms = {fact.term: fact.value for fact in told.facts if fact.term}
    assert terms["Liver"] == 0.25
    assert "Testis" not in terms
    assert "In GTEx v4, the mean expression of GENE7 in Liver is 0.25 log2(1 + RPKM), below 1.00." in texts(
        told
    )


def test_the_portals_file_is_told_in_tpm() -> None:
    bulk = loaded(format_of(GTEX, "gene_median_tpm.gct"), GCT, "v8")
    told = run(tissue_expression(Reach(bulk), GENE))
    assert_stands(told)
    assert "In GTEx v8, the median expression of GENE7 in Brain - Cortex is 7.00 TPM." in texts(told)


def test_a_gene_that_only_cultured_cells_express_is_highest_in_no_organ() -> None:
    cells = means(f"GeneID\t{TISSUES}\tCells - Transformed fibroblasts\n7" + "\t0.1" * 7 + "\t4.0\n")
    told = run(tissue_expression(Reach(cells), GENE))
    assert not any("is highest in" in one for one in texts(told))
    assert "GENE7 is below 1.00 log2(1 + RPKM) in each of the 7 tissues of GTEx v4." in texts(told)


def test_a_gene_that_is_expressed_nowhere_is_said_so() -> None:
    told = run(
        tissue_expression(
            Reach(means(MEANS.replace("3.0000", "0").replace("1.5000", "0").replace("2.0049", "0"))), GENE
        )
    )
    assert_stands(told)
    assert texts(told)[0] == "GENE7 is below 1.00 log2(1 + RPKM) in each of the 7 tissues of GTEx v4."


def test_a_gene_without_a_row_is_a_note_and_no_error() -> None:
    told = run(tissue_expression(Reach(means()), Target("OTHER", entrez="8")))
    assert (told.records, told.missing) == ((), ("The loaded file of GTEx has no row of OTHER.",))


def test_another_gene_is_not_told_under_an_alias() -> None:
    reach = Reach(loaded(format_of(GTEX, "gene_median_tpm.gct"), GCT, "v8"))
    assert run(tissue_expression(reach, Target("GENE7"))).records
    assert run(tissue_expression(reach, Target("OTHER", aliases=("GENE7",)))).records == ()


def test_a_gene_whose_number_nobody_tells_may_have_a_row() -> None:
    (missing,) = run(tissue_expression(Reach(means()), Target("OTHER"))).missing
    assert "no loaded file tells the NCBI gene id of OTHER" in missing


def test_the_row_of_another_gene_is_refused() -> None:
    with pytest.raises(ToolFailed, match="NCBI Gene 7, not with OTHER"):
        run(tissue_expression(Reach(means(MEANS)), Target("OTHER", entrez="8", ensembl="7")))


def test_a_table_without_tissues_is_refused() -> None:
    bulk = loaded(format_of(GTEX, "expression-SMTSD.tsv"), "GeneID\tLiver\tcolour\n7\t1.0\tred\n")
    with pytest.raises(ToolFailed, match="1 tissues only"):
        run(tissue_expression(Reach(bulk), GENE))


def test_nothing_loaded_and_no_network_is_said() -> None:
    told = run(tissue_expression(Reach(MemoryBulk()), GENE))
    assert "was not asked" in told.missing[0]


def live(gene: object, expression: object) -> RecordedWeb:
    return RecordedWeb(
        {
            f"{API}/reference/gene": json.dumps(gene),
            f"{API}/expression/medianGeneExpression": json.dumps(expression),
        },
        date="2026-08-11",
    )


FOUND = {"data": [{"gencodeId": "ENSG00000000007.12"}]}
SITES = ("Brain_Cortex", "Liver", "Lung", "Testis", "Heart_Left_Ventricle")
MEDIANS = {"data": [{"median": place * 1.5, "tissueSiteDetailId": site} for place, site in enumerate(SITES)]}


def test_live_medians_are_told_in_tpm_with_the_release_of_the_data_set() -> None:
    web = live(FOUND, MEDIANS)
    told = run(tissue_expression(Reach(MemoryBulk(), web), GENE))
    assert_stands(told)
    assert web.asked[1].params[0] == ("gencodeId", "ENSG00000000007.12")
    assert "In GTEx v8, the median expression of GENE7 in Heart - Left Ventricle is 6.00 TPM." in texts(told)


def test_live_another_gene_unit_or_form_is_refused() -> None:
    other = {"data": [{"gencodeId": "ENSG00000000008.1"}]}
    with pytest.raises(ToolFailed, match=r"ENSG00000000008\.1, not with GENE7"):
        run(tissue_expression(Reach(MemoryBulk(), live(other, MEDIANS)), GENE))
    with pytest.raises(ToolFailed, match="no list `data`"):
        run(tissue_expression(Reach(MemoryBulk(), live(FOUND, {"genes": []})), GENE))
    counts = {"data": [{"median": 1, "tissueSiteDetailId": "Liver", "unit": "counts"}]}
    with pytest.raises(ToolFailed, match="unit counts"):
        run(tissue_expression(Reach(MemoryBulk(), live(FOUND, counts)), GENE))


def test_live_an_unknown_gene_is_a_note() -> None:
    told = run(tissue_expression(Reach(MemoryBulk(), live({"data": []}, MEDIANS)), GENE))
    assert told.missing == ("GTEx knows no gene ENSG00000000007.",)


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=2, max_size=60))
def test_tau_is_between_0_and_1(levels: list[float]) -> None:
    values = tuple((f"T{place}", level) for place, level in enumerate(levels))
    tau = Profile("G", values, "mean", "TPM", logarithms=False).tau
    assert tau is None or (math.isfinite(tau) and -1e-9 <= tau <= 1 + 1e-9)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["data", "median", "tissueSiteDetailId", "gencodeId"]), inner)
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(lambda: gencode_id(value, GENE))
    read_or_refused(lambda: medians(value, "ENSG00000000007.1", GENE))


@pytest.mark.service("shared")
def test_recorded_replies_are_read() -> None:
    folder = shared("data/tsa/api_captures/gtex")
    braf = Target("BRAF", ensembl="ENSG00000157764")
    for name in ("gene_search_braf.json", "gene_search_fallback.json"):
        assert gencode_id(json.loads((folder / name).read_text()), braf) == "ENSG00000157764.12"
    assert gencode_id(json.loads((folder / "gene_search_empty.json").read_text()), braf) == ""
    found = medians(json.loads((folder / "median_expression.json").read_text()), "ENSG00000157764.12", braf)
    assert len(found) == 14, "an entry without a median or a tissue is passed over"


async def test_the_tool_says_what_it_needs_to_know_names() -> None:
    reach = Reach(means())
    with pytest.raises(ToolFailed, match="knows the names of genes"):
        await gtex_tool(reach, Targets(reach)).work(TargetArguments(target="GENE7"))
