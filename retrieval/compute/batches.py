"""Texts of many lengths in batches of about equal work. Pure functions; lengths are counted in pieces."""

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions, longest first, in batches whose padded size (texts x longest) is at most `budget` pieces.

    Neighbours in length share a batch, so little is padded. A text over the budget is a batch of its own. The
    longest go first, so that a device that is too small for the budget says so at once.
    """
    if budget < 1:
        raise ValueError("the budget of a batch is at least one piece")
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    while order:
        size = max(1, budget // max(1, lengths[order[0]]))
        yield order[:size]
        order = order[size:]
