"""Dosing frequencies and schedules in a text, normalised to standard terms.

Terms: QD, BID, TID, QID, QnH (every n hours), QnD (every n days), QW, nQW (n times a week), QnW, QM, QnM,
SINGLE, PRN, "D1-3,8-10" (dosing days), "n-DAY CYCLE", "nD ON/mD OFF", "nD/W" (n days a week).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agents.text.numbers import COUNTING_WORDS, parse_numbers

CODE = re.compile(r"[-‐‑]\d")
"""What makes the letters before it those of a code: OD-100 is a molecule."""


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a dose is given: offsets, words as written, standard term."""

    start: int
    end: int
    text: str
    term: str


def parse_frequencies(text: str) -> tuple[Frequency, ...]:
    """All frequencies of a text in order; where two patterns overlap, the longer reading stands."""
    found = sorted(_matches(text), key=lambda frequency: (frequency.start, -frequency.end))
    kept: list[Frequency] = []
    for frequency in found:
        if not kept or frequency.start >= kept[-1].end:
            kept.append(frequency)
    return tuple(kept)


def _matches(text: str) -> list[Frequency]:
    return [
        Frequency(match.start(), match.end(), match[0], term(match) if callable(term) else term)
        for pattern, term in PATTERNS
        for match in pattern.finditer(text)
        if not CODE.match(text, match.end())
    ]


def _count(match: re.Match[str], group: str = "n") -> int:
    return int(parse_numbers(match[group])[0].value)


def _times_a_day(match: re.Match[str]) -> str:
    return {1: "QD", 2: "BID", 3: "TID", 4: "QID"}.get(_count(match), f"{_count(match)} TIMES DAILY")


def _times_a_week(match: re.Match[str]) -> str:
    return "QW" if _count(match) == 1 else f"{_count(match)}QW"


def _hours(match: re.Match[str]) -> str:
    return {24: "QD", 12: "BID", 8: "TID", 6: "QID"}.get(_count(match), f"Q{_count(match)}H")


def _days(match: re.Match[str]) -> str:
    count = _count(match)
    if count % 7 == 0:
        return _every_weeks(count // 7)
    return "QD" if count == 1 else f"Q{count}D"


def _weeks(match: re.Match[str]) -> str:
    return _every_weeks(_count(match))


def _every_weeks(weeks: int) -> str:
    return "QW" if weeks == 1 else f"Q{weeks}W"


def _months(match: re.Match[str]) -> str:
    return "QM" if _count(match) == 1 else f"Q{_count(match)}M"


def _days_a_week(match: re.Match[str]) -> str:
    return f"{_count(match)}D/W"


def _cycle(match: re.Match[str]) -> str:
    return f"{_count(match) * (7 if match['unit'].lower() == 'week' else 1)}-DAY CYCLE"


def _on_off(match: re.Match[str]) -> str:
    unit = match["unit"][0].upper()
    off_unit = (match["off_unit"] or unit)[0].upper()
    return f"{_count(match)}{unit} ON/{_count(match, 'off')}{off_unit} OFF"


def _dosing_days(match: re.Match[str]) -> str:
    joined = re.sub(r"\s?(?:-|–|\bto\b|\bthrough\b)\s?", "-", match["days"].lower())
    return "D" + re.sub(r"\s?(?:,\s?and\b|,\s?or\b|,|\band\b|&|\bor\b)\s?", ",", joined)


_N = rf"(?P<n>\d{{1,3}}|{COUNTING_WORDS})"
_FROM_N = rf"(?<![\w.,]){_N}"
_OFF = rf"(?P<off>\d{{1,2}}|{COUNTING_WORDS})"
_EVERY = r"\b(?:every|each)[\s-]"
_OTHER = rf"{_EVERY}(?:other|second|2nd)[\s-]"
_A = r"[\s-]?(?:a|an|per|each|every|/)[\s-]?"
_DAILY = rf"(?:{_A}(?:day|24\sh(?:ours)?)\b|[\s-]?daily\b)"
_WEEKLY = rf"(?:{_A}week\b|[\s-]?weekly\b)"
_TIMES = r"\s?(?:times|x|×)"
_AND = r"(?:-|–|to|through|,\s?and|,\s?or|,|and|&|or)"
_DAY_LIST = rf"\d{{1,3}}(?:\s?{_AND}\s?\d{{1,3}}(?!\d|\.\d|\s?(?:mg|µg|mcg|g|ml|%)))*(?!\d|\.\d)"
_NO_DOSE = r"(?![\s-](?:life|living|activit|intake|diary|diaries|total|maximum|clinical|practice))"
_KINDS_OF_SINGLE = r"(?:(?!daily|dose|weekly|centre|center)[\w-]+\s){0,2}"

_WRITTEN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (rf"{_FROM_N}[\s-](?P<unit>day|week)s?[\s-]on\b[,/\s]*(?:and|followed\sby)?\s?{_OFF}(?:[\s-](?P<off_unit>day|week)s?)?"
     r"[\s-]off\b", _on_off),
    (rf"{_FROM_N}\sdays?{_A}week\b", _days_a_week),
    (rf"{_FROM_N}[\s-](?P<unit>day|week)s?[\s-](?:treatment[\s-]|dosing[\s-])?cycles?\b", _cycle),
    (rf"\bq\.?\s?{_N}\s?h(?:rs?|ours?)?\b", _hours),
    (rf"\bq\.?\s?{_N}\s?d(?:ays?)?\b", _days),
    (rf"\bq\.?\s?{_N}\s?w(?:k|eeks?)?\b", _weeks),
    (rf"\bq\.?\s?{_N}\s?mo?(?:nths?)?\b", _months),
    (rf"{_EVERY}{_N}[\s-]?(?:h|hr|hour)s?\b", _hours),
    (rf"{_EVERY}{_N}[\s-]?days?\b", _days),
    (rf"{_EVERY}{_N}[\s-]?(?:wk|week)s?\b", _weeks),
    (rf"{_FROM_N}-weekly\b", _weeks),
    (rf"{_EVERY}{_N}[\s-]?(?:mo|month)s?\b", _months),
    (rf"{_OTHER}(?:calendar\s)?day\b|\b(?:on\s)?alternate\sdays?\b|\bq\.?o\.?d\b\.?", "Q2D"),
    (rf"{_OTHER}week\b|\bfortnightly\b|{_EVERY}fortnight\b", "Q2W"),
    (rf"{_FROM_N}{_TIMES}{_DAILY}", _times_a_day),
    (rf"{_FROM_N}{_TIMES}{_WEEKLY}", _times_a_week),
    (rf"\btwice{_DAILY}|\bb\.?\s?i\.?\s?d\b\.?|\bb\.d\.|\bmorning\sand\s(?:in\sthe\s)?evening\b", "BID"),
    (rf"\bthrice{_DAILY}|\bt\.?\s?i\.?\s?d\b\.?|\bt\.?d\.?s\b\.?", "TID"),
    (r"\bq\.?\s?i\.?\s?d\b\.?", "QID"),
    (rf"\btwice{_WEEKLY}|\bbiw\b", "2QW"),
    (rf"\bthrice{_WEEKLY}|\btiw\b", "3QW"),
    (rf"\bonce{_WEEKLY}|{_EVERY}week\b|\bq\.?w\b\.?|(?<![\w-])weekly\b", "QW"),
    (rf"\bonce{_A}month\b|\b(?:once[\s-])?monthly\b|{_EVERY}month\b|\bqm\b", "QM"),
    (rf"\bsingle[\s-]{_KINDS_OF_SINGLE}(?:doses?|dosing|administrations?|injections?|infusions?)\b|\b(?:one|1)\sdose\b(?!\s(?:group|level))",
     "SINGLE"),
    (rf"\bonce(?:{_DAILY}|{_A}(?:morning|evening|night)\b)|{_EVERY}(?:day|morning|evening|night)\b|\bq\.\s?d\b\.?|\bqd\b|\bo\.\s?d\b\.?"
     rf"|\bod\b|\bnightly\b|\bat\sbedtime\b|\bq\.?h\.?s\b\.?|(?<!total\s)(?<![\w-])daily\b{_NO_DOSE}", "QD"),
    (r"\bas\s(?:needed|required)\b|\bp\.?r\.?n\b\.?", "PRN"),
    (rf"(?<![/\d])(?<!\d[\s-])\bdays?\s(?P<days>{_DAY_LIST})", _dosing_days),
)  # fmt: skip
PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), term) for pattern, term in _WRITTEN)
