"""What is too long for one message, in parts that a platform takes."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def groups(
    items: Iterable[T], weigh: Callable[[T], int], most: int, number: int = sys.maxsize
) -> Iterator[list[T]]:
    """Items in their order, in groups of at most `number` that weigh at most `most` together; what is heavier
    stands alone.
    """
    group: list[T] = []
    held = 0
    for item in items:
        weight = weigh(item)
        if group and (len(group) == number or held + weight > most):
            yield group
            group, held = [], 0
        group.append(item)
        held += weight
    if group:
        yield group
