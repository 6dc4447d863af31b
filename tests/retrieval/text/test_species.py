"""Species and people that a text names."""

import pytest

from retrieval.text.species import species_in

CASES = [
    ("Rats and Sprague-Dawley females got 5 mg.", ["rat", "rat"]),
    ("Mice, then guinea-pigs and minipigs", ["mouse", "guinea pig", "minipig"]),
    ("Two cynomolgus monkeys and a marmoset", ["monkey", "monkey"]),
    ("beagle dogs", ["dog", "dog"]),
    ("Göttingen pigs, swine", ["minipig", "minipig"]),
    ("a trial in healthy subjects, then in patients", ["human", "human"]),
    ("men and women; first in man", ["human", "human", "human"]),
    ("The cat. scan of the category", []),
    ("ratio, dogma, manual", []),
    ("zebrafish larvae, Danio rerio", ["zebrafish", "zebrafish"]),
]


@pytest.mark.parametrize(("text", "named"), CASES)
def test_species_are_told_by_their_words(text: str, named: list[str]) -> None:
    assert [name for _, name in species_in(text)] == named
