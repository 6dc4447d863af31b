"""Groups of what belongs together."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def grouped(
    members: Iterable[T], pairs: Iterable[tuple[T, T]], fits: Callable[[T, T], bool] = lambda *_: True
) -> list[list[T]]:
    """Members in groups that pairs connect, directly or through others; all in the order of the members.

    Only a pair that is not in one group yet is asked whether it `fits` (default: each does).
    """
    above = {member: member for member in members}

    def top(member: T) -> T:
        while above[member] != member:
            above[member] = member = above[above[member]]
        return member

    for one, other in pairs:
        if top(one) != top(other) and fits(one, other):
            above[top(one)] = top(other)
    groups: dict[T, list[T]] = defaultdict(list)
    for member in above:
        groups[top(member)].append(member)
    return list(groups.values())
