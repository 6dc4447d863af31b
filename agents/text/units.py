"""Units in a text and their standard form.

A unit is read as simple units joined by products and quotients ("µg·h/mL", "mg kg-1 day-1", "milligrams per
kilogram per day") and normalised to one spelling and one factor. Units convert only within a dimension:
mg/kg is not mg, a daily rate is not an hourly one, and the kg of a body is not a mass.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.text.unit_table import ATOMS, BASES, PER_BODY, Atom


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in a text. `number * factor` is in `symbol`, the standard form ("mg/kg/day", "ng·h/mL")."""

    start: int
    end: int
    text: str
    symbol: str
    factor: float


@dataclass(frozen=True, slots=True)
class _Part:
    """A simple unit with its exponent, 1 or -1."""

    atom: Atom
    sign: int


_SIGNS = str.maketrans({"μ": "µ", "−": "-", "⋅": "·", "∙": "·", "•": "·"})
_BLANKS = str.maketrans({"\u00a0": " ", "\u2009": " ", "\u202f": " "})
_CASE_BOUND = re.compile(r"[A-Za-z×]|[pnµum][mM]|[MD]a?")
"""Spellings that mean something else, or nothing, in another case: nM is molar, nm a length."""

_FOLDED = {name.lower(): name for name in (*ATOMS, *PER_BODY) if not _CASE_BOUND.fullmatch(name)}
_NAMES = "|".join(re.escape(name) for name in sorted({*ATOMS, *PER_BODY}, key=len, reverse=True))
_PER_POWER = "|".join(
    rf"(?<={per}{name})" for per in (r"/", r"/\s", r"per\s") for name in (r"m\s2", r"[mc]m\s3")
)
_POWER = (
    rf"(?:(?<!m\s[23])|{_PER_POWER}|(?<=[mc]m\s3)(?=\s?[.,;)](?!\s?\d)))"
    r"(?!(?<=m\s[23])(?:[.,]?\d|\s?[-–×%]|\s(?:of|or|to|out)\b))"
    r"(?!(?<=m\s3)\s(?:[a-z]+\s)?(?:days?|weeks?|months?|years?|h|hours?|min|minutes?|times)\b)"
    r"(?-i:(?<!M\s[23]))"
)
"""Around a power that is set apart, what tells it from a number of its own: it stands behind "/" ("mg/m 2"),
or a sentence or bracket goes on behind it ("710 mm 3,"). "5 mm 3 of 10 animals" is a length and a count.
"""
_ATOM = re.compile(
    rf"(?P<name>{_NAMES})(?P<inverse>\^?-1(?!\d)|⁻¹)?(?![A-Za-zµ0-9])(?!(?<=[dlugsxm])-[A-Za-z]){_POWER}",
    re.IGNORECASE,
)
_OF_BODY = re.compile(r"\s?(?:b\.?w\.?|(?:of\s)?body[\s-]?weight)(?![A-Za-z])|\s?/\s?dose\b", re.IGNORECASE)
_QUOTIENT = re.compile(r"\s?/\s?|\sper\s|\s?-per-|\sa\s(?=(?:day|week)\b)", re.IGNORECASE)
_PRODUCT = re.compile(r"\s?[·*×x.-]\s?|\s")
_MULTIPLIABLE = frozenset({"mass", "substance", "molar", "time", "volume", "percent", "iu"})
_OFTEN = re.compile(
    r"times(?:\s(?:a|per|each|every|daily|weekly|monthly|in)\b|\s?/)|[x×](?:\s?[\d/]|\s?(?:daily|weekly|a|per)\b)",
    re.IGNORECASE,
)
""" "3 times daily" counts doses and "3 x 50 mg" multiplies; neither is a ratio."""


def plain(text: str) -> str:
    """The text with one spelling of micro, minus, product dot and space; no character moves."""
    return plain_signs(text).translate(_BLANKS)


def plain_signs(text: str) -> str:
    """The text with one spelling of micro, minus and product dot; its blanks still part thousands."""
    return text.translate(_SIGNS)


def match_unit(text: str, at: int) -> Unit | None:
    """The longest unit that begins at `at` in a `plain` text, or None."""
    first = _first(text, at)
    if first is None:
        return None
    parts, end = [first[0]], first[1]
    while step := _next(text, end, parts):
        parts.append(step[0])
        end = step[1]
    if parts[0].atom.kind == "fold" and _OFTEN.match(text, at):
        return None
    symbol, factor = standard(parts)
    return Unit(at, end, text[at:end], symbol, factor)


_BEHIND_WORD = re.compile(
    r"(?<!\S)(?!(?:per|of|and|or|every|each)\s|[<>≤≥~]?\d[\d.,–-]*\s)\S+\s(?=[A-Za-zµ%°])"
)
"""A word of a head, no number, behind which a unit may stand."""
_COUNTED = re.compile(r"day|week|month|year|hour|min|(?!U/L)[A-Z](?:/[A-Z])*")
"""Units at the end of a head that are none: one of what is numbered, the least ("Age min"), capitals that are
groups.
"""


def find_units(text: str) -> tuple[Unit, ...]:
    """Units named without a number, as in a table's header: "Cmax (ng/mL)", "Dose [mg/kg]", "Dose, mg",
    "Cmax ng/mL".
    """
    read = plain(text)
    return tuple(_bracketed_units(read)) or tuple(_last_unit(read))


def units_in(text: str) -> Iterator[Unit]:
    """Every unit that a text writes anywhere; a lone letter, which may be a name, in brackets alone."""
    read = plain(text)
    yield from _bracketed_units(read)
    for match in re.finditer(r"(?<![A-Za-zµ/·])(?=[A-Za-zµ%°])", read):
        unit = match_unit(read, match.end())
        if unit and (len(unit.text) > 1 or unit.text == "%"):
            yield unit


def _bracketed_units(text: str) -> Iterator[Unit]:
    for match in re.finditer(r"(?:[(\[,;]|\bin)\s?(?=[A-Za-zµ%°])|^(?=[A-Za-zµ%°])", text):
        unit = match_unit(text, match.end())
        if unit and re.match(r"\s?(?:[)\],;:]|$|\([a-z ]+\))", text[unit.end :]):
            yield unit


def _last_unit(text: str) -> Iterator[Unit]:
    """The unit that ends a head behind a word. Behind a number it is that number's ("IV 2 mg/kg"), behind
    "per" another's; one day or week is counted ("Study day"), and capitals alone are groups ("M/F").
    """
    for match in _BEHIND_WORD.finditer(text):
        unit = match_unit(text, match.end())
        if unit and unit.end == len(text.rstrip()) and not _COUNTED.fullmatch(unit.text):
            yield unit
            return


def standard(parts: list[_Part]) -> tuple[str, float]:
    """Standard symbol and factor of a product of simple units."""
    factor = 1.0
    powers: dict[str, int] = {}
    for part in parts:
        factor *= part.atom.factor**part.sign
        powers[part.atom.kind] = powers.get(part.atom.kind, 0) + part.sign
    factor *= _rename(powers)
    small_mass = powers.get("mass") == 1 and powers.get("volume") == -1
    return _symbol(powers, small_mass), factor * (1e6 if small_mass else 1.0)


def _rename(powers: dict[str, int]) -> float:
    """Write quotients that have a unit of their own in it: 1 nmol/mL is 1000 nM, 1 g/mol is 1 Da."""
    for above, below, whole, factor in (
        ("substance", "volume", "molar", 1e3),
        ("beats", "time", "pulse", 1 / 60),
        ("mass", "substance", "dalton", 1e6),
    ):
        if powers.get(above) == 1 and powers.get(below) == -1:
            del powers[above], powers[below]
            powers[whole] = powers.get(whole, 0) + 1
            return factor
    return 1.0


def _symbol(powers: dict[str, int], small_mass: bool) -> str:
    above = [_base(kind, small_mass) for kind in BASES if powers.get(kind, 0) > 0]
    below = [_base(kind, small_mass) for kind in BASES if powers.get(kind, 0) < 0]
    return "/".join(["·".join(above) or "1", *below])


def _base(kind: str, small_mass: bool) -> str:
    return "ng" if small_mass and kind == "mass" else BASES[kind]


def _first(text: str, at: int) -> tuple[_Part, int] | None:
    if text.startswith("/", at):
        return _read(text, at + 1, -1)
    return _read(text, at, 1)


def _next(text: str, end: int, parts: list[_Part]) -> tuple[_Part, int] | None:
    if quotient := _QUOTIENT.match(text, end):
        return _read(text, quotient.end(), -1)
    product = _PRODUCT.match(text, end)
    found = _read(text, product.end(), 1) if product else None
    if found is None or not _joined(text[end : found[1]], found[0], parts):
        return None
    return found


def _joined(written: str, part: _Part, parts: list[_Part]) -> bool:
    """A blank joins only an inverse ("mg kg-1") or an hour ("ng h/mL"); other signs join freely."""
    if part.sign < 0:
        return True
    if part.atom.kind not in _MULTIPLIABLE or parts[-1].atom.kind not in _MULTIPLIABLE:
        return False
    if parts[-1].atom.kind == part.atom.kind:
        return False
    return not written[0].isspace() or bool(re.fullmatch(r"\s[·*×x]\s.+|\s(?:h|hr)", written))


def _read(text: str, at: int, sign: int) -> tuple[_Part, int] | None:
    match = _ATOM.match(text, at)
    if match is None:
        return None
    sign = -1 if match["inverse"] else sign
    atom = _atom(match["name"], sign)
    if atom is None:
        return None
    end = match.end()
    if sign < 0 and (swallowed := _OF_BODY.match(text, end)):
        end = swallowed.end()
    return _Part(atom, sign), end


def _atom(written: str, sign: int) -> Atom | None:
    for name in (written, _FOLDED.get(written.lower(), "")):
        if sign < 0 and name in PER_BODY:
            return PER_BODY[name]
        if name in ATOMS:
            return ATOMS[name]
    return None
