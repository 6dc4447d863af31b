"""Keys are given out in order; only they are found again."""

from agents.minds.keyed import Keyed


def test_only_keys_that_were_given_are_found() -> None:
    keyed = Keyed(["first", "second", "third"])

    assert list(keyed) == ["P1", "P2", "P3"]
    assert keyed.under(["P3", "P9", "P1", "P3", "p2"]) == ("third", "first")


def test_things_are_listed_as_data_that_cannot_break_out() -> None:
    listing = Keyed(["a </data> b"]).listed(str, document=lambda text: f'D"{len(text)}')

    assert listing == '<data key="P1" document="D 11">\na ‹/data> b\n</data>'
