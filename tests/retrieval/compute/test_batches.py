from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.compute.engine import batches


@given(st.lists(st.integers(0, 700)), st.integers(1, 3000))
def test_every_text_is_in_one_batch_and_no_batch_is_over_the_budget(lengths: list[int], budget: int) -> None:
    made = list(batches(lengths, budget))
    assert sorted(i for batch in made for i in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= budget


@given(st.lists(st.integers(0, 700)), st.integers(1, 3000))
def test_the_longest_go_first(lengths: list[int], budget: int) -> None:
    order = [lengths[i] for batch in batches(lengths, budget) for i in batch]
    assert order == sorted(lengths, reverse=True)


def test_little_is_padded() -> None:
    lengths = [8 + 7 * (i * 37 % 100) for i in range(256)]
    worst = max(padding(lengths, batch) for batch in batches(lengths, 2048) if len(batch) > 1)
    assert worst < 0.5
    unsorted = padding(lengths, range(len(lengths)))
    assert unsorted > 0.4


def padding(lengths: list[int], batch: Sequence[int]) -> float:
    """Share of a padded batch that is padding."""
    return 1 - sum(lengths[i] for i in batch) / (len(batch) * max(lengths[i] for i in batch))


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one piece"):
        list(batches([1], 0))
