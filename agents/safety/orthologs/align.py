"""Global pairwise alignment of two proteins, and how alike two are without one."""

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from agents.safety.orthologs.values import Measures, ProteinSequence, SequenceError

MOST_CELLS = 150_000_000
"""Length times length that is aligned: 12,000 x 12,000, a few seconds."""
WORD = 4
"""Residues of the words that are compared without an alignment."""

_RARE = str.maketrans("UOJ", "CKL")
"""Residues that BLOSUM62 does not know, as the nearest: selenocysteine, pyrrolysine, (iso)leucine."""


def measure(human: str, other: str) -> Measures:
    """A candidate's measures against the human sequence. Raises `SequenceError` if they are too long."""
    identical, paired, columns = _counts(human, other)
    return Measures(
        length=len(other),
        identity=_percent(identical, columns),
        aligned_identity=_percent(identical, paired),
        length_change=_percent(len(other) - len(human), len(human)),
        unknown=other.count("X"),
    )


def identity(first: str, second: str) -> float:
    """Identical residues in % of the alignment's columns, gaps included."""
    identical, _, columns = _counts(first, second)
    return _percent(identical, columns)


def paired_identity(first: str, second: str) -> float:
    """Identical residues in % of the columns without a gap."""
    identical, paired, _ = _counts(first, second)
    return _percent(identical, paired)


@lru_cache(maxsize=4096)
def _counts(first: str, second: str) -> tuple[int, int, int]:
    """Identical known residues, columns without a gap in which both are known, and all columns.

    Of the best global alignment (Needleman-Wunsch-Gotoh; BLOSUM62, 11 to open a gap, 1 to go on).
    """
    if len(first) * len(second) > MOST_CELLS:
        raise SequenceError(
            f"Sequences of {len(first):,} and {len(second):,} residues are too long to align."
        )
    best = _aligner().align(first.translate(_RARE), second.translate(_RARE))[0]
    blocks = [
        pair
        for own, other in zip(*best.aligned, strict=True)
        for pair in zip(first[slice(*own)], second[slice(*other)], strict=True)
        if "X" not in pair
    ]
    return sum(one == other for one, other in blocks), len(blocks), best.shape[1]


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


def likeness(first: str, second: str) -> float:
    """Shared words / words of the one that has fewer; 0 to 1. Of unrelated proteins it is below 0.05."""
    one, other = _words(first), _words(second)
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def most_alike(
    residues: str, sequences: Iterable[ProteinSequence], most: int, least: float
) -> list[ProteinSequence]:
    """The sequences that are most alike, best first, none below `least`."""
    scored = [(-likeness(residues, one.residues), one.accession, one) for one in sequences]
    kept = sorted((one for one in scored if -one[0] >= least), key=lambda one: one[:2])
    return [one for _, _, one in kept[:most]]


@lru_cache(maxsize=8192)
def _words(residues: str) -> frozenset[str]:
    """All words of a sequence, without those with an unknown residue."""
    every = (residues[at : at + WORD] for at in range(len(residues) - WORD + 1))
    return frozenset(word for word in every if "X" not in word)
