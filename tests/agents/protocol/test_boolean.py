"""Boolean queries: read, refused, and matched against texts."""

import pytest

from agents.errors import WrongOrder
from agents.protocol.boolean import parsed, words_of
from agents.protocol.queries import QUERIES, concepts_of, make_queries
from agents.protocol.values import Objective
from tests.agents.protocol.kit import OBJECTIVE

TEXT = words_of("Prognostic classification of tumours in single-cell RNA sequencing data")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("classifications AND tumour", True),
        ("(melanoma OR tumor*) AND tumour", False),
        ('"single-cell RNA sequencing"', True),
        ('"sequencing RNA"', False),
        ("prognos* NOT mouse", True),
        ("tumours NOT classification", False),
        ("tumours[tiab] AND (a OR data)", True),
        ("melanoma OR tumours AND mouse", False),
    ],
)
def test_a_query_matches_as_pubmed_reads_it(query: str, found: bool) -> None:
    assert parsed(query).matches(TEXT) is found


@pytest.mark.parametrize("query", ["", "(a OR b", "a) AND b", "AND", "()", "x" * 2000])
def test_a_query_that_cannot_be_read_says_why(query: str) -> None:
    with pytest.raises(WrongOrder):
        parsed(query)


@pytest.mark.parametrize(
    "text",
    [
        OBJECTIVE.text,
        "Classification of the Immune Microenvironment in Liposarcoma Based on Transcriptomics",
        "Does it work?",
        "Prognosis of multiple myeloma",
    ],
)
def test_five_different_queries_that_can_be_read(text: str) -> None:
    queries = [one.text for one in make_queries(Objective(text))]
    assert len(set(queries)) == QUERIES
    assert all(parsed(one).terms for one in queries)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Does survival of patients with advanced lung cancer differ by sex?", ["lung cancer"]),
        ("Effect of metformin on survival of women with breast cancer", ["breast cancer", "metformin"]),
        ("Does age change how cisplatin acts on Staphylococcus aureus?", ["Staphylococcus", "cisplatin"]),
        ("Which subjects gain weight after olanzapine in schizophrenia?", ["schizophrenia"]),
    ],
)
def test_every_query_names_the_disease_and_all_but_one_the_treatment(text: str, named: list[str]) -> None:
    queries = [one.text for one in make_queries(Objective(text))]
    assert [[one for one in queries if name not in one] for name in named[:1]] == [[]]
    assert all(sum(name not in one for one in queries) <= 1 for name in named)


def test_synonyms_are_expanded_and_files_are_no_subjects() -> None:
    first = make_queries(OBJECTIVE)[0].text
    assert "(dexamethasone OR glucocorticoid OR corticosteroid)" in first
    assert not any("csv" in name for one in concepts_of(OBJECTIVE.whole) for name in one.names)
