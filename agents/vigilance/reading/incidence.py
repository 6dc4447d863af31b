"""Figures of how often an outcome was seen, beside its mention."""

import re

from agents.vigilance.values import Incidence

BESIDE = 140
"""So many characters after a mention its figures may stand."""
PERCENT = re.compile(r"(?<![\d.-])(\d{1,2}(?:\.\d+)?|100)\s*(?:%|per ?cent)")
COUNT = re.compile(r"\b(\d{1,6})\s*(?:/|of|out of)\s*(\d{1,3}(?:,\d{3})+|\d{2,7})\b")
CONTROL = re.compile(r"placebo|control|comparator|versus|\bvs\b|compared", re.I)
ANOTHER = re.compile(r"[;]|\n|,\s*[a-z]{4,}|[a-z]{4,}\s+\(")
"""Where figures of the next event begin."""


def incidence_of(text: str, start: int, end: int, last: int) -> Incidence | None:
    """The figures right after a mention at `start` to `end` of a sentence that ends at `last`.

    The first percentage is the drug's; a second one is the control's where the sentence names a control.
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
        return None
    n, of = (int(part.replace(",", "")) for part in count.groups()) if count else (None, None)
    if n is not None and of is not None and (of == 0 or n > of):
        n = of = None
    stop = end + max([one.end() for one in percents[:2]] + ([count.end()] if count else []))
    if percents:
        percent = float(percents[0].group(1))
    elif n is not None and of:
        percent = round(100 * n / of, 3)
    else:
        return None
    control = None
    if len(percents) > 1 and CONTROL.search(text[start:last]):
        control = float(percents[1].group(1))
    return Incidence(text[start:stop], percent, n, of, control)
