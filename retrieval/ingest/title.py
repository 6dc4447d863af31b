"""The title of a document: what its title page says, and never a cover's "Final Report" alone where a real
title stands there.

Properties of a file often keep the title of a template or of the program that wrote it, so they count only if
the first pages have their words.
"""

import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from pathlib import PurePosixPath

from retrieval.captions import CAPTION
from retrieval.ingest.correspondence import form, subject
from retrieval.markdown import NUMBERED_LEVEL, BlockKind, blocks
from retrieval.molecules.codes import code_key
from retrieval.passages import plain
from retrieval.text.dates import DATE

TITLE_PAGE = 6_000
"""Characters of the beginning in which a title is looked for."""
LONGEST = 300
BAD_TITLE = re.compile(
    r"microsoft (?:word|powerpoint)|untitled|\.(?:docx?|pdf|pptx?|xlsx?|png|jpe?g|tiff?|indd|rtf)$|^slide "
    r"\d|^\W*$|"
    r"^screenshot\b|^title\W*$|^(?:presentation|document|data|sheet)\W*\d*$",
    re.I,
)
KIND = (
    r"(?:(?:final|draft|interim|amended|revised|full|abbreviated|integrated|signed|unaudited|audited|"
    r"clinical|"
    r"nonclinical|non-clinical|preclinical|toxicology|technical|research|project|study|trial|glp)[ -]+)*"
    r"(?:reports?|protocols?|plans?|synopsis|summary|amendments?)(?: body| text)?(?: amendment)?"
)
GENERIC = re.compile(
    rf"(?:{KIND}|front cover|cover(?: page)?|title page|signature page|(?:table of )?contents|"
    rf"read ?me|legend|instructions?|change (?:log|history)|earlier messages?|confidential(?:ity)?"
    r"(?: statement| information)?|approvals?|(?:study )?(?:data )?reviewer['’]?s?['’]? guide|nonclinical|"
    r"clinical|"
    r"statement of .{0,60}|(?:glp )?compliance statement|quality assurance(?: statement)?|signatures?.{0,30}|"
    r"list of (?:tables|figures|abbreviations)|abbreviations|appendi(?:x|ces).{0,20}|introduction|abstract|"
    r"(?:original|research|review) article|"
    r"objectives?|name|brief summary|general information|notices?|final|draft|v(?:ersion )?\d.{0,20}|"
    r"(?:study |trial )?(?:design|methods?|results?|discussion|conclusions?|background|purpose|aims?)|"
    r"materials? and methods|pharmacokinetics|pharmacology|safety|efficacy|statistics|references|"
    r"minutes(?: of (?:the )?meeting)?|memo(?:randum)?|(?:file |study |technical )?notes?|"
    r"(?:study|protocol|report|project) (?:number|no\.?|id)\b.{0,60})\W*"
    r"(?:[A-Z]{0,3}\d[\w-]*)?\W*",
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
    r"(?:A/?S|ASA|Inc\.?|Incorporated|Ltd\.?|Limited|GmbH|AG|KG|PLC|plc|S\.?A\.?S?|S\.?p\.?A\.?|S\.?r\.?l\.?|"
    r"AB|B\.?V\.?|N\.?V\.?|L\.?L\.?C\.?|LLP|L\.P\.|Co\.?|Corp\.?|Corporation|K\.?K\.?|Oyj?|ApS|Pty|JSC|"
    r"PJSC|OJSC|OÜ|UAB|SIA|d\.o\.o\.|s\.r\.o\.|a\.s\.|Kft\.?|Zrt\.?|Pvt\.? Ltd\.?|Sp\. z o\.o\.)"
    r"(?:\s?[,·–—|-]\s?[A-ZÀ-ÞŠŽ][\w.'’-]+(?: [A-ZÀ-ÞŠŽ][\w.'’-]+){0,2}){0,2}"
)
"""The name of a company, by its legal form and nothing behind it but the place where it is."""
AUTHORITY = re.compile(
    r"(?!.*\b(?:reports?|stud(?:y|ies)|protocol|minutes|memo|trials?|synopsis|letter|advice|guid\w+|review)\b)"
    r"(?:the )?(?:[\w-]+ ){0,2}?(?:(?:republic|kingdom|commonwealth|government|ministry|department) of|"
    r"federal (?:office|agency|institute|ministry) (?:of|for)|food and drug administration|united states of)"
    r"(?:[ ,]+[\w&-]+){0,8}",
    re.I,
)
"""The name of a state or of an office of it, with which letters and forms are headed."""
LETTERHEADS = (ORGANISATION, AUTHORITY)
MERE = re.compile(
    rf"(?=\S*\d)[A-Z][\w/.-]*|{DATE}|"
    r"(?:(?:Prof|Dr)\.? (?:med\. |rer\. nat\. )?)+[A-ZÀ-ÞŠŽ][^\W\d]*(?:[ .-]+[^\W\d]+){0,4}"
)
"""A code, a date or a person alone, which is no title."""
NEXT_LABEL = re.compile(r"[.;|]\s+(?=[^\W\d_][^\W\d_]+(?: [^\W\d_]+){0,3}:\s)")
"""Where a title ends before a label on its line ("... in rats. Report date: ...")."""
_NAME = r"[A-ZÀ-ÞŠŽ][A-Za-zÀ-ÿ&.’'-]*(?: [A-ZÀ-ÞŠŽ&][A-Za-zÀ-ÿ&.’'-]*){0,3}"
SHORT_NAME = re.compile(rf"{_NAME}(?:\s+[/|–—-]\s+{_NAME}){{0,2}}")
"""A first line of a few capitalised words: nearly always one or more companies, a department or a stamp."""
OF_JOURNAL = re.compile(rf"journal home ?page|www\.|(?:{DATE}, )?volume \d", re.I)
"""What stands below the name of a journal."""
NOTE_MARKS = " *∗†‡§¶¹²³"
TITLE_LIKE = re.compile(
    r"(?!.*[.:;]$)(?=.*\b(?:reports?|stud(?:y|ies)|trials?|protocol|memo(?:randum)?|minutes|meeting|synopsis|"
    r"summary|plan|note|assays?|tests?|evaluation|investigation|toxicity|tolerability|pharmacokinetics)\b)"
    r"(?!.*\b(?:is|are|was|were|has|have|had|will|shall|this|we)\b)"
    r"(?![^:]{3,30}: .{0,30}$)"
    r"(?![A-Za-z]+: |test (?:item|article|substance|facility|site)s?\b)(?:\S+ ){3,}\S+",
    re.I,
)
"""A line of a title page that is a title: it says what kind of document this is, and is no sentence."""
NUMBERED = re.compile(rf"{KIND}\W+(?:(?=\S*\d)[\w./-]+|{DATE})\W*", re.I)
"""A heading that says no more than the kind and number or date of a document."""
GUIDE = re.compile(r"(?:study )?(?:data )?reviewer['’]?s?['’]? guide", re.I)
LABEL = (
    r"(?:(?:full|official|complete|scientific)\s+)?(?:(?:study|protocol|trial|report|document|project)\s+)?"
    r"title(?: of (?:the )?(?:study|trial|report))?"
)
LABELLED = re.compile(rf"^[#>*\s|\d.]*{LABEL}[*\s]*(?P<mark>[:|]|$)(?P<rest>.*)", re.I)
OPEN_END = re.compile(
    r"(?:[:,–—-]|\b(?:of|in|on|the|and|with|for|to|by|(?-i:a)|an|from|or|after|following|versus|healthy|"
    r"study))\s*$",
    re.I,
)
WRITTEN = (".md", ".markdown", ".txt", ".html", ".htm", ".xml", ".nxml")
"""Formats in which a title beside the text was written by the author and not by a program."""
HTML = (".html", ".htm")
SHEETS = (".xlsx", ".csv", ".tsv")
"""Formats whose headings are names of sheets."""
SHORTEST = 8
LINES, PAGE_LINES = 3, 12
"""Lines over which a title may be broken, and lines of a title page."""


def title_of(text: str, given: str, path: str) -> str:
    """The title of a document.

    `given` is what front matter or the file's properties say. In order: the subject of a letter or mail; what
    is given, if the first pages bear it out; what stands behind "Title"; a title in a line below cover words
    or a company's name; the first heading that is neither generic nor the name of a company or a sheet; the
    first line, unless it is a section's name; the file's name.
    """
    lines = _lines(text[:TITLE_PAGE])
    of_authority = bool(lines) and AUTHORITY.fullmatch(plain(lines[0][1])) is not None
    about = plain(subject(text)) if of_authority or form(text) else ""
    if len(about) >= SHORTEST:
        return about[:LONGEST]
    suffix = PurePosixPath(path).suffix.lower()
    usable = bool(given) and _tells(given)
    if usable and (suffix in WRITTEN or (" " in given and _borne_out(given, text[:TITLE_PAGE]))):
        return _shown(given, text) if suffix in HTML else given
    if labelled := _labelled(lines):
        return _of_guide(lines, labelled)
    headless = suffix in SHEETS or bool(lines and LABEL_SECTION.fullmatch(plain(lines[0][1])))
    found = "" if headless else _below_cover_words(lines) or _heading(lines, text[:TITLE_PAGE])
    if found := (found or _first_line(lines)).rstrip(NOTE_MARKS):
        return found
    fallback = given if " " in given and not BAD_TITLE.search(given) else ""
    stem = PurePosixPath(path).stem.replace("_", " ")
    return fallback or (stem if headless else _any_heading(lines) or stem)


def _lines(head: str) -> list[tuple[BlockKind, str]]:
    """The lines of the first pages, rows of tables as they stand; a numbered item's head is no title."""
    return [
        (BlockKind.ITEM if block.level == NUMBERED_LEVEL else block.kind, head[slice(*line)].strip())
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
    for place, (_, line) in enumerate(lines):
        match = LABELLED.match(line)
        if not match:
            continue
        rest = NEXT_LABEL.split(plain(match["rest"].strip(" |*:").split("|")[0]))[0].strip()
        following = [text for _, text in lines[place + 1 : place + 1 + LINES]]
        if not rest and match["mark"] != "|" and following:
            rest, following = plain(following[0]), following[1:]
        if len(rest) >= 8 and not GENERIC.fullmatch(rest) and not BAD_TITLE.search(rest):
            return _joined(rest, following)
    return ""


def _shown(given: str, text: str) -> str:
    """The heading with which a page's title begins, which may be cut and name the site as well."""
    headings = (plain(text[one.start : one.end]) for one in blocks(text) if 0 < one.level < NUMBERED_LEVEL)
    cleaned = (heading.rstrip(NOTE_MARKS) for heading in headings)
    begun, cut, _ = given.partition("...")
    keys = ((one, code_key(one), code_key(begun)) for one in cleaned if len(one) >= SHORTEST)
    return next(
        (one for one, key, own in keys if own.startswith(key) or (cut and key.startswith(own))), given
    )


def _heading(lines: list[tuple[BlockKind, str]], head: str) -> str:
    """The first heading that tells this document from others."""
    for place, (kind, line) in enumerate(lines):
        heading = plain(line)
        below = lines[place + 1 : place + 1 + LINES]
        of_journal = bool(below) and OF_JOURNAL.match(below[0][1]) is not None
        if kind is BlockKind.HEADING and _tells(heading) and not of_journal:
            whole = _joined(heading, [text for kind, text in below if kind is not BlockKind.ITEM])
            return whole if whole != heading else _broken(heading, head)
    return ""


def _broken(title: str, head: str) -> str:
    """A title with the headings of its level right below it, or the next one below a single word ("Manual"):
    a printed page breaks it over lines.
    """
    shown = [(one.level, plain(head[one.start : one.end])) for one in blocks(head)]
    at = next((place for place, (_, text) in enumerate(shown) if text == title), len(shown) - 1)
    following = shown[at + 1 :] if " " in title else shown[at + 1 : at + 2]
    levels = {shown[at][0]} if " " in title else {level for level, _ in following}
    below = takewhile(lambda one: one[0] in levels and _tells(one[1]) and one[1][0].isalpha(), following)
    return " ".join((title, *(text for _, text in below)))[:LONGEST]


def _tells(line: str) -> bool:
    """Whether a line tells this document from others: no cover word, no company's or office's name, no
    section of a label, no caption and no mere code, date or person.
    """
    others = (GENERIC, LABEL_SECTION, MERE, *LETTERHEADS)
    return not (BAD_TITLE.search(line) or CAPTION.match(line) or any(one.fullmatch(line) for one in others))


def _below_cover_words(lines: list[tuple[BlockKind, str]]) -> str:
    """The title in a line of the title page, where only a company's name, cover words or a number head it."""
    headed = False
    for place, (kind, line) in enumerate(lines[:PAGE_LINES]):
        text = plain(line)
        names_page = not _tells(text) or NUMBERED.fullmatch(text) is not None
        if kind is BlockKind.HEADING:
            if not names_page or (headed and lines[place - 1][0] is not BlockKind.HEADING):
                return ""
            headed = True
        elif kind is BlockKind.PARAGRAPH and place and not names_page and len(text) < LONGEST:
            title = _joined(text, [below for _, below in lines[place + 1 : place + 1 + LINES]])
            if TITLE_LIKE.fullmatch(title):
                return title
        elif place == 0 and not (names_page or SHORT_NAME.fullmatch(text)):
            return ""
    return ""


def _any_heading(lines: list[tuple[BlockKind, str]]) -> str:
    """The first heading, were it generic."""
    found = (plain(line) for kind, line in lines if kind is BlockKind.HEADING)
    return next((heading for heading in found if not BAD_TITLE.search(heading)), "")[:LONGEST]


def _first_line(lines: list[tuple[BlockKind, str]]) -> str:
    """The first line, unless a section is named so; below a mere code, date or person it is no sentence."""
    told = list(dropwhile(lambda one: MERE.fullmatch(plain(one[1])), lines))
    if not told or told[0][0] is not BlockKind.PARAGRAPH or (told != lines and told[0][1].endswith(".")):
        return ""
    line = NEXT_LABEL.split(plain(told[0][1]))[0]
    if any(one.fullmatch(line) for one in (GENERIC, LABEL_SECTION, AUTHORITY)):
        return ""
    return line if SHORTEST <= len(line) <= 200 else ""


def _joined(first: str, following: list[str]) -> str:
    """A title that goes on in the next lines: it ends open, or they begin in lower case."""
    title = first
    for line in following:
        more = plain(line)
        goes_on = OPEN_END.search(title) or re.match(r"(?!v\d|by (?:the )?[A-Z])[a-z(]", more)
        ends = not more or len(more) > 150 or LABELLED.match(line) or re.match(r"[^:]{3,30}:(?:\s|$)", more)
        if not goes_on or ends or title.endswith("."):
            break
        title = f"{title} {more}"
    return " ".join(title.split())[:LONGEST]


def _of_guide(lines: list[tuple[BlockKind, str]], title: str) -> str:
    """The title of a guide to a study's data: its kind before the study's title."""
    head: Iterator[str] = (plain(line) for _, line in lines[:4])
    guide = next((line for line in head if GUIDE.fullmatch(line)), "")
    return f"{guide}: {title}" if guide else title
