"""The shortest part of a passage that answers, such as a date, a quantity, a name or a place."""

import re

from agents.archive.general.question import AnswerType, FactualQuestion
from agents.archive.general.words import stem, stems, synonyms
from agents.text.numbers import COUNTING_WORDS
from retrieval.text.dates import ROMAN_MONTH

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATES = (
    rf"\b{DAY}(?:(?:, {DAY})* (?:and|or|to) {DAY})?[ .-](?:of )?{MONTH}\.?,?[ -]?(?:\d{{4}}|\d{{2}}\b)",
    rf"\b{MONTH}\.? {DAY}(?: to {DAY})?,? \d{{4}}\b",
    r"\b\d{4}-\d{2}-\d{2}\b",
    r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
    rf"\b\d{{1,2}}{ROMAN_MONTH}\d{{4}}\b",
    rf"\b{MONTH}\.?,? \d{{4}}\b",
    r"\b(?:19|20)\d{2}\b",
)
NUMBER = r"[-+<>≤≥~±]?\d[\d,]*(?:\.\d+)?"
WRITTEN = (
    rf"(?:{COUNTING_WORDS} (?:hundred|thousand)(?:(?: and)? {COUNTING_WORDS})?|{COUNTING_WORDS}|none|no(?!\.)"
    r"|hundred)"
)
UNIT = (
    r"(?:[munpkµμ]?(?:g|L|l|M|mol|Ci|Bq|V|m|s)(?:[/·][\w%]+){0,3}|mcg(?:/\w+)*|mmHg|kcal|IU"
    r"|°\s?[CF]|%|per ?cent"
    r"|[- ]?(?:hours?|hrs?|h|minutes?|min|seconds?|days?|weeks?|months?|years?)|cm|mm|times|breaths?/min"
    r"|bpm|Hz|ppm"
    r"|rpm|cycles?|fold)"
)
HONOURS = r"Ph\.?D|M\.?D|DVM|BSc|MSc|MS|DABT|FRCPath|DACVP|RN|MRCVS|MBA"
ORGANISATION = (
    r"Inc|Ltd|LLC|Corp|Co|GmbH|AG|S\.?A|plc|Company|Pharma\w*|Laborator(?:y|ies)|University|Institute"
    r"|Hospital|Research"
    r"|Centre|Center|Consortium|Therapeutics|Biosciences|Sponsor"
)
CAPITAL = r"[A-Z][\w&.'’-]*"
SPECIES = (
    r"rats?|mice|mouse|dogs?|beagles?|monkeys?|macaques?|rabbits?|guinea pigs?|hamsters?|(?:mini)?pigs?|cats?"
    r"|ferrets?"
    r"|sheep|goats?|chickens?|zebrafish|marmosets?|baboons?|humans?|patients|volunteers"
)
PATTERNS: dict[AnswerType, re.Pattern[str]] = {
    AnswerType.DATE: re.compile("|".join(DATES), re.IGNORECASE),
    AnswerType.QUANTITY: re.compile(
        rf"(?<![\w.]){NUMBER}(?:(?:,\s|\s?(?:-|–|to|,? ?and|±|or|×)\s?){NUMBER})*\s?{UNIT}(?!\w)"
        rf"|(?<![\w.]){NUMBER}(?![\w.])",
        re.IGNORECASE,
    ),
    AnswerType.COUNT: re.compile(
        rf"(?<![\w.]){NUMBER}(?![\w.%]|\s?(?:mg|kg|mL|µg)\b)|\b{WRITTEN}\b", re.IGNORECASE
    ),
    AnswerType.VERSION: re.compile(
        rf"\b\d+(?:\.\d+)+\b|\b(?:version|v|release)\.? ?\d+\b|{'|'.join(DATES[:3])}", re.IGNORECASE
    ),
    AnswerType.FREQUENCY: re.compile(
        rf"\b(?:once|twice|(?:{COUNTING_WORDS}|\d+) times|single)"
        r"(?: (?:a|per|each|every) \w+| daily| weekly)?\b"
        r"|\b(?:daily|weekly|monthly|hourly)\b"
        r"|\bevery (?:\w+ )?(?:hours?|days?|weeks?|months?|minutes?)\b|\b[bqt]\.?i?\.?d\b\.?",
        re.IGNORECASE,
    ),
    AnswerType.IDENTIFIER: re.compile(
        r"(?<=\blot )\d+\b(?![./-]\w)|(?<=\bbatch )\d+\b(?![./-]\w)"
        r"|(?<![\w.])(?!\d+-(?:hour|day|week|month|year|minute|fold))\b(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])"
        r"(?!\d+\.\d)[A-Za-z0-9]+(?:[./-][A-Za-z0-9]+)*\b(?!\s?%)"
        r"|(?:(?<=number )|(?<=No\. )|(?<=: )|(?<=lot )|(?<=^))\d{3,}(?![\w.]|\s?mg)"
    ),
    AnswerType.PERSON: re.compile(
        r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?[A-Z](?:[a-zà-ÿ'’-]+|\.)"
        rf"(?: (?:[A-Z]\.|(?:van|von|de|der|la|di)\b|[A-Z][\wà-ÿ'’-]+)){{1,3}}(?:,?\s(?:{HONOURS})\b\.?)*"
    ),
    AnswerType.ORGANISATION: re.compile(
        rf"{CAPITAL}(?:,? (?:(?:of|and|for|the|&) )?{CAPITAL})*,? (?:and )?(?:{ORGANISATION})\b\.?"
        rf"(?:,? (?:{ORGANISATION})\b\.?)*"
    ),
    AnswerType.SPECIES: re.compile(rf"\b(?:{SPECIES})\b", re.IGNORECASE),
    AnswerType.PLACE: re.compile(
        rf"\b{CAPITAL}(?:,? (?:(?:of|and|for|the|&) )?{CAPITAL})+|\b\d+ {CAPITAL} {CAPITAL}"
    ),
}
REFERENCE = re.compile(
    r"\b(?:sections?|tables?|figures?|fig|appendi(?:x|ces)|annex|chapters?|pages?|listings?|ref(?:erence)?s?)\.?\s*$",
    re.IGNORECASE,
)
"""What stands before the number of a place in a document, which is no value."""
WHOLE_NUMBER = re.compile(r"[<>≤≥~]?\s*\d[\d,.]*(?:\s?(?:/|of)\s?\d+)?\s*[*†‡§#]*")
COUNT_REACH = 40
NO_NAMES = frozenset(
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
            "note",
            "data",
        ],
    )
)


def has_answer_type(text: str, question: FactualQuestion) -> bool:
    """Whether a text holds something of the kind asked for that the question does not say itself."""
    return question.answer_type not in PATTERNS or bool(spans(question, text))


def spans(question: FactualQuestion, text: str) -> list[re.Match[str]]:
    """Parts of a text that may answer."""
    found = PATTERNS[question.answer_type].finditer(text)
    return [match for match in found if may_answer(match, question, text)]


def may_answer(match: re.Match[str], question: FactualQuestion, text: str) -> bool:
    """Whether a span may answer.

    The words of the question answer nothing, a role is no person, the number of a section or table is no
    value, and a number counts what stands beside it.
    """
    span = match.group().strip()
    if REFERENCE.search(text, 0, match.start()):
        return False
    if re.search(rf"(?<!\w){re.escape(span)}(?!\w)", question.text, re.IGNORECASE):
        return False
    if question.answer_type is AnswerType.PERSON:
        return NO_NAMES.isdisjoint(stems(span)[:2]) and not PATTERNS[AnswerType.ORGANISATION].fullmatch(span)
    if WHOLE_NUMBER.fullmatch(text.strip()):
        return True
    if question.unit is not None:
        return bool(question.unit.search(span))
    if question.counted:
        return counts(match, question, text)
    return True


def counts(match: re.Match[str], question: FactualQuestion, text: str) -> bool:
    """Whether a number stands beside the thing that is counted."""
    around = text[max(0, match.start() - COUNT_REACH) : match.end() + COUNT_REACH]
    return any(not synonyms(word).isdisjoint(question.counted) for word in stems(around))


def shortest(question: FactualQuestion, text: str) -> str:
    """The one span of the right kind; the text itself where there is none, or several to choose from."""
    found = spans(question, text) if question.answer_type in PATTERNS else []
    told = {match.group().strip(" ,.;") for match in found}
    return told.pop() if len(told) == 1 else text
