"""How well scores order what holds before what does not."""

from collections.abc import Sequence


def auc(gold: Sequence[bool], scores: Sequence[float]) -> float | None:
    """The area under the ROC curve: how often a positive scores above a negative, ties by half.

    None without a positive or without a negative.
    """
    positive = [score for score, one in zip(scores, gold, strict=True) if one]
    negative = [score for score, one in zip(scores, gold, strict=True) if not one]
    if not positive or not negative:
        return None
    won = sum((high > low) + 0.5 * (high == low) for high in positive for low in negative)
    return won / (len(positive) * len(negative))
