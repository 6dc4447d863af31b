"""Expression Atlas: a gene's row in an experiment's table, and in its JSON, both written for these tests."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.expression_atlas import API, ATLAS, EXPERIMENT, baseline_expression, read_profile
from agents.databases.memory import MemoryBulk, RecordedWeb
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, format_of, loaded, read_or_refused, run, texts

GENE = Target("GENE7", ensembl="ENSG00000000007")
TABLE = (
    "# Expression Atlas\n# Query: Genes matching: all, in experiment E-MTAB-5214\n"
    "Gene ID\tGene Name\tcerebral cortex\theart left ventricle\tliver\ttestis\n"
    "ENSG00000000007\tGENE7\t12\t\t3.5\t0.7\n"
)


def test_the_row_of_a_table_with_empty_cells_below_the_cutoff() -> None:
    form = format_of(ATLAS, "E-MTAB-5214-query-results.tpms.tsv")
    assert form.release(TABLE.splitlines()) == "E-MTAB-5214"
    told = run(baseline_expression(Reach(loaded(form, TABLE, "E-MTAB-5214")), GENE))
    assert_stands(told)
    assert texts(told)[0] == (
        "In the Expression Atlas E-MTAB-5214, the expression of GENE7 is highest in cerebral cortex "
        "(12.00) and "
        "liver (3.50) (median expression, TPM; highest tissue of each organ)."
    )
    values = {fact.term: fact.value for fact in told.facts if fact.term}
    assert values == {"cerebral cortex": 12, "liver": 3.5, "heart left ventricle": 0}


def reply(
    gene: str = "ENSG00000000007", unit: str = "TPM", values: tuple[object, ...] = (12, None, "3.5")
) -> str:
    cells = [{} if value is None else {"value": value} for value in values]
    return json.dumps(
        {
            "columnHeaders": [{"factorValue": tissue} for tissue in ("cerebral cortex", "lung", "liver")],
            "profiles": {"rows": [{"id": gene, "name": "x", "expressionUnit": unit, "expressions": cells}]},
        }
    )


def live(text: str):
    web = RecordedWeb({f"{API}/{EXPERIMENT}": text}, date="2026-08-11")
    return run(baseline_expression(Reach(MemoryBulk(), web), GENE))


def test_live_the_same_experiment_is_told() -> None:
    told = live(reply())
    assert_stands(told)
    assert (
        "In the Expression Atlas E-MTAB-5214, the median expression of GENE7 in lung is 0.00 TPM, below 1.00."
        in texts(told)
    )


def test_live_another_gene_unit_or_form_is_refused() -> None:
    for text, why in (
        (reply(gene="ENSG00000000008"), "ENSG00000000008, not with GENE7"),
        (reply(unit="FPKM"), "the unit FPKM"),
        (reply(values=(1, 2)), "2 values for 3 tissues"),
        ("{}", "no table"),
        ("<html>", "no JSON"),
    ):
        with pytest.raises(ToolFailed, match=why):
            live(text)


def test_live_no_row_is_a_note() -> None:
    told = live(json.dumps({"columnHeaders": [], "profiles": {"rows": []}}))
    assert told.missing == ("The Expression Atlas has no expression of GENE7 in E-MTAB-5214.",)


@given(
    st.recursive(
        st.none() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["columnHeaders", "profiles", "rows", "id", "expressions", "value"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_garbled_replies_are_read_or_refused_in_a_sentence(value: object) -> None:
    read_or_refused(lambda: read_profile(value, GENE))
