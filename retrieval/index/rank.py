"""Ranking that gives the same order for the same input."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors

DECIMALS = 6
"""Decimals of a score: the last bits of a sum depend on how the processor groups it."""


def ranked(scores: Iterable[tuple[str, float]], limit: int) -> list[tuple[str, float]]:
    """(chunk_id, score) best first, equal scores by chunk_id, at most `limit`."""
    rounded = ((name, round(score, DECIMALS)) for name, score in scores)
    return sorted(rounded, key=lambda item: (-item[1], item[0]))[:limit]


def nearest(
    products: Vectors, owners: NDArray[np.int64], names: Sequence[str], limit: int
) -> list[tuple[str, float]]:
    """(name, cosine) best first: a name is as near as its nearest row.

    `products` (r,) are cosines of rows, `owners` (r,) the places of their names in `names`, ascending.
    """
    if len(owners) == 0:
        return []
    first_rows = np.flatnonzero(np.diff(owners, prepend=-1))
    cosines = np.round(np.maximum.reduceat(products, first_rows), DECIMALS)
    best = np.arange(len(cosines))
    if 0 < limit < len(cosines):
        best = np.flatnonzero(cosines >= np.partition(cosines, -limit)[-limit])
    places = owners[first_rows[best]].tolist()
    return ranked(
        ((names[place], score) for place, score in zip(places, cosines[best].tolist(), strict=True)), limit
    )


def checked_parts(parts: Sequence[int], chunks: int, vectors: Vectors, dimension: int) -> tuple[int, ...]:
    """Rows of each chunk, one each by default; a chunk with none is found by words alone.

    Raises ValueError if `vectors` does not fit.
    """
    counts = tuple(parts) or (1,) * chunks
    if len(counts) != chunks or min(counts, default=0) < 0:
        raise ValueError(f"parts are {counts}, expected a number of rows for each of {chunks} chunks")
    if vectors.shape != (sum(counts), dimension):
        raise ValueError(f"vectors are {vectors.shape}, expected {(sum(counts), dimension)}")
    return counts
