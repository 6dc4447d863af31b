"""What stands around a possible code: whether it speaks for a molecule or for another numbered thing, such as
a procedure, a room, an instrument, a cell line, a grant, a scale or an address.
"""

import re

from retrieval.molecules.lexicon import any_of

BEFORE_NUMBERED_THING = re.compile(
    rf"{any_of('before_numbered_thing')}[ \u00a0]*(?:no\.?|number|code|id)?[ \u00a0]*[:#(|]?[ \u00a0]*\n?\Z",
    re.I,
)
BEFORE_FUNDED = re.compile(
    r"(?:grants?|awards?|funded|funding|supported|contracts?|fellowship|sponsored)\b[^.;\n]{0,70}\Z", re.I
)
"""A funder's numbers come in lists, so the word may stand some way before."""
BEFORE_SCALE = re.compile(
    r"(?:scale|score|index|questionnaire|inventory|assessment|checklist)\S*\s*\(\s*\Z", re.I
)
STUDY = (
    r"(?:clinical |final |interim )*(?:stud(?:y|ies?|ien)|trials?|protocols?|CSRs?|reports?|"
    r"(?:prüf)?berichte?s?|prüfplan|rapports?|études?)"
    r"(?:[ \u00a0](?:protocol|plan|report|synopsis))?"
)
BEFORE_STUDY = re.compile(
    rf"\b{STUDY}[ \u00a0]*(?:no\.?|nr\.?|numbers?|codes?|id|identifiers?)?[* \u00a0]*[:#(|]?[|* \u00a0]*\n?"
    r"(?:[A-Z]{1,6}[- \u00a0‑]?\d[\d‑-]{2,9}(?:, |,? and | or |/| ?[+&] ?))*\Z",
    re.I,
)
"""What introduces the number of a study or report, or a list of them."""
STUDY_COLUMN = re.compile(rf"[\W\d]*{STUDY}(?:[ _\u00a0](?:no\.?|nr\.?|numbers?|codes?|id|name))?\W*", re.I)
AFTER_NUMBERED_THING = re.compile(rf"\s*{any_of('after_numbered_thing')}", re.I)
BEFORE_DRUG = re.compile(
    rf"{any_of('before_drug')}[:,]?\s+"
    r"(?:(?:of|with|to|on|by|for|under|between|oral|the|single|multiple|doses?)\s+)*\Z",
    re.I,
)
AFTER_DRUG = re.compile(rf"\s*(?:\([^()]{{0,40}}\)\s*)?{any_of('after_drug')}", re.I)
MOLECULE_COLUMN = re.compile(
    r"\b(?:molecules?|compounds?|drugs?|substances?|candidates?|test (?:article|item)s?|products?|"
    r"treatments?|assets?)\b",
    re.I,
)
MOST_ROWS = 400
"""Rows of a table that are looked through for its head."""


def weight(text: str, match: re.Match[str]) -> int:
    """How the surroundings of a possible code speak: 1 for a molecule, -1 for another thing, else 0."""
    if is_other_thing(text, match):
        return -1
    beside = BEFORE_DRUG.search(text, *_window(match, -60)) or AFTER_DRUG.match(text, match.end())
    return int(beside is not None or in_column(text, match))


def is_other_thing(text: str, match: re.Match[str]) -> bool:
    """Whether the surroundings tell another numbered thing."""
    near, far = _window(match, -40), _window(match, -100)
    return bool(
        BEFORE_NUMBERED_THING.search(text, *near)
        or BEFORE_SCALE.search(text, *near)
        or BEFORE_FUNDED.search(text, *far)
        or AFTER_NUMBERED_THING.match(text, match.end())
    )


def introduces_study(text: str, match: re.Match[str]) -> bool:
    """Whether a possible code is introduced as a study or report, and not given or dosed as a drug is: "in
    this study QX-1001 was given" introduces none.
    """
    if BEFORE_STUDY.search(text, *_window(match, -60)):
        return AFTER_DRUG.match(text, match.end()) is None or text[match.end() : match.end() + 1] == ":"
    return STUDY_COLUMN.fullmatch(_column(text, match.start())) is not None


def in_column(text: str, match: re.Match[str]) -> bool:
    """Whether a code is all of a table's cell, in a column of molecules."""
    if not re.match(r"\s*\|", text[match.end() : match.end() + 9]):
        return False
    return MOLECULE_COLUMN.search(_column(text, match.start())) is not None


def _column(text: str, position: int) -> str:
    """The head of the column in whose cell a text begins at `position`; "" outside tables."""
    start = text.rfind("\n", 0, position) + 1
    if text[start] != "|":
        return ""
    before = text[start:position]
    if before.rstrip(" *")[-1:] != "|":
        return ""
    cells = _table_head(text, start).strip().strip("|").split("|")
    column = before.count("|") - 1
    return cells[column] if column < len(cells) else ""


def _table_head(text: str, line: int) -> str:
    """The first line of the table in which a line begins."""
    for _ in range(MOST_ROWS):
        above = text.rfind("\n", 0, max(0, line - 1)) + 1
        if line == 0 or text[above : above + 1] != "|":
            break
        line = above
    return text[line : text.find("\n", line)]


def _window(match: re.Match[str], width: int) -> tuple[int, int]:
    return max(0, match.start() + width), match.start()
