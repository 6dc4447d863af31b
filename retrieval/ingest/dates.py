"""The date of a document: what it says of itself, and not of an event that it tells of."""

import re
from collections.abc import Iterable
from itertools import chain

from retrieval.text.dates import DATE, DAY, first_date

HEAD = 1_600
"""Characters in which a document gives its own date in a field."""
STATED = 8_000
"""Characters in which it gives one in words."""
TOP = 500
"""Characters in which a date without any words is its own."""
DATE_HEAD = re.compile(rf"\A(?:{DAY})", re.I)
DATED_REPORT = re.compile(
    r"\b(?:report date|date of (?:the |this )?(?:final )?(?:report|document|issue|approval|signature)|"
    r"issue date|"
    r"(?:final )?report (?:issued|signed|dated)|signed|approved|"
    rf"(?:final|study) report(?=,? (?:{DAY})))"
    r"\b[:,|*\s]*(?:on )?",
    re.I,
)
DATED_END = re.compile(
    r"\b(?:(?:study )?completion date|(?:study )?completed on|date of completion|end of study|finali[sz]ed)\b"
    r"[:,|*\s]*(?:on )?",
    re.I,
)
DATED = re.compile(
    r"(?:^|[|#*(.,;:>]|\b(?:document|meeting|letter|issue|publication|release|revision|version|approval|"
    r"signature|submission|effective|synopsis|summary|memo|note|minutes))[ \t]*\bdate\b"
    r"(?!\s+of\b(?!\s+(?:this\s+)?(?:letter|issue|release|meeting|report)\b))[:,|*\s]*(?:on )?|"
    r"\b(?:dated|issued|meeting of|version \d+|effective)\b[:,|*\s]*(?:on )?",
    re.I | re.M,
)
"""What a date of the whole document stands behind, the surest first."""
OWN_DATE = re.compile(
    r"^[ \t|#*>]*(?:(?:document|report|synopsis|summary|memo|note|minutes|meeting|letter|issue|version)[ ])?"
    r"(?:date(?:[ ]of[ ](?:issue|meeting|this[ ]\w+))?|dated|issued(?:[ ]on)?)[ \t]*[*]*[ \t]*[:|][|* \t]*|"
    rf"^[ \t*]*(?:report|synopsis|memo|minutes)[ \t*]*:[ \t*]*(?={DAY})",
    re.I | re.M,
)
"""A field in which a document gives its own date."""
PUBLISHED = re.compile(
    r"^[ \t|#*>]*(?:first |article )?published(?: (?:online|on the web|in print))*[:,|* \t]*(?:on )?",
    re.I | re.M,
)
ACCEPTED = re.compile(
    r"^[ \t|#*>]*received\b[^#]{0,500}?\baccepted(?: date| for publication)?\b[:,|*\s]*(?:on )?",
    re.I | re.M,
)
"""When an article was published, or accepted after it had been received."""
REVISED = re.compile(rf"\b(?:last )?(?:revised|updated)[:,]?\s+(?:on )?(?={DAY})", re.I)
"""When what has its first date above was written as it stands."""
_PLACE = (
    r"(?!approved|signed|received|revised|replaced|started|planned|dosing|next|first|last)"
    r"(?-i:(?:[A-ZÀ-ÞŠŽ][\w.'’-]+ ){0,2}[A-ZÀ-ÞŠŽ][\w.'’-]+), "
)
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch),? "
)
DATED_LINE = re.compile(rf"^[ \t#*_]*(?:{_PLACE})??(?:{_WEEKDAY}(?:the )?)?(?={DAY})", re.I | re.M)
"""A line at the very beginning that starts with a date, as minutes have it ("18 May 2021, 9:00, Oulu"), or
with a place, a weekday or both before it.
"""
AGREED = re.compile(r"\b(?:contract|agreement|deal|licen[cs]e|lease|term sheet|offer|order)\b", re.I)
"""What is signed or approved, and is no document of the archive."""
EVENT = re.compile(
    r"^[ \t|#*>-]*(?:(?:first|last)\b|date of (?:first|last)|planned|deadline|due\b|start|end\b|begin|"
    r"in-life|dosing|recruitment|enrol?ment|received|next\b)[^:|\n]{0,40}[*]*[:|]",
    re.I,
)
"""A field with the date of something that the document tells of."""
_BEFORE_DATE = r"(?:on|in|since|until|by|after|before|during|between) (?:the |early |mid |late )*"
OF_EVENT = re.compile(
    rf"(?<!held )(?<!written )(?<!prepared )(?<!compiled )\b{_BEFORE_DATE}(?:{DATE})|"
    rf"\bdated (?:{DAY})(?= (?-i:[a-z]{{2}}))",
    re.I,
)
"""A date on or before which something happened, in a sentence, or that of a letter that did something."""
OF_ANOTHER_TIME = re.compile(
    r"\b(?:(?:next|following|coming|previous|nächste[nrs]?) (?:[\w-]+ ){0,3}?"
    r"(?:meeting|session|review|update|revision|issue|edition|version|sitzung|besprechung)|"
    r"meets? again|reconvenes?|(?:due|date) for (?:review|re-?test)|"
    r"(?:review|re-?test|update|revision) (?:is |was )?due|due date|expir(?:y|ation)(?: date)?|expires|"
    r"(?:valid|effective|in force) (?:until|till|to|through)|gültig bis)\b"
    rf"(?:\W*\n\s*|[^\n.;|]{{0,60}}?\|?[^\n.;|]{{0,30}}?)(?:{DATE})",
    re.I,
)
"""A date that a document announces or looks back on: of its next meeting or review, or of its expiry."""
PASSIVE = re.compile(r"\b(?:was|were|is|are|been|became|had|has|have)\b(?: \w+){0,2} ?\Z", re.I)
OWN = re.compile(
    r"\b(?:this|it|reports?|documents?|minutes|memo(?:randum)?|synopsis|summary|plan|brochure|edition|"
    r"version)\b",
    re.I,
)
"""What a sentence is about that tells when the document itself was signed or issued."""
GOES_ON = re.compile(r"\A[ ]*[a-z]{2,}")
"""What follows the date of another document: "the letter dated 4 June 2016 asked"."""
PERIODICAL = re.compile(
    r"\b(?:overview|annual|status report|portfolio|pipeline|register|ledger|inventory|directory|tracker|"
    r"(?:study|project|batch|compound|name|naming|competitor)s? (?:list|names|sheet|notes)|"
    r"(?:list|names) of (?:\w+ )?(?:studies|trials|projects|batches|compounds|molecules|codes))\b",
    re.I,
)
"""Titles of what is written anew from time to time, so that a date in them is that of the issue."""
ANSWERING = re.compile(r"\b(?:response|reply|answers?|comments?) (?:to|on)\b", re.I)
"""A title that names another document, whose date it may have."""


def document_date(text: str, title: str, given: str = "", *, minutes: str | None = None) -> str:
    """The date of a document in ISO 8601, as exact as stated; "" if it says none.

    In order: what the title of a list or overview says; a field such as "Report issued" or "Date"; a line at
    the beginning that starts with a date; words such as "signed on"; `given`, which is front matter in
    another format; a date at the very beginning; the year in the title of a list;
    before all but fields when an article was published or a text revised. `minutes` is the file's
    name of minutes: theirs is the day of the meeting, and not the day on which they were approved. Dates
    that a document announces are not read.
    """
    text = OF_ANOTHER_TIME.sub(" ", text[:STATED])
    listing = PERIODICAL.search(title) is not None
    if listing and (stated := first_date(title)):
        return stated
    if minutes is not None and (held := _held(text, minutes)):
        return held
    return (
        _labelled(text, title, listing)
        or first_date(given)
        or first_date(_top(text, title))
        or _year(title, listing)
    )


def _held(text: str, name: str) -> str:
    """The day of a meeting: in a field or line at the beginning of its minutes, or in their file's name."""
    labels = chain(OWN_DATE.finditer(text[:TOP]), DATED_LINE.finditer(text[:TOP]))
    stated = (first_date(_said_behind(text, label)) for label in labels)
    named = first_date(name.replace("_", " "))
    return next(filter(None, stated), named if len(named) == len("2024-05-17") else "")


def _labelled(text: str, title: str, listing: bool) -> str:
    """The date behind the surest label, a field before words in a sentence; the rows of a list have dates of
    what they list.
    """
    beginning = text[:STATED]
    if listing:
        beginning = "\n".join(line for line in beginning.splitlines() if not line.startswith("|"))
    labels: tuple[Iterable[re.Match[str]], ...] = (
        (label for label in DATED_REPORT.finditer(beginning) if _is_field(beginning, label)),
        OWN_DATE.finditer(beginning[:HEAD]),
        PUBLISHED.finditer(beginning),
        ACCEPTED.finditer(beginning),
        REVISED.finditer(beginning[:TOP]),
        () if listing else DATED_LINE.finditer(beginning[:TOP]),
        *(
            (label for label in words.finditer(beginning) if not _is_of_another(beginning, label, title))
            for words in (DATED_REPORT, DATED_END, DATED)
        ),
    )
    stated = (first_date(_said_behind(beginning, label)) for label in chain.from_iterable(labels))
    return next(filter(None, stated), "")


def _is_field(text: str, label: re.Match[str]) -> bool:
    """Whether a label begins its line or row and ends with a colon or its cell."""
    before = text[text.rfind("\n", 0, label.start()) + 1 : label.start()]
    return not before.strip(" \t|#*>") and re.search("[:|]", label[0]) is not None


def _is_of_another(text: str, label: re.Match[str], title: str) -> bool:
    """Whether words of a date are said of something else that was signed, approved or issued."""
    if DATED_END.match(label[0]):
        return False
    subject = text[text.rfind("\n", 0, label.start()) + 1 : label.start()]
    if label[0].lower().startswith("dated"):
        behind = DATE_HEAD.sub("", _said_behind(text, label), count=1)
        return bool(subject.strip(" (,#*|>") and GOES_ON.match(behind))
    of_protocol, is_protocol = "protocol" in subject.lower(), "protocol" in title.lower()
    if AGREED.search(subject) or (label[0].lower().startswith("version") and of_protocol and not is_protocol):
        return True
    own = OWN.search(subject) or (of_protocol and is_protocol)
    return PASSIVE.search(subject) is not None and not own


def _said_behind(text: str, label: re.Match[str]) -> str:
    """What a line says behind a label."""
    return text[label.end() : label.end() + 48].split("\n", 1)[0]


def _top(text: str, title: str) -> str:
    """Where a document says its own date: title and beginning, without rows of tables, fields of events, and
    a title that names the document it answers.
    """
    lines = text[:TOP].splitlines()
    answers = ANSWERING.search(title) is not None
    kept = [
        one for one in lines if not (one.startswith("|") or EVENT.match(one) or (answers and title in one))
    ]
    kept = [OF_EVENT.sub(" ", one) for one in kept]
    return "\n".join((*kept, "" if answers else title))


def _year(title: str, listing: bool) -> str:
    """The year in the title of a list or overview, of several the last."""
    years = re.findall(r"\b(?:19|20)\d\d\b", title) if listing else ()
    return years[-1] if years else ""
