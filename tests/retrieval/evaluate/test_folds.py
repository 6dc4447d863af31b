from collections import Counter

from retrieval.evaluate.folds import FOLDS, folds

MANY = {f"q{n}": {f"d{n}": 1} for n in range(500)}


def test_every_query_has_a_fold_and_folds_are_of_about_equal_size() -> None:
    sizes = Counter(folds(MANY).values())
    assert sorted(sizes) == list(range(FOLDS))
    assert all(60 < size < 140 for size in sizes.values())


def test_the_order_of_queries_does_not_matter() -> None:
    chained = {f"q{n}": {f"d{n}": 1, f"d{n // 3}": 1} for n in range(100)}
    assert folds(chained) == folds(dict(reversed(chained.items())))


def test_queries_about_one_document_are_in_one_fold() -> None:
    chained = MANY | {"q1": {"d1": 1, "d2": 1}, "q2": {"d2": 1, "d3": 1}, "q4": {"d3": 0, "d4": 1}}
    fold = folds(chained)
    assert fold["q1"] == fold["q2"] == fold["q3"]
    assert {name: value for name, value in fold.items() if name not in ("q1", "q2", "q3")} == {
        name: value for name, value in folds(MANY).items() if name not in ("q1", "q2", "q3")
    }
