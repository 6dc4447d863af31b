from functools import cache

import numpy as np

from retrieval.index import coarse
from retrieval.index.coarse import Projection, projected
from retrieval.ports import Vectors


def gathered(rows: int, seed: int = 1) -> Vectors:
    """Vectors that differ along few directions, as texts do: mixtures of 40 subjects with a little noise."""
    subjects = np.random.default_rng(0).standard_normal((40, 384), np.float32)
    random = np.random.default_rng(seed)
    vectors: Vectors = random.standard_normal((rows, 40), np.float32) @ subjects
    vectors += random.standard_normal((rows, 384), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@cache
def large() -> tuple[Vectors, Projection]:
    matrix = gathered(coarse.FROM_ROWS)
    projection = projected(matrix)
    assert projection is not None
    return matrix, projection


def test_few_vectors_are_not_projected() -> None:
    assert projected(gathered(1000)) is None


def test_the_nearest_rows_are_among_the_candidates() -> None:
    matrix, projection = large()
    for vector in gathered(10, seed=2):
        exact = np.argsort(-(matrix @ vector))[:100]
        assert np.isin(exact, projection.candidates(vector, None)).mean() >= 0.99


def test_only_allowed_rows_are_candidates() -> None:
    matrix, projection = large()
    allowed = np.zeros(len(matrix), bool)
    allowed[[5, 70, 149_000]] = True
    assert projection.candidates(matrix[0], allowed).tolist() == [5, 70, 149_000]
