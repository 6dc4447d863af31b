"""Numbers as people write many of them: as ranges."""

from collections.abc import Sequence


def in_ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as they are read: "1–3, 7"."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in found)
