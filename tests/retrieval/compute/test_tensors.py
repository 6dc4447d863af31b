"""What a device has no memory for."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from retrieval.errors import DeviceError
from tests.support.models import libraries


@dataclass(frozen=True)
class Text:
    ids: list[int]


def test_a_batch_that_does_not_fit_is_halved_and_a_text_that_does_not_is_told() -> None:
    libraries()
    import torch

    from retrieval.compute.tensors import halving

    done: list[int] = []

    def forward(batch: Sequence[Text]) -> list[int]:
        if sum(len(text.ids) for text in batch) > 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        done.append(len(batch))
        return [text.ids[0] for text in batch]

    run = halving(forward)
    assert run([Text([n]) for n in range(9)]) == list(range(9))
    assert max(done) == 4
    with pytest.raises(DeviceError, match="one text of 5 pieces: CUDA out of memory"):
        run([Text([1]), Text([1] * 5)])
