"""gnomAD: constraint from the tables of v2 and v4, and from the GraphQL API."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.gnomad import API, GNOMAD, genetic_constraint, read_gene
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts
from tests.support.recorded_web import RecordedWeb
from tests.support.services import shared

GENE = Target("GENE7", ensembl="ENSG00000000007")
V2 = (
    "gene\ttranscript\texp_lof\tobs_lof\toe_lof\toe_lof_lower\toe_lof_upper\tpLI\tmis_z\toe_mis\tgene_id\n"
    "GENE7\tENST1\t20.04\t2\t0.0998\t0.03\t0.31\t0.97\t3.5\t0.61\tENSG00000000007\n"
    "GENE8\tENST8\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tENSG00000000008\n"
)
V4 = (
    "gene\tgene_id\ttranscript\tcanonical\tmane_select\tlof.obs\tlof.exp\tlof.oe\tlof.pLI\tlof.oe_ci.lower"
    "\tlof.oe_ci.upper\tmis.oe\tmis.z_score\tsyn.z_score\tconstraint_flags\n"
    "GENE7\t7\tNM_1\ttrue\ttrue\t9\t9\t1\t0\t0.9\t1.9\t1\t0\t0\t[]\n"
    "GENE7\tENSG00000000007\tENST1\tfalse\tfalse\t5\t5.0\t1.0\t0\t0.8\t1.8\t1\t0\t0\t[]\n"
    "GENE7\tENSG00000000007\tENST2\ttrue\ttrue\t6\t1.2000e+01\t5.0000e-01\t1.0e-05\t0.3\t8.1e-01\t1\t-0.5\t0\t[]\n"
)


def test_a_constrained_gene_of_v2() -> None:
    bulk = loaded(format_of(GNOMAD, "gnomad.v2.1.1.lof_metrics.by_gene.txt"), V2, "v2.1.1")
    told = run(genetic_constraint(Reach(bulk), GENE))
    assert_stands(told)
    assert texts(told) == [
        "gnomAD v2.1.1 holds 2 loss-of-function variants of GENE7 where 20.0 are expected, "
        "observed/expected 0.10.",
        "With a LOEUF of 0.31 in gnomAD v2.1.1, GENE7 is constrained against loss of function (below 0.35).",
        "The pLI of GENE7 in gnomAD v2.1.1 is 0.97, enough to take the gene as intolerant to the loss of "
        "one copy "
        "(from 0.9).",
        "The missense z of GENE7 in gnomAD v2.1.1 is 3.50, enough to take the gene as constrained against "
        "missense "
        "variants (from 3.09).",
    ]


def test_the_transcript_of_mane_is_taken_in_v4_with_the_bound_of_v4() -> None:
    bulk = loaded(format_of(GNOMAD, "gnomad.v4.1.constraint_metrics.tsv"), V4, "v4.1")
    told = run(genetic_constraint(Reach(bulk), GENE))
    assert_stands(told)
    assert "Transcript: ENST2" in told.records[0].text
    assert "GENE7 is not constrained against loss of function (not below 0.6)" in texts(told)[1]


def test_a_row_without_numbers_and_a_gene_without_a_row_are_notes() -> None:
    bulk = loaded(format_of(GNOMAD, "gnomad.v2.1.1.lof_metrics.by_gene.txt"), V2)
    assert run(genetic_constraint(Reach(bulk), Target("GENE8"))).missing == (
        "gnomAD gives no constraint of GENE8.",
    )
    assert run(genetic_constraint(Reach(bulk), Target("GENE9"))).missing == (
        "The loaded table of gnomAD has no row of GENE9.",
    )


def live(value: object, target: Target = GENE):
    web = RecordedWeb({API: json.dumps(value)}, date="2026-08-12")
    return run(genetic_constraint(Reach(MemoryBulk(), web), target))


def test_live_another_gene_an_error_and_another_form_are_refused() -> None:
    other = {"data": {"gene": {"symbol": "GENE8", "gene_id": "ENSG00000000008", "gnomad_constraint": {}}}}
    with pytest.raises(ToolFailed, match="GENE8, not with GENE7"):
        live(other)
    with pytest.raises(ToolFailed, match="no gene"):
        live({"data": {}})


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["data", "gene", "errors", "message", "symbol", "gene_id"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(lambda: read_gene(value, GENE))


@pytest.mark.service("shared")
def test_the_recorded_replies() -> None:
    folder = shared("data/tsa/api_captures/gnomad")

    def recorded(name: str, symbol: str = "") -> object:
        """A recorded reply. It was asked for without the symbol, which the tool asks for."""
        value = json.loads((folder / f"constraint_{name}.json").read_text())
        if symbol:
            value["data"]["gene"]["symbol"] = symbol
        return value

    told = live(recorded("tp53", "TP53"), Target("TP53"))
    assert_stands(told)
    assert texts(told)[0] == (
        "With a LOEUF of 0.45 in gnomAD v4, TP53 is constrained against loss of function (below 0.6)."
    )
    assert live(recorded("ddx3x_null", "DDX3X"), Target("DDX3X")).missing == (
        "gnomAD gives no constraint of DDX3X.",
    )
    assert live(recorded("not_found"), GENE).missing == ("gnomAD knows no gene GENE7.",)
    with pytest.raises(ToolFailed, match="replied with an error: upstream exploded"):
        live(recorded("graphql_error"))


@pytest.mark.service("shared")
def test_the_table_of_v4_is_read() -> None:
    text = shared("data/tsa/ot_fixtures/gnomad_lof.csv").read_text()
    bulk = loaded(format_of(GNOMAD, "gnomad.v4.1.constraint_metrics.tsv"), text, "v4.1")
    told = run(genetic_constraint(Reach(bulk), Target("A1CF", ensembl="ENSG00000148584")))
    assert_stands(told)
    assert texts(told)[0] == (
        "gnomAD v4.1 holds 45 loss-of-function variants of A1CF where 70.0 are expected, observed/expected "
        "0.64."
    )
