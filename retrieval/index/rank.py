"""Ranking that gives the same order for the same input."""

from collections.abc import Iterable, Sequence

import numpy as np

from retrieval.ports import Vectors

DECIMALS = 6
"""Scores are rounded so far, since the last bits of a sum depend on how the processor groups it."""


def ranked(scores: Iterable[tuple[str, float]], limit: int) -> list[tuple[str, float]]:
    """(chunk_id, score) best first, equal scores by chunk_id, at most `limit`."""
    rounded = ((name, round(score, DECIMALS)) for name, score in scores)
    return sorted(rounded, key=lambda item: (-item[1], item[0]))[:limit]


def nearest(matrix: Vectors, vector: Vectors, names: Sequence[str], limit: int) -> list[tuple[str, float]]:
    """Rows of (n, d) `matrix` nearest to (d,) `vector`, all of unit length: (name, cosine) best first."""
    cosines = np.round(matrix @ vector, DECIMALS)
    if 0 < limit < len(cosines):
        floor = np.partition(cosines, -limit)[-limit]
        rows = np.flatnonzero(cosines >= floor)
    else:
        rows = np.arange(len(cosines))
    return ranked(((names[row], float(cosines[row])) for row in rows.tolist()), limit)
