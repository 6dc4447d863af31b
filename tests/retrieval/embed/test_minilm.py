import json
from pathlib import Path

import numpy as np
import onnx
import pytest

from retrieval.embed.weights import GRAPH, locate
from tests.retrieval.embed.graph import build
from tests.retrieval.minilm import minilm

GOLDEN = Path(__file__).parent / "golden"


def texts() -> list[str]:
    loaded: list[str] = json.loads((GOLDEN / "texts.json").read_text("utf-8"))
    return loaded


async def test_vectors_equal_those_that_sentence_transformers_made() -> None:
    expected = np.load(GOLDEN / "vectors.npy", allow_pickle=False)
    np.testing.assert_allclose(await minilm().encode(texts()), expected, atol=1e-4)


async def test_vectors_equal_those_that_sentence_transformers_makes_here() -> None:
    library = pytest.importorskip("sentence_transformers", reason="the extra `models` is not installed")
    reference = library.SentenceTransformer(str(locate().folder), device="cpu")
    expected = reference.encode(texts(), normalize_embeddings=True)
    np.testing.assert_allclose(await minilm().encode(texts()), expected, atol=1e-4)


async def test_token_vectors_have_unit_length_and_do_not_depend_on_batch_mates() -> None:
    together = await minilm().encode_tokens(["dose", "the dose given to dogs", ""])
    assert [tokens.shape for tokens in together] == [(3, 384), (7, 384), (2, 384)]
    alone = (await minilm().encode_tokens(["dose"]))[0]
    np.testing.assert_allclose(together[0], alone, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(together[1], axis=1), 1, atol=1e-5)


def test_the_shipped_graph_is_what_its_script_makes_of_the_weights() -> None:
    shipped = onnx.load_model_from_string(GRAPH.read_bytes())
    assert shipped == onnx.load_model_from_string(build(locate().tensors))
    shipped.graph.node[5].input[0] = "another"
    assert shipped != onnx.load_model_from_string(build(locate().tensors))
