"""Lists that a text numbers itself: "Two grounds: (1) low exposure (2) vomiting".

The numbers of the items are no values, and how many they are is counted in the text.
"""

import re
from dataclasses import dataclass

from agents.text.numbers import COUNTING_WORDS, parse_numbers
from agents.text.words import content_words, stems

BULLET = "•"
"""Stands in place of the number of an item."""
_NO_ITEM = r"(?!\s+(?:in|of|at|for|and|or|to|on|from|with|vs\.?|versus|per|were|was|are|is)\b)"
_MARK = re.compile(
    rf"(?<!\S)(?P<open>\()?(?P<number>[1-9]\d?)(?P<close>[.)]){_NO_ITEM}(?=\s+(?P<first>[^\W\d_]))",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"\A\s*\(?[1-9]\){_NO_ITEM}(?=\s+[^\W\d_])", re.IGNORECASE)
_BEGINS = re.compile(r"(?:\A|\n|[:;.]|\b(?:are|were|namely|because of|by))\s*\Z")
"""What stands before the first number in brackets."""
_BEGINS_POINT = re.compile(r"(?:\A|\n|[:;.])\s*\Z")
"""What stands before the first number with a point, which may end a sentence instead."""
_COUNTS = re.compile(
    r"\bby\s(?:dose\s|treatment\s)?(?:groups?|doses?|sex|arms?|treatment)\b[^.;\n]*\Z"
    r"|\b(?:deaths?|events?|cases?|fatalities|mortality|incidences?|numbers?)\b[^.;:\n]*(?::|\b(?:are|were))\s*\Z"
    r"|(?:\A|[.;,\n]\s*)(?:(?:the|dead|affected|treated)\s)*(?:animals|patients|subjects|rats|mice|dogs|monkeys"
    r"|rabbits|males|females)(?:\s(?:with|in|by|per|of|at)\b[^.;:\n]*)?\s*(?::|\b(?:are|were))\s*\Z",
    re.IGNORECASE,
)
"""Before numbers, what these may count group by group: "Deaths by group were (1) placebo (2) low dose"."""
_GOES_ON = re.compile(r"[.;,\n]\s*\Z")
_COUNTED = re.compile(
    rf"\b(?P<count>{COUNTING_WORDS}|\d{{1,2}})\s(?:[a-z-]+\s)?"
    r"(?:grounds|reasons|causes|findings|points|factors|arguments|concerns|issues|criteria|conditions|objectives"
    r"|aims|steps|risks|options|observations|studies|trials|reports|documents)\b[^.;()\d]*\Z",
    re.IGNORECASE,
)
"""Before a list, how many things it lists. Animals and people are no items: a list of two findings does not
count two dogs.
"""
_CARRIED = 0.5
"""Share of the content words of an item that its citations must have."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A text with bullets for the numbers of its list. `items` are what it lists; `count` is the place of the
    number that says how many these are, if any.
    """

    text: str
    items: tuple[str, ...] = ()
    count: tuple[int, int] | None = None

    def read(self, quotes: str) -> str:
        """The text, without its count where that is right and the quotes have the words of each item."""
        if self.count is None:
            return self.text
        start, end = self.count
        said = [one.value for one in parse_numbers(self.text[start:end])]
        if said != [float(len(self.items))] or not all(_is_told(item, quotes) for item in self.items):
            return self.text
        return f"{self.text[:start]}…{self.text[end:]}"


def listed(text: str, of_list: bool = False) -> Listed:
    """The list of a text that numbers its items from one on, all in the same style; the text itself if none.

    "Deaths: control (1), low (2)" is none: the first number of a list stands at its beginning. A number in
    brackets at the beginning of a text that is part `of_list` is that of an item; else it may be a count
    ("(3) animals died").
    """
    marks: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if int(mark["number"]) == len(marks) + 1 and _marks(mark, marks[:1], text[: mark.start()]):
            marks.append(mark)
    if len(marks) < 2:
        return Listed(_ITEM.sub(BULLET, text) if of_list else text)
    starts, ends = [mark.start() for mark in marks], [mark.end() for mark in marks]
    before, *items = (text[a:b] for a, b in zip([0, *ends], [*starts, len(text)], strict=True))
    counted = _COUNTED.search(before)
    return Listed(
        BULLET.join((before, *items)),
        tuple(item.strip(" \n;,.") for item in items),
        counted.span("count") if counted else None,
    )


def _marks(mark: re.Match[str], first: list[re.Match[str]], before: str) -> bool:
    """Whether a number marks an item: the first one at the beginning of a list, the others in its style."""
    pointed = mark["close"] == "."
    if not first:
        return not _COUNTS.search(before) and bool((_BEGINS_POINT if pointed else _BEGINS).search(before))
    alike = (mark["open"], mark["close"]) == (first[0]["open"], first[0]["close"])
    return alike and (not pointed or mark["first"].islower() or bool(_GOES_ON.search(before)))


def _is_told(item: str, quotes: str) -> bool:
    """Whether quotes have most of the words of an item."""
    words = content_words(item)
    return bool(words) and len(words & stems(quotes)) >= _CARRIED * len(words)
