"""How often and for how long a document says that the molecule was given to humans."""

import re
from collections.abc import Iterator

from agents.archive.answer import Realisation
from agents.archive.research.documents.attribution import attributed_drug
from agents.archive.research.documents.context import is_human, realisation_of
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.amounts import FREQUENCY_WORDS
from agents.archive.research.vocabulary import any_of
from agents.text.frequencies import Frequency, parse_frequencies
from agents.text.numbers import COUNTING_WORDS

COUNT = rf"(?:\d+|{COUNTING_WORDS})"
SPAN = (
    rf"(?:up to (?:a (?:maximum|total) of )?|a (?:maximum|total) of |at least |approximately |"
    rf"about )?{COUNT}(?:\s?(?:-|to)\s?{COUNT})?(?: consecutive| additional)?"
)
DURATION = re.compile(
    rf"\b(?:for|over|during|of)\s(?:the (?:following|next) )?(?P<for>{SPAN}[- ](?:days?|weeks?|months?|"
    rf"years?|cycles?|courses?))\b(?!\s(?:before|prior|washout|follow|post|old))"
    rf"|\b(?P<period>{SPAN}[- ](?:day|week|month|year)s?)\s(?:of )?(?:(?:double-blind|open-label|"
    rf"randomi[sz]ed|active|blinded|optional)\s)*"
    r"(?:treatment|dosing|extension|maintenance|course|therapy|study|repeat)"
    rf"|\btotal of (?P<total>{COUNT}[- ](?:days|weeks|months|years))\b"
    r"|\b(?P<until>until (?:disease )?progression)\b",
    re.IGNORECASE,
)  # fmt: skip
NO_DURATION = any_of([
    "wash-?out", "follow(?:ed)?[- ]?up", "screening", "run-in", "interval", "study duration", "overall time",
    "time to participate",
    "survival", "years? of age", "aged", r"(?:cough|asthma|pain|disease|symptoms?|diabetes) for at least",
    "history", "participation", "observation", "confined", "housed", "visits?",
    "placebo period", "stay", r"hospitali[sz]ed", "admitted",
    "after (?:completion|the last)", "followed", "patients will be followed", "then every",
    r"every \d+ (?:weeks|months)", "prior to", "before screening", "period of at least", "diet and exercise",
])  # fmt: skip
ONE_DAY = re.compile(r"D-?\d+")


def frequencies_in(document: AnnotatedDocument) -> Iterator[tuple[str, Line, bool]]:
    """Frequencies of the molecule with their lines, and whether they say that it was given once."""
    for line in document.lines:
        if line.is_heading and line.number:
            continue
        for found in parse_frequencies(line.text):
            if not is_dosing(line.text, found) or not is_ours(document, line, found):
                continue
            yield frequency_text(found), line, found.term == "SINGLE"


def is_dosing(text: str, found: Frequency) -> bool:
    """Whether a frequency is one of dosing: not of visits, meals, samples or radiation."""
    around = text[max(0, found.start - 60) : found.end + 30]
    if found.term == "PRN" or ONE_DAY.fullmatch(found.term):
        return False
    return not re.search(
        r"\bfollow|\brecur|\buntil \d|\bvisits?\b|\bsampl|\bassess|\bevaluated? every|\bscans?\b|\bmeasure|"
        r"\bradio|\bquestionnaire|\bwash|\bper group"
        r"|\bPEF\b|\bexamin|\bmonitor|\bbiops|\bcollect|\bdays? post|\bechocardiogra"
        r"|\brandomi[sz]ation\b|\belevations?\b|\bonset\b|\bbetween\s$",
        around, re.IGNORECASE,
    )  # fmt: skip


def is_ours(document: AnnotatedDocument, line: Line, found: Frequency) -> bool:
    """Whether a frequency is of the molecule, in humans, and not only planned in a report."""
    drug = attributed_drug(document, line, found.start, found.end)
    if drug is None or not drug.is_this or not is_human(document, line, found.start):
        return False
    return not document.reported or realisation_of(document, line, found.start) is Realisation.ACTUAL


def frequency_text(found: Frequency) -> str:
    """The usual words for a plain frequency; the document's own for a schedule."""
    if found.term in FREQUENCY_WORDS:
        return FREQUENCY_WORDS[found.term]
    return " ".join(found.text.split())


def durations_in(document: AnnotatedDocument) -> Iterator[tuple[str, Line]]:
    """Durations of treatment with their lines."""
    for line in document.lines:
        if line.row is not None or (line.is_heading and line.number) or line.names_only_others:
            continue
        if not is_human(document, line, 0):
            continue
        yield from ((text, line) for text in duration_texts(line.text))


def duration_texts(text: str) -> Iterator[str]:
    """Durations of treatment in a sentence."""
    for found in DURATION.finditer(text):
        around = text[max(0, found.start() - 70) : found.end() + 25]
        if not NO_DURATION.search(around):
            said = next(filter(None, found.groups()))
            yield (
                said.replace("until", "continued until") if said.lower().startswith("until") else said.lower()
            )
