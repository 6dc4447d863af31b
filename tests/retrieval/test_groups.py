from retrieval.groups import grouped


def test_pairs_connect_directly_and_through_others() -> None:
    assert grouped("abcde", [("d", "b"), ("b", "e")]) == [["a"], ["b", "d", "e"], ["c"]]


def test_a_pair_that_does_not_fit_connects_nothing() -> None:
    assert grouped([1, 2, 3], [(1, 2), (2, 3)], lambda one, other: other != 3) == [[1, 2], [3]]
