"""What every encoder must do. A new one joins by a line in `ENCODERS`."""

import asyncio
from collections.abc import Callable

import numpy as np
import pytest

from retrieval.ports import Encoder
from tests.retrieval.minilm import minilm
from tests.support.hashing import HashingEncoder
from tests.support.model_workers import remote_models
from tests.support.models import bge_small, minilm_in_torch
from workers.models.remote import RemoteEncoder

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

ENCODERS: dict[str, Callable[[], Encoder]] = {
    "hashing": HashingEncoder,
    "minilm": minilm,
    "remote minilm": lambda: RemoteEncoder(remote_models()),
    "minilm in torch": minilm_in_torch,
    "bge-small in torch": bge_small,
}
TEXTS = [
    "Dogs vomited at 30 mg/kg.",
    "",
    "dose",
    "A much longer sentence on plasma exposure in healthy men. " * 40,
    "µ",
]


@pytest.fixture(params=ENCODERS)
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return ENCODERS[request.param]()


async def test_rows_are_float32_of_unit_length(encoder: Encoder) -> None:
    vectors = await encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_no_text_gives_no_row(encoder: Encoder) -> None:
    assert (await encoder.encode([])).shape == (0, encoder.dimension)


async def test_a_row_does_not_depend_on_its_batch_mates(encoder: Encoder) -> None:
    together = await encoder.encode(TEXTS)
    alone = np.concatenate([await encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)  # float32 sums in another order


async def test_rows_are_in_the_order_of_the_texts(encoder: Encoder) -> None:
    forward, backward = await encoder.encode(TEXTS), await encoder.encode(TEXTS[::-1])
    np.testing.assert_allclose(forward, backward[::-1], atol=1e-6)


@pytest.mark.parametrize("name", ENCODERS)
async def test_texts_on_one_subject_are_nearer(name: str) -> None:
    encoder = ENCODERS[name]()
    first, second, other = await encoder.encode(
        [
            "the dogs vomited at the highest dose",
            "vomiting in dogs at the highest dose",
            "annual budget of the team",
        ]
    )
    assert first @ second > first @ other + 0.3


async def test_calls_at_the_same_time_do_not_mix(encoder: Encoder) -> None:
    results = await asyncio.gather(*(encoder.encode([text]) for text in TEXTS))
    np.testing.assert_allclose(np.concatenate(results), await encoder.encode(TEXTS), atol=1e-6)


async def test_windows_hold_the_whole_text_each_with_its_head(encoder: Encoder) -> None:
    text = " ".join(f"dose {n} was given to animal {n * 7};" for n in range(200))
    (windows,) = encoder.windows([text], ["Report 12, table 3"])
    assert all(window.startswith("Report 12, table 3\n") for window in windows)
    assert "".join(window.removeprefix("Report 12, table 3\n") for window in windows) == text


async def test_a_short_text_and_an_empty_one_are_one_window(encoder: Encoder) -> None:
    assert encoder.windows(["a short text", ""], ["", ""]) == [["a short text"], [""]]


async def test_windows_of_many_texts_are_those_of_each(encoder: Encoder) -> None:
    texts = [f"dose {n} was given to animal {n * 7}; " * n for n in range(100)]
    heads = [f"Report {n}" if n % 2 else "" for n in range(100)]
    alone = [encoder.windows([text], [head])[0] for text, head in zip(texts, heads, strict=True)]
    assert encoder.windows(texts, heads) == alone
    assert encoder.windows([], []) == []
