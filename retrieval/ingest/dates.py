"""The date of a document: what it says of itself, and not of an event that it tells of."""

import re

from retrieval.text.dates import DATE, DAY, first_date

STATED = 8_000
"""Characters in which a document gives its own date in words."""
TOP = 500
"""Characters in which a date without any words is its own."""
DATED_REPORT = re.compile(
    r"\b(?:report date|date of (?:the |this )?(?:final )?(?:report|document|issue|approval|signature)|"
    r"issue date|(?:final )?report (?:issued|signed|dated)|signed|approved|"
    rf"(?:final|study) report(?=,? (?:{DAY})))"
    r"\b[:,|*\s]*(?:on )?",
    re.I,
)
ACCEPTED = re.compile(
    r"^[ \t|#*>]*received\b[^#]{0,500}?\baccepted(?: date| for publication)?\b[:,|*\s]*(?:on )?",
    re.I | re.M,
)
"""When an article was accepted after it had been received."""
REVISED = re.compile(rf"\b(?:last )?(?:revised|updated)[:,]?\s+(?:on )?(?={DAY})", re.I)
"""When what has its first date above was written as it stands."""
_PLACE = r"(?-i:(?:[A-ZÀ-ÞŠŽ][\w.'’-]+ ){0,2}[A-ZÀ-ÞŠŽ][\w.'’-]+), "
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch),? "
)
DATED_LINE = re.compile(rf"^[ \t#*_]*(?:{_PLACE})??(?:{_WEEKDAY}(?:the )?)?(?={DAY})", re.I | re.M)
"""A line at the very beginning that starts with a date, as minutes have it ("18 May 2021, 9:00, Oulu"), or
with a place, a weekday or both before it.
"""
DATED = re.compile(
    r"(?:^|[|#*(.,;:>]|\b(?:document|meeting|letter|issue|publication|release|revision|version|approval|"
    r"signature|submission|effective|synopsis|summary|memo|note|minutes|completion))[ \t]*\bdate\b"
    r"(?!\s+of\b(?!\s+(?:this\s+)?(?:letter|issue|release|meeting|report)\b))[:,|*\s]*(?:on )?|"
    r"\b(?:dated|issued|meeting of|version \d+|effective|completed on|finali[sz]ed)\b[:,|*\s]*(?:on )?",
    re.I | re.M,
)
"""What a date of the whole document stands behind, the surest first."""
OF_EVENT = re.compile(
    r"(?<!held )(?<!written )(?<!prepared )(?<!compiled )\b"
    rf"(?:on|in|since|until|by|after|before|during|between) (?:the |early |mid |late )*(?:{DATE})",
    re.I,
)
"""A date on or before which something happened, in a sentence."""


def document_date(text: str, title: str, given: str = "") -> str:
    """The date of a document in ISO 8601, as exact as stated; "" if it says none.

    In order: what stands behind words such as "Report date" or "signed on"; when an article was accepted; a
    line at the beginning that starts with a date; words such as "Date" or "issued"; `given`, which is front
    matter in another format; a date at the very beginning or in the title; the last year in the title.
    """
    beginning, top = text[:STATED], text[:TOP]
    labels = (
        *DATED_REPORT.finditer(beginning),
        *ACCEPTED.finditer(beginning),
        *REVISED.finditer(top),
        *DATED_LINE.finditer(top),
        *DATED.finditer(beginning),
    )
    stated = (first_date(beginning[one.end() : one.end() + 48].split("\n", 1)[0]) for one in labels)
    alone = "\n".join((*(line for line in top.splitlines() if not line.startswith("|")), title))
    found = next(filter(None, stated), "") or first_date(given) or first_date(OF_EVENT.sub(" ", alone))
    return found or next(reversed(re.findall(r"\b(?:19|20)\d\d\b", title)), "")
