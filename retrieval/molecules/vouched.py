"""Codes whose letters and number a full stop, a stroke or a low line parts ("KD.417b"), and names of a word
and a number ("Kuura 7", "Project Halden 12", "88-Vidde").

Sections, versions, files, tables and visits are written so too. Such a name is a molecule's where a column of
molecules lists it, or where the text says what it is: "KD.417b, an inhibitor of …", "tablets of KD.417b".
What the text more often introduces as a study, a batch or another numbered thing is none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from retrieval.molecules.codes import (
    DASH,
    FORMULA,
    SPACED,
    code_key,
    excluded,
    is_code,
    is_measure,
)
from retrieval.molecules.lexicon import OTHERWISE, SALTS
from retrieval.molecules.name_tables import ASIDE, MARKS, grids
from retrieval.molecules.surroundings import introduces_study, is_other_thing

_LETTERS = rf"(?:[A-Z][A-Za-z]{{1,5}}|[a-z]{{1,2}}[A-Z][A-Za-z]{{0,4}})(?:{DASH}[A-Z]{{1,4}})?"
HOUSE = rf"{_LETTERS}[./_]\d{{2,6}}(?:[A-Za-z]{{1,2}}|{DASH}[A-Z]{{1,2}}(?![\w-]))?"
"""Letters, also "kTx", a sign, and at once a number: no gene's family ("Abc1.2"), no path of a file. A form
has a letter more ("HV/0413-R").
"""
ACCESSION = re.compile(r"[NXY][CGMPR]_\d+|(?:Hs|Mm|Rn)\.\d+")
"""Numbers of sequences in public databases."""
WRITTEN = re.compile(rf"(?<![\w./@+-])(?P<code>{HOUSE})(?![\w/@]|{DASH}\d|\.\w)")

NUMBERED = re.compile(
    r"(?<![\w./@+-])(?:Project[ \u00a0])?(?P<code>(?P<word>[A-Z][a-z]{3,11})[ \u00a0]\d{1,3})"
    r"(?![\w/@%]|[.,:-]\d)"
)
LED = re.compile(r"(?<![\w./@+-])(?P<code>\d{1,4}-(?P<word>[A-Z][a-z]{2,11}))(?![\w/@%]|-\w)")
"""A word and a number, or a number and a word, as houses name projects and what comes of them."""
SMALL = re.compile(r"(?<![\w-])[a-z]{4,13}(?![\w-])")
MOLECULES = re.compile(
    r"(?:(?:test|study|lead|investigational) )?(?:molecules?|compounds?|substances?|drugs?|"
    r"(?:drug |development )?candidates?|assets?|product codes?|test (?:article|item|substance)s?|"
    r"investigational (?:product|drug)s?|"
    r"(?:molecule|compound|drug|substance|asset|candidate)(?: code| name| id| no\.?| number)s?)",
    re.I,
)
"""Heads of columns that hold molecules."""
KEPT_TRACK = re.compile(
    r"(?:stud(?:y|ies)|trials?|protocol|report|phase|stage|status|state|species|batch(?:es)?|lot|indication|"
    r"project)(?: (?:no|number|code|id|title|name|type)\.?)?",
    re.I,
)
"""Heads that tables of a house's molecules have beside theirs: registers, lists of projects or batches."""
OWN = re.compile(
    rf"(?=[^\s]*[A-Za-z])(?=[^\s]*(?:\d|[./_]))(?!\d+(?:[.,]\d+)?\s?[A-Za-zµ%/]{{1,3}}\Z)"
    rf"[A-Za-z0-9]{{1,8}}(?:(?:[./_#]|{DASH})[A-Za-z0-9]{{1,8}}){{0,3}}"
)
"""Any name without a blank that has letters and a digit or sign: "TU.XIV", "ob/551-T", "K4m9"."""
BOUGHT = re.compile(r"\b(?:suppliers?|vendors?|manufacturers?|cat(?:alog(?:ue)?)?\.? ?(?:no|num)\w*)\b", re.I)
"""Heads of a table of reagents, whose codes are those of a catalogue."""
SEVERAL = re.compile(r"\s*[;,]\s*|\s+and\s+|\s*\+\s*")

_KIND = (
    r"(?:inhibitor|antagonist|agonist|opener|(?:\w+ )?blocker|modulator|activator|degrader|stimulator|"
    r"antibody|prodrug|peptide|ligand|(?:drug|development) candidate|small molecule|oligonucleotide)"
)
_UP_TO_KIND = r"(?:(?!of\b|with\b|for\b|on\b|in\b|to\b|by\b)[\w/.-]+,?\s+){0,8}?"
SAID_AFTER = re.compile(
    rf"(?:,|\s+(?:is|was))\s+(?:an?|the|our)\s+{_UP_TO_KIND}{_KIND}\b|"
    rf"\s+(?:(?:\d+(?:\.\d+)? mg )?(?:tablets?|capsules?)|{SALTS})\b",
    re.I,
)
SAID_BEFORE = re.compile(
    r"(?:\b(?:first[- ](?:(?:trial|study|administration|dose) )?(?:in|to)[- ](?:hu)?man(?: trial| study)? of|"
    r"(?:tablets?|capsules?|vials?|syringes?|doses?|infusions?|injections?|tolerability|pharmacokinetics|"
    r"bioavailability) of|mg(?:/kg)?(?:/(?:day|week))? of|treated with|placebo or|drug candidate|"
    r"investigational (?:product|drug|medicine)|test (?:article|item))\s+|"
    r"\b(?:molecule|compound|asset|drug candidate|product code|investigational product|test (?:article|item))"
    r"[*\s]*[:|][*\s]*)\Z",
    re.I,
)
BEFORE = 60
"""Characters before a code in which the text says what it is."""


def vouched(text: str) -> Iterator[str]:
    """The codes in unusual shapes that a table or the text says to be molecules, as written, each once."""
    small = frozenset(SMALL.findall(text))
    columns = Counter(name for heads, rows in grids(text) for name in _in_columns(heads, rows, small))
    for_it: Counter[str] = Counter()
    for name, times in columns.items():
        for_it[code_key(name)] += times
    against: Counter[str] = Counter()
    spelled = {code_key(name): name for name in columns}
    listing = frozenset(spelled)
    for found in (*WRITTEN.finditer(text), *NUMBERED.finditer(text), *LED.finditer(text)):
        if _no_house(found["code"]) or _is_word(found, small):
            continue
        key = code_key(found["code"])
        spelled.setdefault(key, found["code"])
        for_it[key] += _is_said(text, found)
        listed = key in listing and text[max(0, found.start() - 5) : found.start()].rstrip(" *")[-1:] == "|"
        against[key] += not listed and (introduces_study(text, found) or is_other_thing(text, found))
    yield from (name for key, name in spelled.items() if for_it[key] > against[key])


def _no_house(code: str) -> bool:
    """Whether a code is a sequence's number, or its letters those of a gene or a word: "Table.12"."""
    letters = re.split(r"[./_]", code)[0]
    return bool(ACCESSION.fullmatch(code)) or excluded(letters) or excluded(letters.upper())


def _is_said(text: str, found: re.Match[str]) -> bool:
    """Whether the text says beside a code what it is."""
    before = SAID_BEFORE.search(text, max(0, found.start() - BEFORE), found.start())
    return before is not None or SAID_AFTER.match(text, found.end()) is not None


def _is_own(name: str) -> bool:
    """Whether a register can call a molecule so: no usual code, which has its own rules, and no formula."""
    if not (OWN.fullmatch(name) or SPACED.fullmatch(name)) or FORMULA.fullmatch(name):
        return False
    return not (is_code(name) or is_measure(name) or _no_house(name))


def _is_word(found: re.Match[str], small: frozenset[str]) -> bool:
    """Whether a name is a numbered thing's: its word is one of those, or the text also uses it in small
    letters.
    """
    word = (found.groupdict().get("word") or "").lower()
    return bool(word) and (word in OTHERWISE or not small.isdisjoint((word, f"{word}s")))


def _in_columns(heads: Sequence[str], rows: Sequence[Sequence[str]], small: frozenset[str]) -> Iterator[str]:
    """The unusual codes in the columns of molecules of a table, once for each row."""
    if any(BOUGHT.search(head) for head in heads):
        return
    for place, head in enumerate(heads):
        if not MOLECULES.fullmatch(" ".join(ASIDE.sub("", head).replace("_", " ").split()).strip(MARKS)):
            continue
        filled = [name.strip(MARKS) for row in rows for name in SEVERAL.split(ASIDE.sub("", row[place]))]
        known = {name for name in filled if re.fullmatch(HOUSE, name) and not _no_house(name)}
        yield from (name for name in filled if name in known)
        if any(KEPT_TRACK.fullmatch(" ".join(ASIDE.sub("", other).split()).strip(MARKS)) for other in heads):
            yield from (name for name in filled if name not in known and _is_own(name))
        numbered = (NUMBERED.fullmatch(name) or LED.fullmatch(name) for name in filled)
        yield from (found["code"] for found in numbered if found and not _is_word(found, small))
