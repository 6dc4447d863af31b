from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.compute.cache import Lru, RememberedScores


class Counting:
    """Scores by length, and keeps what it was asked."""

    name, threshold = "counting", 0.4

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += [(question, text) for text in texts]
        return np.array([len(question + text) / 100 for text in texts], np.float32)


def test_the_value_not_asked_for_the_longest_goes_first() -> None:
    kept: Lru[str, int] = Lru(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c"), len(kept)) == (1, None, 3, 2)


async def test_a_pair_is_computed_once() -> None:
    counting = Counting()
    scores = RememberedScores(counting)
    first = await scores.score("dose?", ["30 mg", "May", "30 mg"])
    again = await scores.score("dose?", ["May", "30 mg", "new"])
    assert first.tolist() == [first[0], first[1], first[0]]
    assert again.tolist()[:2] == [first[1], first[0]]
    assert counting.asked == [("dose?", "30 mg"), ("dose?", "May"), ("dose?", "new")]
    assert (scores.name, scores.threshold) == ("counting", 0.4)


async def test_pairs_with_the_same_letters_are_kept_apart() -> None:
    counting = Counting()
    scores = RememberedScores(counting)
    await scores.score("ab", ["c"])
    await scores.score("a", ["bc"])
    assert len(counting.asked) == 2


async def test_scores_are_right_when_less_is_remembered_than_asked() -> None:
    scores = RememberedScores(Counting(), remembered=2)
    texts = ["x" * n for n in range(10)]
    expected = await Counting().score("dose?", texts)
    assert (await scores.score("dose?", texts)).tolist() == expected.tolist()
    assert (await scores.score("dose?", texts[::-1])).tolist() == expected.tolist()[::-1]
