"""What the p values of a table row say."""

import re

from retrieval.values import TableRow

P_HEAD = re.compile(r"\s*p(?:[- ]?values?)?\s*(?:\(.*\))?\s*", re.IGNORECASE)
P_CELL = re.compile(r"\s*(?P<less>[<≤]?)\s?(?P<p>[01]?\.\d+)\s*")
P_VALUE = re.compile(r"\bp\s?[<=≤]\s?0?\.0[0-4]\d*|^\s*significant\b", re.IGNORECASE)
CHANCE = re.compile(r"\bp\s?[=>≥]\s?0?\.(?:0[5-9]|[1-9])\d*", re.IGNORECASE)
NO_EFFECT_CELL = re.compile(r"\b(?:not significant|n\.?s\.?|no effect|none)\b", re.IGNORECASE)


def significant(row: TableRow) -> bool | None:
    """Whether the p values of a row are all below 0.05; None where it has no column of them."""
    read = [
        P_CELL.fullmatch(cell)
        for head, cell in zip(row.header, row.cells, strict=True)
        if P_HEAD.fullmatch(head)
    ]
    values = [float(found["p"]) - (1e-9 if found["less"] else 0) for found in read if found]
    return all(value < 0.05 for value in values) if values else None


def only_chance(text: str) -> bool:
    """Whether a text gives p values, and none of a significant difference: "10 mg (p = 0.41)"."""
    return CHANCE.search(text) is not None and P_VALUE.search(text) is None
