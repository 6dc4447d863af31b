"""What goes over the wire is checked at its arrival."""

import json

import numpy as np
import pytest

from retrieval.errors import ModelOverloaded, RetrievalError
from workers.models.protocol import (
    ComputeReply,
    ComputeRequest,
    EncoderCard,
    ModelCard,
    RerankerCard,
    pack_error,
    read_card,
)

ROWS = np.array([[0.25, -1.5, 3e-7]], np.float32)
CARD = ModelCard(
    encoder=EncoderCard(name="small", dimension=3, threshold=0.2),
    reranker=RerankerCard(name="words", threshold=0.5),
)


def test_a_request_arrives_as_it_was_sent() -> None:
    request = ComputeRequest(
        model="small", texts=("10 µg/kg", "", "line\nline"), question="µ?", heads=("head\n",)
    )
    assert ComputeRequest.unpack(request.pack()) == request


@pytest.mark.parametrize(
    "body", [b"", b"\x80\x04N.", b"[]", b'{"model": "m"}', b'{"model": "m", "texts": [1]}', b"{}"]
)
def test_a_request_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        ComputeRequest.unpack(body)


@pytest.mark.parametrize("rows", [ROWS, np.zeros((0, 3), np.float32), np.float32([0.1, 0.9])])
def test_an_array_arrives_bit_by_bit(rows: np.ndarray) -> None:
    arrived = ComputeReply.unpack(ComputeReply(rows).pack()).array
    assert arrived is not None
    assert (arrived.dtype, arrived.shape) == (np.float32, rows.shape)
    assert arrived.tobytes() == rows.tobytes()
    assert arrived.flags.writeable


def test_windows_arrive_as_they_were_cut() -> None:
    windows = (("a\nb", "c"), ("",))
    assert ComputeReply.unpack(ComputeReply(windows=windows).pack()).windows == windows


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04N.",
        b'{"shape": [2, 3]}\n' + ROWS.tobytes(),
        b'{"shape": [1, 3], "dtype": "|O"}\n' + ROWS.tobytes(),
        b'{"shape": [-1]}\n',
        json.dumps({"eval": "1"}).encode() + b"\n",
    ],
)
def test_an_answer_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(RetrievalError, match="same version"):
        ComputeReply.unpack(data)


def test_an_error_of_ours_arrives_as_what_it_is() -> None:
    with pytest.raises(ModelOverloaded, match="too many"):
        ComputeReply.unpack(pack_error(ModelOverloaded("too many")))


def test_an_unexpected_error_arrives_with_its_name_and_where_to_look() -> None:
    with pytest.raises(RetrievalError, match=r"ZeroDivisionError: by zero.*log"):
        ComputeReply.unpack(pack_error(ZeroDivisionError("by zero")))


def test_a_card_is_read_and_one_of_another_version_is_refused() -> None:
    written = CARD.model_dump_json().encode()
    assert read_card(written) == CARD
    with pytest.raises(RetrievalError, match="another version"):
        read_card(written.replace(b'"version":1', b'"version":2'))
