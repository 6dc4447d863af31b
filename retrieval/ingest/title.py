"""The title of a document: what its title page says, and never a cover's "Final Report" alone where a real
title stands there.

Properties of a file often keep the title of a template or of the program that wrote it, so they count only if
the first pages have their words.
"""

import re
from itertools import pairwise, takewhile
from pathlib import PurePosixPath

from retrieval.ingest.correspondence import form, subject
from retrieval.markdown import NUMBERED_LEVEL, BlockKind, blocks
from retrieval.passages import plain
from retrieval.text.dates import DATE

TITLE_PAGE = 6_000
"""Characters of the beginning in which a title is looked for."""
LONGEST = 300
BAD_TITLE = re.compile(
    r"microsoft (?:word|powerpoint)|untitled|\.(?:docx?|pdf|pptx?|xlsx?|png|jpe?g|tiff?|indd|rtf)$|^slide "
    r"\d|^\W*$",
    re.I,
)
KIND = (
    r"(?:(?:final|draft|interim|amended|revised|full|abbreviated|integrated|signed|unaudited|audited|"
    r"clinical|"
    r"nonclinical|non-clinical|preclinical|toxicology|technical|research|project|study|trial|glp)[ -]+)*"
    r"(?:reports?|protocols?|plans?|synopsis|summary|amendments?)(?: body| text)?(?: amendment)?"
)
GENERIC = re.compile(
    rf"(?:{KIND}|front cover|(?:table of )?contents|name|brief summary|general information|"
    r"v(?:ersion )?\d.{0,20}|introduction|abstract|minutes|memo(?:randum)?|notes?)"
    r"\W*(?:[A-Z]{0,3}\d[\w-]*)?\W*",
    re.I,
)
"""What stands large on the first pages of many documents and tells none of them from another."""
LABEL_SECTION = re.compile(
    r"[\d.\s]*(?:(?:boxed )?warnings?(?: and precautions| and cautions)?|adverse (?:reactions|events)|"
    r"undesirable effects|side effects|precautions|indications(?: and usage)?|contraindications|"
    r"dosage and administration|dosage forms and strengths|drug interactions|use in specific populations|"
    r"overdos(?:e|age)|clinical pharmacology|clinical studies|highlights of prescribing information|"
    r"clinical trials? experience|post-?marketing experience|pa?ediatric use|geriatric use|"
    r"mechanism of action|pharmacodynamics|how supplied(?:/storage and handling)?|"
    r"to report suspected adverse reactions\b.*)\W*",
    re.I,
)
"""Sections of a drug's label, and its call for reports, which name no drug."""
ORGANISATION = re.compile(
    r"(?!.*\b(?:[Rr]eport|[Ss]tud(?:y|ies)|[Pp]rotocol|[Mm]inutes|[Mm]emo|[Tt]rial|[Ss]ynopsis)\b)"
    r"[A-ZÀ-ÞŠŽ][\w&.’'-]*(?:,? (?:[A-ZÀ-ÞŠŽ&][\w&.’'-]*|and|und|og|och|of|de)){0,5},? "
    r"(?i:A/?S|ASA|Inc\.?|Incorporated|Ltd\.?|Limited|GmbH|AG|KG|PLC|plc|S\.?A\.?S?|S\.?p\.?A\.?|S\.?r\.?l\.?|"
    r"AB|B\.?V\.?|N\.?V\.?|L\.?L\.?C\.?|LLP|L\.P\.|Co\.?|Corp\.?|Corporation|K\.?K\.?|Oyj?|ApS|Pty|JSC|"
    r"PJSC|OJSC|OÜ|UAB|SIA|d\.o\.o\.|s\.r\.o\.|a\.s\.|Kft\.?|Zrt\.?|Pvt\.? Ltd\.?|Sp\. z o\.o\.)"
    r"(?:\s?[,·–—|-]\s?[A-ZÀ-ÞŠŽ][\w.'’-]+(?: [A-ZÀ-ÞŠŽ][\w.'’-]+){0,2}){0,2}"
)
"""The name of a company, by its legal form and nothing behind it but the place where it is."""
MERE = re.compile(r"(?=\S*\d)[A-Z][\w/.-]*")
"""A code alone, which is no title."""
OF_JOURNAL = re.compile(rf"journal home ?page|www\.|(?:{DATE}, )?volume \d", re.I)
"""What stands below the name of a journal."""
NOTE_MARKS = " *∗†‡§¶¹²³"
LABEL = (
    r"(?:(?:full|official|complete|scientific)\s+)?(?:(?:study|protocol|trial|report|document|project)\s+)?"
    r"title(?: of (?:the )?(?:study|trial|report))?"
)
LABELLED = re.compile(rf"^[#>*\s|\d.]*{LABEL}[*\s]*(?P<mark>[:|]|$)(?P<rest>.*)", re.I)
BOLD = re.compile(r"\*\*[^*]+\*\*")
WRITTEN = (".md", ".markdown", ".txt", ".html", ".htm", ".xml", ".nxml")
"""Formats in which a title beside the text was written by the author and not by a program."""
SHEETS = (".xlsx", ".csv", ".tsv")
"""Formats whose headings are names of sheets."""
SHORTEST = 8


def title_of(text: str, given: str, path: str) -> str:
    """The title of a document.

    `given` is what front matter or the file's properties say. In order: the subject of a letter or mail; what
    is given, if the first pages bear it out; what stands behind "Title"; the first heading that is neither
    generic nor the name of a company; the first line, unless it is a section's name; the file's name.
    """
    lines = _lines(text[:TITLE_PAGE])
    about = plain(subject(text)) if form(text) else ""
    if len(about) >= SHORTEST:
        return about[:LONGEST]
    path_of = PurePosixPath(path)
    usable = bool(given) and _tells(given)
    written = path_of.suffix.lower() in WRITTEN or (" " in given and _borne_out(given, text[:TITLE_PAGE]))
    if usable and written:
        return given
    headless = path_of.suffix.lower() in SHEETS
    found = _labelled(lines) or ("" if headless else _heading(lines, text[:TITLE_PAGE]) or _first_line(lines))
    return found.rstrip(NOTE_MARKS) or path_of.stem.replace("_", " ")


def _lines(head: str) -> list[tuple[BlockKind, str]]:
    """The lines of the first pages, rows of tables as they stand; a bold line is a heading, a numbered item's
    head is none.
    """
    return [
        (
            BlockKind.ITEM
            if block.level == NUMBERED_LEVEL
            else BlockKind.HEADING
            if BOLD.fullmatch(head, *line)
            else block.kind,
            head[slice(*line)].strip(),
        )
        for block in blocks(head)
        for line in block.lines
    ]


def _borne_out(given: str, head: str) -> bool:
    """Whether most words of a title stand on the first pages, or there are none to compare with."""
    words = {word for word in re.findall(r"\w{3,}", given.lower())}
    there = set(re.findall(r"\w{3,}", head.lower()))
    return not there or not words or len(words & there) * 5 >= len(words) * 3


def _labelled(lines: list[tuple[BlockKind, str]]) -> str:
    """What stands behind "Title:", in the next cell of a row or on the next line."""
    for (_, line), (_, below) in pairwise([*lines, (BlockKind.PARAGRAPH, "")]):
        if match := LABELLED.match(line):
            rest = plain(match["rest"].strip(" |*:").split("|")[0]).strip()
            rest = rest or plain(below)
            if len(rest) >= SHORTEST and _tells(rest):
                return rest[:LONGEST]
    return ""


def _heading(lines: list[tuple[BlockKind, str]], head: str) -> str:
    """The first heading that tells this document from others."""
    for (kind, line), (_, below) in pairwise([*lines, (BlockKind.PARAGRAPH, "")]):
        heading = plain(line)
        if kind is BlockKind.HEADING and _tells(heading) and not OF_JOURNAL.match(below):
            return _broken(heading, head)
    return ""


def _broken(title: str, head: str) -> str:
    """A title with the headings of its level right below it, or the next one below a single word ("Manual"):
    a printed page breaks it over lines.
    """
    shown = [(one.level, plain(head[one.start : one.end])) for one in blocks(head)]
    at = next((place for place, (_, text) in enumerate(shown) if text == title), len(shown) - 1)
    following = shown[at + 1 :] if " " in title else shown[at + 1 : at + 2]
    levels = {shown[at][0]} if " " in title else {level for level, _ in following}
    below = takewhile(
        lambda one: one[0] in levels - {0} and _tells(one[1]) and one[1][0].isalpha(), following
    )
    return " ".join((title, *(text for _, text in below)))[:LONGEST]


def _tells(line: str) -> bool:
    """Whether a line tells this document from others: no cover word, no company's name, no section
    of a label and no mere code.
    """
    others = (GENERIC, LABEL_SECTION, MERE, ORGANISATION)
    return not (BAD_TITLE.search(line) or any(one.fullmatch(line) for one in others))


def _first_line(lines: list[tuple[BlockKind, str]]) -> str:
    """The first line that tells this document from others, were it no sentence."""
    kind, first = next(((kind, plain(line)) for kind, line in lines if _tells(plain(line))), (None, ""))
    told = kind is BlockKind.PARAGRAPH and SHORTEST <= len(first) <= 200 and not first.endswith(".")
    return first if told else ""
