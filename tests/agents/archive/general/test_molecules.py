"""A general question about one molecule is not answered with what is said of another."""

from agents.archive.general.review import is_about_other
from retrieval.values import Molecule, Passage

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
