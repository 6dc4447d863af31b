"""Global pairwise alignment of two proteins, and what is measured in it."""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from agents.safety.orthologs.values import Measures, SequenceError

MOST_CELLS = 150_000_000
"""Length times length that is aligned: 12,000 x 12,000, a few seconds."""

_RARE = str.maketrans("UOJ", "CKL")
"""Residues that BLOSUM62 does not know, as the nearest: selenocysteine, pyrrolysine, (iso)leucine."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sequences with gaps ("-"), of the same length."""

    first: str
    second: str

    @property
    def identical(self) -> int:
        """Columns with the same known residue."""
        return sum(
            one == other and one not in "-X" for one, other in zip(self.first, self.second, strict=True)
        )

    @property
    def paired(self) -> int:
        """Columns without a gap, in which both residues are known."""
        pairs = zip(self.first, self.second, strict=True)
        return sum(one not in "-X" and other not in "-X" for one, other in pairs)

    @property
    def gaps(self) -> int:
        """Columns with a gap."""
        return self.first.count("-") + self.second.count("-")


@lru_cache(maxsize=4096)
def align(first: str, second: str) -> Alignment:
    """The best global alignment (Needleman-Wunsch-Gotoh; BLOSUM62, 11 to open a gap, 1 to go on).

    Of several equally good ones always the same. Raises `SequenceError` where the two are too long.
    """
    if first == second:
        return Alignment(first, second)
    if len(first) * len(second) > MOST_CELLS:
        raise SequenceError(
            f"Sequences of {len(first):,} and {len(second):,} residues are too long to align."
        )
    best = _aligner().align(first.translate(_RARE), second.translate(_RARE))[0]
    return Alignment(_gapped(first, best.coordinates, 0), _gapped(second, best.coordinates, 1))


def measure(human: str, other: str) -> Measures:
    """A candidate's measures against the human sequence."""
    aligned = align(human, other)
    columns = len(aligned.first)
    return Measures(
        length=len(other),
        identity=_percent(aligned.identical, columns),
        aligned_identity=_percent(aligned.identical, aligned.paired),
        of_human=_percent(aligned.identical, len(human)),
        length_change=_percent(len(other) - len(human), len(human)),
        gaps=aligned.gaps,
        unknown=other.count("X"),
    )


def identity(first: str, second: str) -> float:
    """Identical residues in % of the alignment's columns, gaps included."""
    aligned = align(first, second)
    return _percent(aligned.identical, len(aligned.first))


def paired_identity(first: str, second: str) -> float:
    """Identical residues in % of the columns without a gap."""
    aligned = align(first, second)
    return _percent(aligned.identical, aligned.paired)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


@cache
def _aligner() -> Any:
    library: Any = import_module("Bio.Align")  # it takes a moment to load
    aligner = library.PairwiseAligner()
    aligner.substitution_matrix = library.substitution_matrices.load("BLOSUM62")
    aligner.open_gap_score = -11
    aligner.extend_gap_score = -1
    return aligner


def _gapped(residues: str, coordinates: Any, row: int) -> str:
    """A sequence with its gaps, from the alignment's corners."""
    parts: list[str] = []
    starts, ends = coordinates[:, :-1].T.tolist(), coordinates[:, 1:].T.tolist()
    for start, end in zip(starts, ends, strict=True):
        columns = max(end[0] - start[0], end[1] - start[1])
        own = residues[start[row] : end[row]]
        parts.append(own or "-" * columns)
    return "".join(parts)
