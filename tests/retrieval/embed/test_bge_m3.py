"""Both views of BGE-M3, with weights by chance, equal those of FlagEmbedding."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.compute.checkpoint import find
from retrieval.embed.bge_m3 import BgeM3
from retrieval.errors import WeightsError
from retrieval.rerank.multi_vector import MultiVector, max_sim
from tests.support import tiny
from tests.support.models import libraries, tiny_bge_m3

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

QUESTION = "What was the highest dose given to dogs?"
TEXTS = ["The highest dose given to dogs was 30 mg/kg.", "dose", "Liver enzymes were raised in rats. " * 9]


@pytest.fixture(scope="module")
def library() -> Any:
    libraries()
    from FlagEmbedding import BGEM3FlagModel

    return BGEM3FlagModel(str(tiny.bge_m3()), use_fp16=False, devices="cpu")


@pytest.mark.filterwarnings("ignore")
async def test_all_views_equal_those_of_flag_embedding(library: Any) -> None:
    expected = library.encode(TEXTS, return_colbert_vecs=True)
    ours = tiny_bge_m3()
    np.testing.assert_allclose(await ours.encode(TEXTS), expected["dense_vecs"], atol=1e-5)
    for one, other in zip(await ours.multi_vectors(TEXTS), expected["colbert_vecs"], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.filterwarnings("ignore")
async def test_scores_equal_those_of_flag_embedding(library: Any) -> None:
    asked, *found = library.encode([QUESTION, *TEXTS], return_colbert_vecs=True)["colbert_vecs"]
    expected = np.clip([float(library.colbert_score(asked, text)) for text in found], 0, 1)
    np.testing.assert_allclose(await MultiVector(tiny_bge_m3()).score(QUESTION, TEXTS), expected, atol=1e-5)


def test_no_padding_is_taken_for_a_partner() -> None:
    asked = np.array([[-1, 0], [0, -1]], np.float32)
    against, beside = np.array([[1, 0]], np.float32), np.array([[0, -1], [0, 1], [0, 1]], np.float32)
    together = max_sim(asked, [against, beside, against])
    np.testing.assert_allclose(together, [0.0, 0.5, 0.0])
    assert max_sim(asked, []).shape == (0,)


def test_missing_heads_are_named_and_not_made_up(tmp_path: Path) -> None:
    libraries()
    folder = tmp_path / "bge-m3"
    shutil.copytree(tiny.bge_m3(), folder)
    (folder / "sparse_linear.pt").unlink()
    with pytest.raises(WeightsError, match=r"sparse_linear\.pt is missing"):
        BgeM3(find(str(folder)), device="cpu")
