"""Values that are told in another form than they are stated, and are the same: "fell by 3 ms" of -3 ms, "by a
factor of 1.6" of 1.6-fold, "day 28" of "28 days", "after 13 weeks" of "Week 13", "21.3 vs 15.8" of months.

None of them changes a number. Each needs the words that give it the other form.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.text.numbers import parse_numbers
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity

_FALLS_BEFORE = re.compile(
    r"\b(?:(?:f[ae]ll(?:s|en|ing)?|decreas(?:e|es|ed|ing)|reduc(?:e|es|ed|ing|tion)|lower(?:ed|s|ing)|loss"
    r"|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|shorten(?:s|ed|ing)?|diminish(?:es|ed)?)\s(?:it\s)?(?:by|of)\s"
    r"|(?:loss|decrease|reduction|decline|drop|fall)(?:\s(?:in|of)\s[^\W\d]+)?\s(?:was|is)\s"
    r"|(?:fell|fallen|falls|dropped|declined|lost)\s)(?:about\s|approximately\s)?\Z",
    re.IGNORECASE,
)
"""Right before an amount, that something fell by it; "fell to" and "at the lower dose" are none."""
_FALLS_BEHIND = re.compile(
    r"\s(?:(?:lower|shorter|smaller|less|fewer)(?=\s(?:than|at|in|with|after|on|by)\b|[.,;)]|\s*\Z)"
    r"|(?:decrease|reduction|fall|drop|decline|loss|shortening)\b)",
    re.IGNORECASE,
)
_IMPROVES = re.compile(r"\bimprov(?:e|es|ed|ing|ement)\s(?:by|of)\s(?:about\s)?\Z", re.IGNORECASE)
_RISES = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|increas\w*|higher|(?<!weight\s)gain\w*|rais\w*|prolong\w*|longer|elevat\w*"
    r"|climb\w*)\b",
    re.IGNORECASE,
)
_RISES_BY = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|increas\w*|rais\w*|elevat\w*|prolong\w*|climb\w*|(?<!weight\s)gain\w*)"
    r"\s(?:[^\W\d]+\s){0,3}by\s(?:about\s)?\Z",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:reduc|lower|decreas|limit|prevent|blunt|attenuat|shorten|halv)\w*\s(?:[^\W\d]+\s){0,3}\Z",
    re.IGNORECASE,
)
"""Right before a rise, that it was held back: "reduced the increase in weight by"."""
_RISES_BEHIND = re.compile(r"\s(?:higher|longer|more|greater|increase|rise|gain)\b", re.IGNORECASE)
_SIGNED = r"[^;.()]{{0,60}}\([^()]{{0,20}}[=:]?\s?[-−–]{number}(?![\d.,]*\d)"
"""Behind a number, the same with a minus sign in brackets: "by 12.3 points (b = -12.3)"."""
_RATIO = re.compile(
    r"\b(?:factor|margin|multiple|ratio)s?\b(?:\s(?:of|was|were|is|are|about|at least))*\s?[:=]?\s?\Z",
    re.IGNORECASE,
)
_RATIOS = re.compile(r"\b(?:factor|margin|multiple|ratio)s?\b", re.IGNORECASE)
_PASSED = re.compile(r"\b(?:after|at|by|until|following)\s(?:the\s)?\Z", re.IGNORECASE)
_REACHED = re.compile(r"\b(?:after|at|by|until|through|following|within)\s(?:the\s)?\Z", re.IGNORECASE)
_POINT = re.compile(r"\b(?P<unit>days?|weeks?|months?)\s(?P<number>\d{1,3})\b(?!\s?[/%])", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|ca\.?|circa)\s|[~≈]\s?)\Z", re.IGNORECASE
)
_ROMAN = {1.0: "i", 2.0: "ii", 3.0: "iii", 4.0: "iv", 5.0: "v"}
_IN_ROMAN = frozenset({"phase", "grade", "class", "stage", "type"})
_UNITS = {"d": "day", "day": "day", "wk": "week", "week": "week", "mo": "month", "month": "month"}


_COMPARED = r"(?:vs\.?|versus|against|compared (?:to|with))"
_SPREAD = re.compile(r"(?:\b(?:SD|SE|SEM|range|IQR)\s?[:=]?|±)\s?\Z")
_COMPARED_BEHIND = re.compile(rf"\s{_COMPARED}\s\d")
_COMPARED_BEFORE = re.compile(rf"\d\s{_COMPARED}\s\Z")


def as_fall(text: str, quantity: Quantity) -> Quantity | None:
    """An amount with a minus sign, where the words around it say that something fell by it; else None."""
    if quantity.low < 0 or not is_fall(text, quantity.start, quantity.end):
        return None
    return minus(quantity)


def minus(quantity: Quantity) -> Quantity:
    """An amount with a minus sign."""
    return replace(
        quantity,
        low=-quantity.high,
        high=-quantity.low,
        standard_low=-quantity.standard_high,
        standard_high=-quantity.standard_low,
    )


def tells_rise(text: str) -> bool:
    """Whether anything rises in a text."""
    return _RISES.search(text) is not None


def is_fall(text: str, start: int, end: int) -> bool:
    """Whether the words around the number at this place say that something fell by it, or that a score of
    complaints improved by it.
    """
    return falls(text, start, end) or bool(_IMPROVES.search(text[max(0, start - 60) : start]))


def falls(text: str, start: int, end: int) -> bool:
    """Whether the words around the number at this place say that something fell by it."""
    before = text[max(0, start - 60) : start]
    behind = _FALLS_BEHIND.match(text, end)
    signed = re.compile(_SIGNED.format(number=re.escape(text[start:end].split(" ")[0]))).match(text, end)
    rises = _RISES.search(before)
    return bool(((behind or signed) and not rises) or _FALLS_BEFORE.search(before))


def turned(text: str, quantity: Quantity) -> Quantity:
    """An amount of a text with what is told of it: that something rose by it, or fell."""
    if quantity.low < 0:
        return quantity
    return replace(quantity, turn=is_rise(text, quantity) - falls(text, quantity.start, quantity.end))


def is_rise(text: str, quantity: Quantity) -> bool:
    """Whether the words around an amount say that something rose by it."""
    before = text[max(0, quantity.start - 60) : quantity.start]
    rise = _RISES_BY.search(before)
    held = rise and _HELD.search(before[: rise.start()])
    return bool((rise and not held) or _RISES_BEHIND.match(text, quantity.end))


def is_rounded(text: str, quantity: Quantity, stated: Sequence[Quantity]) -> bool:
    """Whether an amount called approximate is a stated one, rounded to the digits written: two at least."""
    number = next(iter(parse_numbers(quantity.text)), None)
    if number is None or quantity.is_range or len(re.sub(r"\D|^[0.]+", "", number.text)) < 2:
        return False
    if not _ABOUT.search(text[max(0, quantity.start - 20) : quantity.start]) or not quantity.low:
        return False
    factor = quantity.standard_low / quantity.low
    step = 10.0 ** -len(number.text.partition(".")[2])
    return any(
        one.standard_unit == quantity.standard_unit
        and not one.is_range
        and one.turn * quantity.turn >= 0
        and abs(one.standard_low / factor - quantity.low) <= step / 2
        for one in stated
    )


def ratios(text: str) -> Iterator[Quantity]:
    """Bare numbers behind "factor of", "margin of" and the like, as multiples."""
    taken = [(one.start, one.end) for one in parse_quantities(text)]
    for number in parse_numbers(text) if _RATIOS.search(text) else ():
        if any(start < number.end and number.start < end for start, end in taken):
            continue
        if is_ratio(text, number.start):
            yield from as_multiple(number.text)


def is_ratio(text: str, start: int) -> bool:
    """Whether the number that begins at `start` is called a factor, margin, multiple or ratio."""
    return bool(_RATIO.search(text[max(0, start - 40) : start]))


def as_multiple(number: str) -> tuple[Quantity, ...]:
    """A number as so many fold."""
    return parse_quantities(f"{number}-fold")


def points(text: str) -> Iterator[Quantity]:
    """Days, weeks and months that a text numbers, as the time that has passed by then."""
    for found in _POINT.finditer(text):
        yield from parse_quantities(f"{found['number']} {found['unit']}")


def is_reached(text: str, quantity: Quantity) -> bool:
    """Whether an amount is a time that has passed: "after 13 weeks"."""
    return time_unit(quantity) != "" and bool(
        _REACHED.search(text[max(0, quantity.start - 20) : quantity.start])
    )


def time_unit(quantity: Quantity) -> str:
    """The day, week or month that a whole time is counted in; "" for other amounts."""
    whole = not quantity.is_range and quantity.low == int(quantity.low)
    return _UNITS.get(quantity.unit.lower().removesuffix("s"), "") if whole else ""


def passed(text: str) -> Iterator[str]:
    """Days, weeks and months by whose number a text could call a time: "week 6" of "after 6 weeks".

    "Followed for 14 days" and "within 14 days" name no day 14.
    """
    for one in parse_quantities(text):
        if time_unit(one) and _PASSED.search(text[max(0, one.start - 20) : one.start]):
            yield f"{time_unit(one)} {one.low:g}"


def is_written_so(label: str, number: float, text: str) -> bool:
    """Whether a folded text writes a number behind its label as a Roman one ("phase II")."""
    roman = _ROMAN.get(number, "") if label in _IN_ROMAN else ""
    return bool(roman) and bool(re.search(rf"\b{label}s?\s{roman}[ab]?(?!\w)", text))


def with_label_of(head: str, cell: str) -> Iterator[str]:
    """A Roman number of a cell behind the labels that its head has: "phase II" of II under "Phase"."""
    if re.fullmatch(r"\s*(?:I{1,3}|IV|V)[ab]?\s*", cell):
        yield from (
            f"{word} {cell.strip()}" for word in re.findall(r"\w+", head) if word.casefold() in _IN_ROMAN
        )


def with_unit_of(text: str, start: int, end: int, others: Sequence[Quantity]) -> Iterator[Quantity]:
    """A bare number with the unit of other amounts of its clause.

    Only one that is set against another ("12 vs 7") or is its spread ("SD 21") can lack it, in a clause of
    one unit, which is not that of a dose: others may be counts, and a dose is no result.
    """
    compared = _COMPARED_BEHIND.match(text, end) or _COMPARED_BEFORE.search(text[:start])
    compared = compared or _SPREAD.search(text[:start])
    units = {one.unit for one in others}
    if compared and len(units) == 1 and not any(one.is_dose for one in others):
        yield from parse_quantities(f"{text[start:end]} {units.pop()}")
