"""The vocabularies load, compile, and hold every wording that the rules ask for."""

import re
from pathlib import Path

import pytest

from agents.archive import research
from agents.archive.research.documents.document import DocumentKind
from agents.archive.research.vocabulary import any_of, any_term, load, terms, wording

FOLDER = Path(research.__file__).parent
TERMS = ("documents", "organs", "routes", "species")


@pytest.mark.parametrize("name", TERMS)
def test_every_term_of_a_vocabulary_compiles_and_is_found_by_the_common_pattern(name: str) -> None:
    assert len(terms(name)) > (1 if name == "species" else 5)
    assert any_term(name).pattern.count("|") >= len(terms(name)) - 1


@pytest.mark.parametrize("name", sorted(load("wording")))
def test_every_wording_compiles(name: str) -> None:
    assert wording(name).search("\x00") is None


def test_every_wording_that_a_rule_asks_for_exists_and_none_is_left_over() -> None:
    asked = set()
    for module in FOLDER.rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        asked |= set(re.findall(r'wording\("(\w+)"\)', text)) | set(
            re.findall(r'called\(\w+, "(\w+)"\)', text)
        )
    asked |= {"strongly_toxic", "reported"}
    assert asked == set(load("wording"))


def test_kinds_of_documents_are_those_the_rules_know() -> None:
    assert {term.name for term in terms("documents")} <= {kind.value for kind in DocumentKind}


def test_an_unknown_wording_is_an_error() -> None:
    with pytest.raises(KeyError):
        wording("no such wording")


def test_words_match_whole_and_in_any_case() -> None:
    assert any_of(["rats?"]).search("In the RAT, the liver")
    assert not any_of(["rats?"]).search("the rate of separation")
