"""A general question about one molecule is not answered with what is said of another."""

from dataclasses import replace

from agents.archive.general.ranking import is_about_other
from retrieval.values import Molecule, Passage, PassageKind

REGISTRY = (Molecule("QA-1001"), Molecule("QB-2002"))


def passage(text: str) -> Passage:
    return Passage("D1", 0, len(text), text)


def test_a_passage_is_about_the_molecules_that_it_names() -> None:
    named = passage("QB-2002 was given at 20 mg.")

    assert is_about_other(named, ("QA-1001",), REGISTRY, ("QA-1001",))
    assert not is_about_other(named, ("QB-2002",), REGISTRY, ("QA-1001",))


def test_a_passage_without_a_name_is_about_what_its_document_is_about() -> None:
    unnamed = passage("The projected dose is 20 mg.")

    assert is_about_other(unnamed, ("QA-1001",), REGISTRY, ("QB-2002",))
    assert not is_about_other(unnamed, ("QA-1001",), REGISTRY, ("QA-1001", "QB-2002"))
    assert not is_about_other(unnamed, ("QA-1001",), REGISTRY, ())


def test_a_question_without_a_molecule_is_open_to_all() -> None:
    assert not is_about_other(passage("QB-2002 was given at 20 mg."), (), REGISTRY, ("QB-2002",))


def test_an_item_is_about_what_its_list_or_heading_names() -> None:
    item = replace(passage("Tremor from 10 mg/kg."), kind=PassageKind.ITEM)
    led = replace(item, lead="QA-1001 is ended. Reasons:", section=("Minutes", "QB-2002"))
    headed = replace(item, section=("Minutes of QB-2002", "Item 1. QA-1001", "Reasons"))

    for placed in (led, headed):
        assert is_about_other(placed, ("QB-2002",), REGISTRY, ("QA-1001", "QB-2002"))
        assert not is_about_other(placed, ("QA-1001",), REGISTRY, ("QB-2002",))


def test_a_sentence_of_a_document_on_two_molecules_is_about_the_one_named_before() -> None:
    texts = ("QB-2002 is the backup.", "QA-1001 was dosed first.", "Tremor was seen.")
    first, second, third = (
        replace(passage(text), start=30 * i, end=30 * i + 29) for i, text in enumerate(texts)
    )

    both = ("QA-1001", "QB-2002")
    assert is_about_other(third, ("QB-2002",), REGISTRY, both, (first, second, third))
    assert not is_about_other(third, ("QA-1001",), REGISTRY, both, (first, second, third))
    assert not is_about_other(third, ("QB-2002",), REGISTRY, ("QB-2002",), (first, second, third))
