"""Every tool over replies that are anything: what is told stands, or the refusal is a sentence."""

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.databases import (
    clinvar,
    gene_ontology,
    gnomad,
    gtex,
    gwas_catalog,
    mgi,
    protein_atlas,
    reactome,
)
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.standing import assert_stands, read_or_refused, run
from tests.support.drills import examples
from tests.support.recorded_web import RecordedWeb

GENE = Target("GENE7", ensembl="ENSG00000000007", entrez="7", uniprot="P00007")
ASKED = (
    clinvar.rare_variant_diseases,
    gene_ontology.gene_functions,
    gnomad.genetic_constraint,
    gtex.tissue_expression,
    gwas_catalog.common_variant_traits,
    mgi.mouse_phenotypes,
    protein_atlas.protein_location,
    reactome.pathways,
)
REPLIES = (
    "",
    "<html><body>Service unavailable</body></html>",
    "null",
    "[]",
    "{}",
    '{"data": null}',
    '{"results": [null, 1, "x"], "numberOfHits": "many"}',
    '{"error": "quota"}',
    "\x00\ud800",
)


class Same(Mapping[str, str | ToolFailed | None]):
    """One reply to whatever is asked."""

    def __init__(self, reply: str | ToolFailed | None) -> None:
        self._reply = reply

    def __getitem__(self, key: str) -> str | ToolFailed | None:
        return self._reply

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def over(reply: str | ToolFailed | None) -> Reach:
    return Reach(MemoryBulk(), RecordedWeb(Same(reply)))


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("ask", ASKED)
def test_what_is_no_answer_is_refused_in_a_sentence_or_tells_nothing(ask, reply: str) -> None:
    read_or_refused(lambda: assert_stands(run(ask(over(reply), GENE))))


@pytest.mark.parametrize("ask", ASKED)
def test_nothing_found_is_a_note(ask) -> None:
    told = run(ask(over(None), GENE))
    assert not told.facts
    assert told.missing


@pytest.mark.parametrize("ask", ASKED)
def test_a_database_that_fails_is_told_in_its_own_words(ask) -> None:
    with pytest.raises(ToolFailed, match="It took longer than"):
        run(ask(over(ToolFailed("It took longer than 20 s.")), GENE))


@settings(max_examples=examples(200))
@given(st.sampled_from(ASKED), st.text(max_size=400))
def test_any_text_is_refused_in_a_sentence_or_tells_nothing(ask, reply: str) -> None:
    read_or_refused(lambda: assert_stands(run(ask(over(reply), GENE))))
