"""What is measured in an alignment, on sequences short enough to count by hand."""

import pytest

from agents.safety.orthologs.align import MOST_CELLS, likeness, measure, paired_identity
from agents.safety.orthologs.values import SequenceError

HUMAN = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRV"


def test_identity_counts_gaps_and_aligned_identity_does_not() -> None:
    found = measure(HUMAN, HUMAN[:10] + HUMAN[14:20] + "W" + HUMAN[21:])
    assert (found.length, found.length_change) == (36, -10.0)
    assert found.identity == round(100 * 35 / 40, 2)
    assert found.aligned_identity == round(100 * 35 / 36, 2)
    assert found.mismatch == round(100 * 1 / 36, 2)


def test_unknown_residues_are_never_identical_and_no_mismatch() -> None:
    found = measure(HUMAN, HUMAN[:10] + "XXXX" + HUMAN[14:])
    assert found.unknown == 4
    assert (found.identity, found.aligned_identity) == (90.0, 100.0)


def test_residues_that_the_matrix_lacks_are_aligned() -> None:
    other = HUMAN[:5] + "U" + HUMAN[6:]
    assert (paired_identity(HUMAN, other), paired_identity(other, other)) == (97.5, 100.0)


def test_two_that_are_too_long_are_refused() -> None:
    with pytest.raises(SequenceError, match="too long to align"):
        measure("M" * 30_000, "K" * (MOST_CELLS // 30_000 + 1))


def test_likeness_is_that_of_the_shorter_one() -> None:
    assert likeness(HUMAN, HUMAN[:20]) == 1.0
    assert likeness(HUMAN, "W" * 20) == 0.0
    assert likeness(HUMAN, "MK") == 0.0
