"""Ranking that gives the same order for the same input."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors

DECIMALS = 6
"""Scores are rounded so far, since the last bits of a sum depend on how the processor groups it."""


def ranked(scores: Iterable[tuple[str, float]], limit: int) -> list[tuple[str, float]]:
    """(chunk_id, score) best first, equal scores by chunk_id, at most `limit`."""
    rounded = ((name, round(score, DECIMALS)) for name, score in scores)
    return sorted(rounded, key=lambda item: (-item[1], item[0]))[:limit]


def starts(parts: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) first row of each group of rows, from the (n,) numbers of rows in them."""
    counts = np.asarray(parts, np.int64)
    return np.cumsum(counts) - counts


def nearest(
    matrix: Vectors, first_rows: NDArray[np.int64], names: Sequence[str], vector: Vectors, limit: int
) -> list[tuple[str, float]]:
    """(name, cosine) best first: a name is as near to the (d,) `vector` as its nearest row.

    Rows of the (m, d) `matrix` have unit length; those of the i-th of n names begin at `first_rows[i]`.
    """
    if not names:
        return []
    cosines = np.round(np.maximum.reduceat(matrix @ vector, first_rows), DECIMALS)
    if 0 < limit < len(cosines):
        floor = np.partition(cosines, -limit)[-limit]
        rows = np.flatnonzero(cosines >= floor)
    else:
        rows = np.arange(len(cosines))
    return ranked(((names[row], float(cosines[row])) for row in rows.tolist()), limit)


def checked_parts(parts: Sequence[int], chunks: int, vectors: Vectors, dimension: int) -> tuple[int, ...]:
    """Rows of each chunk, one each by default. Raises ValueError if `vectors` does not fit."""
    counts = tuple(parts) or (1,) * chunks
    if len(counts) != chunks or min(counts, default=1) < 1:
        raise ValueError(f"parts are {counts}, expected at least one row for each of {chunks} chunks")
    if vectors.shape != (sum(counts), dimension):
        raise ValueError(f"vectors are {vectors.shape}, expected {(sum(counts), dimension)}")
    return counts
