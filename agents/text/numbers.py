"""Numbers as people write them: 2.5, 1,000, 2·5, 0,5, ½, 1.2 × 10⁶, 1.2 × 10 6 /L, twenty-five, ⑦, XIV mg."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from unicodedata import digit, normalize, numeric

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(ONES)},
    **{word: 10.0 * value for value, word in enumerate(TENS, start=2)},
    "half": 0.5,
}
SCALES = {"hundred": 100.0, "thousand": 1000.0, "million": 1e6, "billion": 1e9}
FRACTIONS = "½¼¾⅐-⅞Ⅰ-ↂ⑩-⑳⑽-⒇⒑-⒛⓫-⓴㉑-㉟㊱-㊿❿➉➓"
"""Fractions and numbers over nine that are one character, as the inside of a pattern."""
THIN = "\u202f"
"""The blank that parts thousands and nothing else; it is as long as the plain one."""
_THIN_THOUSANDS = re.compile(rf"\d+(?:{THIN}\d{{3}})+")
_PARTED = r"[1-9]\d{0,2}(?: \d{3})+"
_PARTED_CELL = re.compile(
    rf"(?<=\| )[<>≤≥~]?\s?{_PARTED}(?:\.\d+)?(?:\s?(?:±|[-–])\s?(?:{_PARTED}|\d[\d.,]*))?"
    r"(?:\s?\([Nn]\s?=\s?\d+\)| ?[a-z]|\s?[*†‡]+)?(?= \|)"
)
"""A cell of a table whose thousands a blank parts, with its spread and the mark of a footnote."""
_IN_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_ROMAN = re.compile(
    r"(?<![\w-])(?=[IVXLCDM]{3}|(?!IV)[IVX]{2})M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
    r"(?=\s?(?:[mµμnk]?g|mcg|[mµμ]?[lL]|[mµμn]M|IU)\b)"
)
"""A Roman numeral before a mass, a volume or a concentration. One or two of its letters are other things: IV
is a route, and CL a clearance.
"""
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_ONE, _TEN, _SCALE = (
    rf"(?:{'|'.join(sorted(words, key=len, reverse=True))})" for words in (ONES, TENS, SCALES)
)
COUNTING_WORDS = rf"(?=[efnost])(?:{_TEN}(?:[-\s]{_ONE})?|{_ONE})"
"""Pattern for the numbers from one to ninety-nine in words, for use between word boundaries, case ignored.

The letters ahead let a search pass over most words at once; "zero" begins with none of them.
"""
_SMALL = rf"(?:{_TEN}(?:[-\s]{_ONE})?|{_ONE})(?:\b|(?=fold))"
_SCALED = rf"(?:[-\s]{_SCALE}\b(?:\s(?:and\s)?{_SMALL})?)"
# "five and ten" are two numbers: "and" joins only behind a scale word, or before "a half".
_WORDS = rf"(?:{_SMALL}{_SCALED}*|{_SCALE}\b(?:\s(?:and\s)?{_SMALL})?{_SCALED}*)(?:\sand\sa\shalf)?|half"
_POWER = rf"10(?:\^\{{?(?P<caret>[-−+]?\d+)\}}?|(?P<raised>⁻?[{SUPERSCRIPTS}]+))"
_DIGITS = "|".join(
    [
        r"[1-9]\d{0,2}(?: \d{3}){0,3} 000(?![\d.,]*\d)",
        "[1-9]\\d{0,2}(?:[,\u00a0\u2009\u202f]\\d{3})+(?!\\d|,\\d)(?:\\.\\d+)?",
        r"\d+[.·]\d+(?!\.\d)",
        r"\d+,\d{1,3}(?![\d,])",
        r"\.\d+",
        rf"\d*[{FRACTIONS}]",
        r"\d+(?![.,]\d+[.,]\d)",
    ]
)
_APART = r"10\s{1,3}(?P<apart>[-−]?\d{1,2})\s{0,3}(?=/\s?[A-Za-zµμ]|(?:cells?|vg|[CP]FU|copies|IU)\b)"
"""A power that is set apart, behind a factor and before its unit: "41 × 10 9 /L"."""
NUMBER = re.compile(
    r"(?<![\w.])(?:(?<!\d,)|(?<=\.\d,)|(?<=\.\d\d,)|(?<=\.\d\d\d,))(?<![A-Za-z]-)"
    rf"(?:(?P<factor>{_DIGITS})\s{{0,3}}[x×*]\s{{0,3}}{_APART}"
    rf"|(?:(?P<mantissa>{_DIGITS})\s?[x×*]\s?)?{_POWER}"
    rf"|(?P<digits>{_DIGITS})(?:[eE](?P<exponent>[-+]?\d{{1,2}})(?!\w))?"
    rf"|(?P<words>{_WORDS})(?:\b|(?=fold)))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number in a text: offsets, value, and a note where the writing can be read in two ways."""

    start: int
    end: int
    text: str
    value: float
    note: str = ""


def parse_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """All numbers of a text in order, in digits or words. Digits in names ("AB-12", "T4") are no numbers."""
    text = in_digits(text)
    return tuple(_number(text, match) for match in NUMBER.finditer(text))


def in_digits(text: str) -> str:
    """A text with the digits of other scripts, and Roman numerals before units, as those of ASCII, in as many
    characters. Raised digits behind a word or a number stay powers and notes.
    """
    if not text.isascii():
        digits, typeset = _other_digits()
        text = typeset.sub(lambda run: "".join(str(digit(one)) for one in run[0]), text.translate(digits))
    return _ROMAN.sub(_arabic, text)


@cache
def _other_digits() -> tuple[dict[int, str], re.Pattern[str]]:
    """The digits of other scripts, and a pattern of raised, circled and bracketed ones that stand alone."""
    others = [one for one in map(chr, range(0x80, 0x20000)) if one.isdigit()]
    typeset = "".join(one for one in others if not one.isdecimal())
    alone = rf"(?<![\w)\]⁻×·.%/])[{typeset}]+(?=\s|[mµμnk]?g\b|[mµμ]?L\b|%)"
    return {ord(one): str(digit(one)) for one in others if one.isdecimal()}, re.compile(alone)


def _arabic(numeral: re.Match[str]) -> str:
    values = [_ROMAN_VALUES[letter] for letter in numeral[0]]
    pairs = zip(values, (*values[1:], 0), strict=True)
    number = str(sum(-one if one < after else one for one, after in pairs)).zfill(len(values))
    return number if len(number) == len(values) else numeral[0]


def with_thin_blanks(text: str) -> str:
    """A text with thin blanks in the thousands of tables' cells ("| 1 250 ± 310 |"); no character moves."""
    return _PARTED_CELL.sub(lambda cell: _IN_THOUSANDS.sub(THIN, cell[0]), text) if "|" in text else text


def joined(text: str, sources: Iterable[str]) -> str:
    """A text with thin blanks in the thousands that a cell of its sources parts: "3 510" there is no 510."""
    for number in {found for one in sources for found in _THIN_THOUSANDS.findall(with_thin_blanks(one))}:
        plain = number.replace(THIN, " ")
        text = re.sub(rf"(?<![\d.,])(?<!\s\d )(?<!\s\d\d ){plain}(?![\d.,]*\d| \d{{3}}\b)", number, text)
    return text


def _number(text: str, match: re.Match[str]) -> WrittenNumber:
    value, note = _value(match)
    start = match.start()
    if _signed(text, start):
        start, value = start - 1, -value
    return WrittenNumber(start, match.end(), text[start : match.end()], value, note)


def _signed(text: str, start: int) -> bool:
    """A minus sign belongs to the number when nothing stands right before it; otherwise it joins a range.

    In a plain row it follows another number and a blank ("17.9 -8.4").
    """
    return (
        start > 0
        and text[start - 1] in "-−"
        and (start == 1 or text[start - 2] in " \t\n\u00a0\u2009\u202f(=|:")
    )


def _value(match: re.Match[str]) -> tuple[float, str]:
    if words := match["words"]:
        return words_value(words), ""
    if match["digits"]:
        value, note = _digits_value(match["digits"])
        return value * 10.0 ** int(match["exponent"] or 0), note
    factor = match["factor"] or match["mantissa"]
    mantissa, note = _digits_value(factor) if factor else (1.0, "")
    written = match["apart"] or match["caret"] or match["raised"]
    power = int(normalize("NFKC", written).replace("−", "-"))
    return float(f"{mantissa!r}e{power}"), note


def _digits_value(digits: str) -> tuple[float, str]:
    if not digits[-1].isdecimal():
        return float(digits[:-1] or 0) + numeric(digits[-1]), ""
    if " " in digits:
        return float(digits.replace(" ", "")), ""
    if re.fullmatch("[1-9]\\d{0,2}(?:[,\u00a0\u2009\u202f]\\d{3})+(?:\\.\\d+)?", digits):
        return float(re.sub("[,\u00a0\u2009\u202f]", "", digits)), ""
    if "," in digits:
        return float(digits.replace(",", ".")), f"{digits} is read with a decimal comma"
    note = ""
    if re.fullmatch(r"[1-9]\d{0,2}\.000", digits):
        note = f"{digits} may also stand for {digits.replace('.', '')}, with a thousands point"
    return float(digits.replace("·", ".")), note


def words_value(words: str) -> float:
    """ "one hundred and fifty" -> 150.0; "two and a half" -> 2.5."""
    total, group = 0.0, 0.0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in ("and", "a"):
            continue
        if word == "hundred":
            group = (group or 1.0) * SCALES[word]
        elif word in SCALES:
            total, group = total + (group or 1.0) * SCALES[word], 0.0
        else:
            group += WORDS[word]
    return total + group
