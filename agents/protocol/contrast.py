"""Which groups a question compares: by a table of samples, or by the words of the objective."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.protocol.values import DataFile, Dataset, Objective

REFERENCE = re.compile(
    r"(?:control|ctrl|untreated|normal|healthy|wild.?type|wt|placebo|vehicle|baseline|mock|negative)s?\b",
    re.IGNORECASE,
)
GROUPING = re.compile(r"group|condition|dex|treat|disease|status|type|class|state|response", re.IGNORECASE)
_BETWEEN = (
    re.compile(
        r"\bbetween (?P<one>[\w\s-]{3,40}?) and (?P<other>[\w\s-]{3,40}?)"
        r"(?=[.,;?]|\s(?:in|of|from|by|with)\b|$)"
    ),
    re.compile(
        r"(?P<one>[\w-]+(?:\s[\w-]+)?) (?:versus|vs\.?|compared (?:with|to)) (?P<other>[\w-]+(?:\s[\w-]+)?)"
    ),
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two groups. `column` of a table has them; "" where the words of the objective do."""

    case: str
    reference: str
    column: str = ""

    @property
    def text(self) -> str:
        """The contrast in words."""
        return f"{self.case} against {self.reference}"


def contrast_of(objective: Objective, datasets: Sequence[Dataset]) -> Contrast | None:
    """The contrast of a question; None where neither a table nor the words tell."""
    tables = [
        file for one in datasets if one.usable for file in one.files if file.kind in ("samples", "soft")
    ]
    found = [pair for file in tables for pair in _in_table(file, objective.whole)]
    if found:
        return max(found, key=lambda pair: pair[0])[1]
    for pattern in _BETWEEN:
        if match := pattern.search(objective.text):
            one, other = match["one"].strip(), match["other"].strip()
            return Contrast(other, one) if REFERENCE.match(one) else Contrast(one, other)
    return None


def _in_table(file: DataFile, text: str) -> Iterator[tuple[int, Contrast]]:
    """The columns of two groups, with how well each fits the text."""
    for column, levels in file.levels:
        if len(levels) != 2:
            continue
        usual = [one for one in levels if REFERENCE.search(one)]
        reference = usual[0] if len(usual) == 1 else levels[0]
        case = next(one for one in levels if one != reference)
        told = sum(_says(text, one) for one in (*levels, column))
        yield 2 * told + 2 * bool(usual) + bool(GROUPING.search(column)), Contrast(case, reference, column)


def _says(text: str, word: str) -> bool:
    plain = word.replace("_", " ")
    return bool(re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text, re.IGNORECASE))
