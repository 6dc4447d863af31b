"""Whether a value stands in another row or column of a table than a text names."""

import re
from collections.abc import Sequence

from agents.text.numbers import parse_numbers
from agents.text.words import stem

Row = tuple[tuple[str, ...], tuple[str, ...]]
"""The heads and the cells of a row."""
_UNIT = re.compile(r"\s*\((?P<unit>[^()]*)\)\s*\Z")


def is_misplaced(clause: str, value: float, told: frozenset[float], rows: Sequence[Row]) -> bool:
    """Whether a clause tells a value of a table as that of another row or column than its own.

    It names the label of the other, tells nothing of what stands there, and does not name that of the value's
    own. `told` are the numbers of the clause.
    """
    rows = [(head, row) for head, row in rows if row != head]
    held = [
        (head, row, place) for head, row in rows for place, cell in enumerate(row) if value in _numbers(cell)
    ]
    if not held or any(place == 0 for _, _, place in held):
        return False
    others = told - {value}
    free = {
        row[0] for head, row in rows if _names(clause, row[0], head[0]) and not others & _numbers(*row[1:])
    }
    return all(
        (not _names(clause, row[0], head[0]) and free - {row[0]})
        or (not _names(clause, head[place]) and _names_beside(clause, head, row, place, others))
        for head, row, place in held
    )


def _names_beside(
    clause: str, head: Sequence[str], row: Sequence[str], place: int, others: frozenset[float]
) -> bool:
    """Whether a clause names the head of another cell of a row, and does not tell that cell."""
    return any(
        _names(clause, name) and not others & _numbers(cell) and cell.casefold() not in clause.casefold()
        for at, (name, cell) in enumerate(zip(head, row, strict=True))
        if at not in (0, place) and name != head[place]
    )


def _numbers(*cells: str) -> frozenset[float]:
    return frozenset(number.value for cell in cells for number in parse_numbers(cell))


def _names(clause: str, label: str, head: str = "") -> bool:
    """Whether a clause has all words of a label; of a number the unit too, which its head may give."""
    label = label.strip() if re.search(r"[^\W\d]{2}", label) else label.strip() + _unit(head)
    words = _words(_UNIT.sub("", label))
    return any(word.isalpha() and len(word) > 1 for word in words) and words <= _words(clause)


def _unit(head: str) -> str:
    found = _UNIT.search(head)
    return f" {found['unit']}" if found else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", text.casefold()))
