"""Values of databases become Markdown whose lines and rows can be cited."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agents.evidence.sources import tool_source
from agents.tools.markdown import as_markdown
from retrieval.passages import passages_of
from retrieval.values import PassageKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_an_object_becomes_a_list_and_rows_become_a_table() -> None:
    value = {
        "gene": "KCNH2",
        "essential": True,
        "constraint": {"pLI": 0.98, "LOEUF": None},
        "phenotypes": [{"species": "mouse", "finding": "long QT | death"}, {"species": "rat", "dose": 3}],
        "synonyms": ["HERG", "LQT2"],
    }
    assert as_markdown(value, "KCNH2 in mice").splitlines() == [
        "# KCNH2 in mice",
        "",
        "- gene: KCNH2",
        "- essential: yes",
        "- constraint:",
        "  - pLI: 0.98",
        "  - LOEUF: ",
        "",
        "phenotypes:",
        "",
        "| species | finding | dose |",
        "| --- | --- | --- |",
        "| mouse | long QT \\| death |  |",
        "| rat |  | 3 |",
        "",
        "- synonyms:",
        "  - HERG",
        "  - LQT2",
    ]


def test_a_row_is_read_with_its_header() -> None:
    value = {"doses": [{"species": "rat", "mg/kg": 5}, {"species": "dog", "mg/kg": 2}]}
    passages = passages_of(tool_source("db", "Doses", as_markdown(value)).document)
    rows = [passage.row for passage in passages if passage.kind is PassageKind.ROW]
    assert [(row.header, row.cells) for row in rows if row] == [
        (("species", "mg/kg"), ("rat", "5")),
        (("species", "mg/kg"), ("dog", "2")),
    ]
    assert {row.caption for row in rows if row} == {"doses:"}


@given(JSON)
def test_any_value_gives_the_same_text_each_time(value: object) -> None:
    text = as_markdown(value)  # type: ignore[arg-type]
    assert text == as_markdown(json.loads(json.dumps(value)))
