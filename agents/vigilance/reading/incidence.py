"""Figures of how often an outcome was seen, beside its mention."""

import re

from agents.vigilance.values import Incidence

BESIDE = 140
"""So many characters after a mention its figures may stand."""
PERCENT = re.compile(
    r"(?P<below><|≤|(?:less|fewer) than|under|below)?\s*"
    r"(?<![\d.-])(?P<percent>\d{1,2}(?:\.\d+)?|100)\s*(?:%|per ?cent)"
)
_FIGURE = r"<?\s?\d{1,2}(?:\.\d+)?"
ROW = re.compile(rf"\s*(?P<first>{_FIGURE})(?:\s+(?P<second>{_FIGURE}))?(?P<more>(?:\s+{_FIGURE})*)(?=\s|$)")
"""What stands behind a row's name in a table whose cells run together ("Headache 2 1 Nausea 6 1")."""
ABOVE_ROW = re.compile(r"\d\s+(?:[A-Z][\w ,/()-]{0,50}\s)?$")
"""What a row of such a table follows: the figures of the row above, perhaps with the heading of a group."""
HEADED = 800
"""So many characters above a row the table's head is looked for, which names per cent."""
COUNT = re.compile(r"\b(\d{1,6})\s*(?:/|of|out of)\s*(\d{1,3}(?:,\d{3})+|\d{2,7})\b")
CONTROL = re.compile(r"placebo|control|comparator|versus|\bvs\b|compared", re.I)
CONTROL_ARM = re.compile(r"\b(?:placebo|controls?|vehicle|untreated|no treatment)\b", re.I)
OF_SECOND = re.compile(rf"{CONTROL_ARM.pattern}(?: groups?| arms?)?\W*$", re.I)
BEFORE = 24
"""So many characters before a figure its arm may be named ("placebo (2.2%)")."""
ANOTHER = re.compile(r"[;]|\n|,\s*[a-z]{4,}|[a-z]{4,}\s+\(")
"""Where figures of the next event begin."""


def incidence_of(text: str, start: int, end: int, last: int) -> Incidence | None:
    """The figures right after a mention at `start` to `end` of a sentence that ends at `last`.

    The first percentage is the drug's; a second one is the control's where the sentence names a control. They
    change places where the first is said to be the control's ("2.2% on placebo and 1.1% on alendronate").
    """
    limit = min(last, end + BESIDE)
    stretch = text[end:limit]
    if cut := ANOTHER.search(stretch):
        stretch = (
            stretch[: cut.start()] if not CONTROL.search(stretch[cut.start() : cut.end() + 8]) else stretch
        )
    percents = list(PERCENT.finditer(stretch))
    count = COUNT.search(stretch)
    if not percents and not count:
        return _in_table(text, start, end)
    n, of = (int(part.replace(",", "")) for part in count.groups()) if count else (None, None)
    if n is not None and of is not None and (of == 0 or n > of):
        n = of = None
    stop = end + max([one.end() for one in percents[:2]] + ([count.end()] if count else []))
    if percents:
        percent = float(percents[0]["percent"])
    elif n is not None and of:
        percent = round(100 * n / of, 3)
    else:
        return None
    control = None
    if len(percents) > 1 and CONTROL.search(text[start:last]):
        control = float(percents[1]["percent"])
        if _control_first(stretch, percents[0], percents[1], text[end + percents[1].end() : last]):
            percent, control, n, of = control, percent, None, None
    below = bool(percents and percents[0]["below"])
    return Incidence(text[start:stop], percent, n, of, control, below)


def _control_first(stretch: str, first: re.Match[str], second: re.Match[str], after: str) -> bool:
    """Whether the first of two figures is the control's: named between both, or right before the first.

    What follows the second figure must not name it again, for "2% and 1% on placebo" names its second.
    """
    between, before = stretch[first.end() : second.start()], stretch[: first.start()]
    named = CONTROL_ARM.search(between) or CONTROL_ARM.search(before[-BEFORE:])
    of_second = OF_SECOND.search(between) or CONTROL_ARM.search(after[:BEFORE])
    return bool(named) and not of_second


def _in_table(text: str, start: int, end: int) -> Incidence | None:
    """The figures of a row of a table in per cent; the second of two is the control's if there is one."""
    head = text[max(0, start - HEADED) : start]
    row = ROW.match(text, end)
    if row is None or "%" not in head or not ABOVE_ROW.search(head):
        return None
    percent = float(row["first"].lstrip("< "))
    two = row["second"] and not row["more"].strip() and CONTROL.search(head)
    control = float(row["second"].lstrip("< ")) if two else None
    return Incidence(text[start : row.end()], percent, control=control, below=row["first"].startswith("<"))
