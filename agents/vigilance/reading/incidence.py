"""Figures of how often an outcome was seen, beside its mention."""

import re
from collections.abc import Sequence

from agents.vigilance.values import Incidence

BESIDE = 140
"""So many characters after a mention its figures may stand."""
PERCENT = re.compile(
    r"(?P<below><|≤|(?:less|fewer) than|under|below)?\s*"
    r"(?<![\d.-])(?P<percent>\d{1,2}(?:\.\d+)?|100)\s*(?:%|per ?cent)"
)
COUNT = re.compile(r"\b(\d{1,6})\s*(?:/|of|out of)\s*(\d{1,3}(?:,\d{3})+|\d{2,7})\b")
CONTROL = re.compile(r"placebo|control|comparator|versus|\bvs\b|compared", re.I)
CONTROL_ARM = re.compile(r"\b(?:placebo(?!-control)|controls?|vehicle|untreated|no treatment)\b", re.I)
CONTROL_FIRST = re.compile(
    r"\bplacebo, [^.;%]{3,80}\band\b[^.;%]{3,60} (?:was|were|is|are|\()", re.IGNORECASE
)
"""The control named first of several arms ("placebo, 10 mg, and 25 mg was 16.6%, 18.4% and 17.0%")."""
OF_WHAT_FOLLOWS = re.compile(
    rf"{CONTROL_ARM.pattern}(?:-treated)?(?: (?!(?:and|or|but|vs|versus)\b)[a-z-]+){{0,3}}[\s(:=<]*$"
    rf"|{CONTROL_ARM.pattern}(?:-treated)? (?:patients|subjects|recipients|women|men|groups?|arms?),\s*$",
    re.I,
)
"""The control's name right before a figure ("placebo 5%", "control patients (5%)")."""
OF_WHAT_STANDS = re.compile(
    r"^\W*(?:of (?:the )?(?:\d[\d,]* )?(?:(?:patients|subjects|women|men|those|people) )?)?"
    r"(?:(?:in|on|of|with|for|among|receiving|taking|given|treated with|who received) )?"
    rf"(?:the )?{CONTROL_ARM.pattern}",
    re.I,
)
"""The control's name right behind a figure ("(2.2%) of 1005 patients on placebo", "1.8% on placebo")."""
ANOTHER = re.compile(r"[;]|\n|,\s*[a-z]{4,}|[a-z]{4,}\s+\(")
"""Where figures of the next event begin."""


def incidence_of(text: str, start: int, end: int, last: int) -> Incidence | None:
    """The figures right after a mention at `start` to `end` of a sentence that ends at `last`.

    The control's is the percentage that its name stands beside ("2.2% on placebo and 1.1% on alendronate"),
    else the second one where the sentence names a control; the drug's is the first of the others.
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
    stop = end + max([one.end() for one in percents[:3]] + ([count.end()] if count else []))
    if percents:
        percent = float(percents[0]["percent"])
    elif n is not None and of:
        percent = round(100 * n / of, 3)
    else:
        return None
    control, drugs = None, percents[0] if percents else None
    if len(percents) > 1 and CONTROL.search(text[start:last]):
        place = _control_of(stretch, percents)
        if place is None and CONTROL_FIRST.search(text[max(0, start - BESIDE) : last]):
            place = 0
        of_control = percents[1 if place is None else place]
        drugs = percents[1] if place == 0 else percents[0]
        control, percent = float(of_control["percent"]), float(drugs["percent"])
        if place == 0:
            n = of = None
    below = bool(drugs and drugs["below"])
    return Incidence(text[start:stop], percent, n, of, control, below)


def _control_of(stretch: str, percents: Sequence[re.Match[str]]) -> int | None:
    """Which figure is the control's: its name stands right before or behind it. None if none does."""
    edges = [0, *(one.end() for one in percents)]
    starts = [*(one.start() for one in percents), len(stretch)]
    before = [stretch[edges[at] : starts[at]] for at in range(len(percents))]
    behind = [stretch[edges[at + 1] : starts[at + 1]] for at in range(len(percents))]
    named = [at for at, words in enumerate(before) if OF_WHAT_FOLLOWS.search(words)]
    named += [at for at, words in enumerate(behind) if OF_WHAT_STANDS.match(words)]
    return named[0] if named else None
