"""The shortest part of a passage that answers: a date, a number with its unit, a name, an identifier, a
place.
"""

import re
from collections.abc import Sequence

from agents.archive.general.asked import Asked, Kind
from agents.archive.general.words import stem, stems, synonyms

MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
NUMBER = r"[-+<>≤≥~±]?\d[\d,]*(?:\.\d+)?"
WRITTEN_NUMBER = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|none|no)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?"
)
UNIT = (
    r"(?:[munpkµμ]?(?:g|L|l|M|mol|Ci|Bq|V|m|s)(?:[/·][\w%]+){0,3}|mcg(?:/\w+)*|mmHg|kcal|IU|°\s?[CF]|%|percent|hours?|hrs?|h\b|minutes?|min\b|seconds?"
    r"|days?|weeks?|months?|years?|cm|mm|times|breaths?/min|bpm|Hz|ppm|rpm|cycles?|fold)"
)
PATTERNS: dict[Kind, re.Pattern[str]] = {
    Kind.DATE: re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?[ .-](?:of )?{MONTH}\.?,?[ -]?(?:\d{{4}}|\d{{2}}\b)|\b{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b"
        rf"|\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\b{MONTH}\.?,? \d{{4}}\b|\b(?:19|20)\d{{2}}\b",
        re.IGNORECASE,
    ),
    Kind.QUANTITY: re.compile(
        rf"(?<![\w.]){NUMBER}(?:\s?(?:-|–|to|and|±|or)\s?{NUMBER})*\s?(?:{UNIT})(?![\w])|(?<![\w.]){NUMBER}(?![\w.])",
        re.IGNORECASE,
    ),
    Kind.COUNT: re.compile(
        rf"(?<![\w.]){NUMBER}(?![\w.%]|\s?(?:mg|kg|mL|µg)\b)|\b{WRITTEN_NUMBER}\b", re.IGNORECASE
    ),
    Kind.IDENTIFIER: re.compile(r"\b(?=[\w./-]*\d)[A-Za-z0-9]+(?:[./-][A-Za-z0-9]+)*\b"),
    Kind.PERSON: re.compile(
        r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?[A-Z](?:[a-zà-ÿ'’-]+|\.)(?:[ ](?:[A-Z]\.|(?:van|von|de|der|la|di)\b|[A-Z][\wà-ÿ'’-]+)){1,3}"
        r"(?:,?\s(?:Ph\.?D|M\.?D|DVM|BSc|MSc|MS|DABT|FRCPath|DACVP|RN)\b\.?)*"
    ),
    Kind.PLACE: re.compile(r"\b[A-Z][\w&.'’-]*(?:,? (?:of |and |for |the |& )?[A-Z][\w&.'’-]*)+"),
}
ROLES = frozenset(
    map(
        stem,
        [
            "study",
            "director",
            "report",
            "statement",
            "number",
            "title",
            "date",
            "final",
            "facility",
            "test",
            "table",
            "page",
            "section",
        ],
    )
)


def has_kind(text: str, kind: Kind) -> bool:
    """Whether a text holds something of the kind that is asked for."""
    pattern = PATTERNS.get(kind)
    return pattern is None or any(is_answer(match.group(), kind) for match in pattern.finditer(text))


def is_answer(span: str, kind: Kind) -> bool:
    """Whether a span may stand for an answer: a role or a heading is no person."""
    return kind is not Kind.PERSON or not ROLES.issuperset(stems(span)[:1])


def shortest(asked: Asked, text: str) -> str:
    """The span of the right kind nearest to the question's words that is not itself in the question; else the
    text.
    """
    pattern = PATTERNS.get(asked.kind)
    if pattern is None:
        return text
    question = asked.text.lower()
    spans = [
        m
        for m in pattern.finditer(text)
        if m.group().lower() not in question and is_answer(m.group(), asked.kind)
    ]
    if not spans:
        return text
    places = places_of(asked.terms, text)
    best = min(spans, key=lambda m: (distance(m.start(), m.end(), places), m.start()))
    return best.group().strip(" ,.;")


def places_of(terms: Sequence[str], text: str) -> list[int]:
    """Offsets of the question's words in a text."""
    wanted = {other for term in terms for other in synonyms(term)}
    return [match.start() for match in re.finditer(r"[^\W_]+", text) if stem(match.group().lower()) in wanted]


def distance(start: int, end: int, places: Sequence[int]) -> float:
    """Mean distance, in characters, of a span to the nearest three of the question's words."""
    nearest = sorted(min(abs(place - start), abs(place - end)) for place in places)[:3]
    return sum(nearest) / len(nearest) if nearest else 0.0
