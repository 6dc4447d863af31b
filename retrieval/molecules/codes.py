"""Recognising the names of drug candidates in text: laboratory codes by their shape and their surroundings,
non-proprietary names by their form.

Study, report, batch and registry numbers, cell lines, genes, norms and scales have similar shapes. A shape
that is typical of a code counts unless its surroundings speak against it; an ambiguous shape counts only if
its surroundings speak for it (a dose, a salt, "treated with"). A typical shape of which nothing tells what it
is - no drug's surroundings, no house that numbers its compounds so, no kin - is no molecule.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from retrieval.molecules.lexicon import (
    ENGLISH_ENDING,
    HOUSE_PREFIXES,
    NAME_ENDING,
    NOT_NAMES,
    NOT_PREFIXES,
    NOT_STEM,
    STEM,
)
from retrieval.molecules.surroundings import introduces_study, weight

DASH = r"[-‐‑‒–−]"
PAIRED = rf"\d{{2,3}}(?:{DASH}|[./])\d{{3,4}}"
"""The number of a code in two parts: "12-345", "12.3456"."""
CODE = re.compile(
    rf"""(?<![\w/.^+§]) (?<![A-Za-z0-9]{DASH})
    (?P<prefix>[A-Z]{{1,6}}(?:{DASH}[A-Z]{{1,4}})? | [A-Z][a-z]{{1,2}} )
    (?P<sep>{DASH}|[ \u00a0\u202f])?
    (?P<digits>\d{{1,3}},\d{{3}} | {PAIRED} | \d{{2,8}})
    (?P<suffix>[A-Z]{{1,3}}|[a-z])?
    (?!\w | {DASH}\d | [./]\d | ,\d | {DASH}[A-Z]{{1,3}}{DASH}?\d)""",
    re.VERBOSE,
)
LOOSE = re.compile(
    r"(?<![A-Za-z0-9])(?![A-Z][a-z]+ (?:19|20)\d\d\b)"
    rf"([A-Za-z]{{1,6}}(?:{DASH}[A-Za-z]{{1,4}})?)(?:{DASH}|[ \u00a0\u202f])?"
    rf"(\d{{1,3}}(?:,\d{{3}})+|{PAIRED}|\d{{2,8}})([A-Za-z]{{0,3}})(?![A-Za-z0-9])"
)
"""A code as people type it: any case, any separator; an author and a year are none."""
BARE = re.compile(
    rf"(?<![\w.,/+-])(?<![A-Z0-9][ \u00a0])\d{{2,3}}{DASH}\d{{3,4}}(?![\w/%]|[.,-]\d|{DASH}|"
    r"[ \u00a0]?(?:%|[mµμn]?[gMLl]\b|kg\b|mcg\b|m[Ll]\b|hours?\b|h\b|days?\b|years?\b|nm\b|°))"
)
"""The number of a code in two parts without its letters: "12-345", as a house speaks of its compounds."""
WORD = re.compile(r"[^\W\d_]{4,}")
"""A word that may be a non-proprietary name."""

UNUSUAL = re.compile(rf"[^\W_]+(?:(?:[./_#]|{DASH})[^\W_]+){{1,3}}")
"""A name of letters and digits in a shape that no usual code has: "HLX/4471", "KRO.siR7", "90-3317"."""

ROMAN = re.compile(rf"[A-Z][A-Za-z]{{0,5}}(?:[./_]|{DASH})[IVXLC]{{1,6}}(?:(?:[./_]|{DASH})\w{{1,3}})?")
"""Letters and a number in Roman numerals: "TK.XIV"."""
SPACED = re.compile(rf"[A-Z]{{2,5}}[ \u00a0]\d{{1,4}}(?:/|{DASH})\d{{1,4}}[A-Za-z]?")
"""Letters, a blank and a number in two parts: "TSN 4/17b", "KRO 70-81n"."""
MIXED = re.compile(r"[A-Za-z]{1,4}\d{1,3}[A-Za-z]{1,4}\d{1,4}[A-Za-z]?")
"""Letters and digits in turns: "K4m9"."""
FORMULA = re.compile(
    r"(?:H|Li|C|N|O|F|Na|Mg|Al|Si|P|S|Cl|K|Ca|Cr|Mn|Fe|Co|Ni|Cu|Zn|Br|Ag|I|Ba)\d{0,2}"
    r"(?:(?:H|C|N|O|F|Na|Mg|Si|P|S|Cl|K|Ca|Br|I)\d{0,2})*"
)
"""A chemical formula ("CO2", "MgCl2")."""

NO_CODE = re.compile(
    r"[A-Z]\d{2,4}[A-Z]|[STY]\d{1,3}[a-z]?|[A-Z]\s\d+|[A-Z][a-z]+\W?\d{1,3}[A-Za-z]*|[A-Z]+\s\d{1,2}[a-z]?"
    r"|[A-Z]{2,3}\s(?:19|20)\d\d|X{2,}\W?X*\W?\d+\w*|[A-Z]+\s\d+(?:ST|ND|RD|TH)|[A-Z]\d\d|[PR]F\d{5}|(?:EU)?[HP]\d{3}[A-Za-z]{0,2}"
)
"""Shapes that are no codes: a mutation, a phosphorylation site, a letter and a number, a word and a short
number, initials of an author before a year, a placeholder, a word and an ordinal ("THE 47TH MEETING"), a
letter and two digits, a family of Pfam or Rfam, a statement of hazard or precaution.
"""
GENE_LIKE = re.compile(r"[A-Z]{2,6}\d{1,2}[A-Z]?")
"""The shape that symbols of genes and proteins have, as CDH17."""
MEASURE = re.compile(
    rf"(?:MIC|MBC|MFC|MEC|MPC|FIC|IC|EC|AUC|AUEC|LD|LC|ED|ID|TD|TC|CC|GI|HC|BMDL?|TCID|CCID|EID|PRNT|NT|T|"
    rf"TT|C|PC|PD|PA|PK|KI|FEV|SPO)(?:{DASH}|[ \u00a0])?(?:\d{{1,2}}|100|0{DASH}\d{{1,3}})[a-z]?",
    re.I,
)
"""Measures: a share of the effect or a time behind what is measured, "IC50", "AUC24"."""
AMOUNT_OF = re.compile(
    r"[ \u00a0]?(?:%|[mµμn]?[gMLl]\b|kg\b|mcg\b|m[Ll]\b|hours?\b|h\b|days?\b|years?\b|nm\b)"
)
"""A unit behind a number, which is an amount then and no code."""
RARELY = 5
"""Of so many mentions of an uncertain shape, one at least must stand beside a dose or the like."""


@dataclass(frozen=True, slots=True)
class CodeMention:
    """A possible code in a text.

    `certain` is False for shapes that need support. `weight` says how the surroundings speak: 1 for a
    molecule, -1 for another numbered thing, 0 for neither. `study` tells that they introduce a study or a
    report.
    """

    start: int
    end: int
    text: str
    certain: bool
    weight: int
    study: bool = False


def code_key(name: str) -> str:
    """What all spellings of a name share: "PX 1001" == "PX-1001" == "px1001"."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def is_code(name: str) -> bool:
    """Whether a whole name has the shape of a laboratory code, in any case and spacing."""
    return LOOSE.fullmatch(name.strip()) is not None


def is_unusual(name: str) -> bool:
    """Whether a name is one of letters and digits that has no usual code's shape, and so counts only where
    something else says that it is a name.
    """
    name = name.strip()
    if is_code(name):
        return False
    if any(shape.fullmatch(name) for shape in (ROMAN, SPACED, MIXED)) and not FORMULA.fullmatch(name):
        return True
    if not UNUSUAL.fullmatch(name) or not re.search(r"\d", name):
        return False
    return BARE.fullmatch(name) is not None or re.search(r"[^\W\d]", name) is not None


def is_generic(word: str) -> bool:
    """Whether a word has a stem of non-proprietary names."""
    lower = word.lower()
    if len(word) < 7 or lower in NOT_NAMES or NOT_STEM.fullmatch(lower):
        return False
    return STEM.fullmatch(lower) is not None


def may_be_generic(word: str) -> bool:
    """Whether a word beside a code can be its non-proprietary name: not an English word by list or ending."""
    lower = word.lower()
    if not (5 <= len(word) <= 20 and word.isalpha() and word[1:].islower()) or lower in NOT_NAMES:
        return False
    return is_generic(lower) or not ENGLISH_ENDING.fullmatch(lower)


def looks_generic(word: str) -> bool:
    """Like `may_be_generic`, and with an ending that names of substances have; for weak surroundings."""
    return may_be_generic(word) and (is_generic(word) or bool(NAME_ENDING.fullmatch(word.lower())))


def is_measure(name: str) -> bool:
    """Whether a name is a measure such as "IC50", which has the shape of a code."""
    return MEASURE.fullmatch(name.strip()) is not None


def excluded(prefix: str) -> bool:
    """Whether no code begins with this prefix, which is one of genes, scales, norms, registers or words."""
    return prefix in NOT_PREFIXES or re.split(DASH, prefix)[0] in NOT_PREFIXES


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes of molecules that a document uses: key -> how often in which spelling.

    `unsupported` have the shape of a code, and nothing else tells what they are. `studies` are numbers that
    the document introduces as those of studies or reports, as written.
    """

    molecules: dict[str, Counter[str]] = field(default_factory=dict)
    unsupported: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()


MOST_MENTIONS = 20_000
"""Codes of a document that are weighed; what names more is a list."""


def find_codes(text: str) -> Iterator[CodeMention]:
    """Every possible code in a text, in order."""
    for match in CODE.finditer(text):
        if excluded(match["prefix"]) or NO_CODE.fullmatch(match[0]):
            continue
        if is_measure(match[0]) or _is_amount(text, match):
            continue
        study = introduces_study(text, match)
        said = -1 if study else weight(text, match)
        yield CodeMention(match.start(), match.end(), match[0], _certain(match), said, study)


def codes(text: str, title: str = "") -> Codes:
    """The codes a document uses.

    A shape that is certain counts unless its surroundings speak against it on the whole ("study", "batch",
    "cells"); another one if they speak for it, or if it stands in the title and the text. One that is certain
    by its shape alone is unsupported, unless a house numbers its compounds so or its series has a molecule.
    """
    seen: dict[str, list[CodeMention]] = {}
    titled = {code_key(mention.text) for mention in find_codes(title) if mention.weight >= 0}
    for mention in islice(find_codes(text), MOST_MENTIONS):
        seen.setdefault(code_key(mention.text), []).append(mention)
    found = {key: mentions for key, mentions in seen.items() if _counts(mentions, key in titled)}
    sure = {key for key, mentions in found.items() if _is_sure(mentions, key in titled)}
    sure_series = set(map(_series, sure))
    sure |= {key for key in found if _series(key) in sure_series}
    return Codes(
        {key: Counter(mention.text for mention in found[key]) for key in found if key in sure},
        tuple(found[key][0].text for key in found if key not in sure),
        tuple(mentions[0].text for mentions in seen.values() if _is_study(mentions)),
    )


def series(name: str) -> tuple[str, int]:
    """The letters of a code and how many digits follow: what codes of one series share."""
    return _series(code_key(name))


def _counts(mentions: Sequence[CodeMention], titled: bool) -> bool:
    """Whether shape and surroundings on the whole allow for a molecule."""
    total = sum(mention.weight for mention in mentions)
    if any(mention.certain for mention in mentions):
        return total >= 0
    if titled and len(re.match(r"[A-Za-z]*", mentions[0].text)[0]) > 1:  # type: ignore[index]
        return total >= 0
    return total > 0 and total * RARELY >= len(mentions)


def _is_study(mentions: Sequence[CodeMention]) -> bool:
    """Whether a document introduces a number as a study's at least as often as it doses it or the like."""
    introduced = sum(mention.study for mention in mentions)
    return introduced > 0 and introduced >= sum(mention.weight > 0 for mention in mentions)


def _is_amount(text: str, match: re.Match[str]) -> bool:
    """Whether a number has a unit behind it: a range ("SD 10-120 mg"), or a dose behind a brand in capitals
    ("VEXORIL 400 mg").
    """
    apart = re.fullmatch(PAIRED, match["digits"]) is not None or not (match["sep"] or "-").strip()
    return apart and AMOUNT_OF.match(text, match.end()) is not None


def _is_sure(mentions: Sequence[CodeMention], titled: bool) -> bool:
    """Whether a code is a molecule's: its title tells, but for a symbol of a gene, or its surroundings."""
    return (titled and not GENE_LIKE.fullmatch(mentions[0].text)) or _supported(mentions)


def _supported(mentions: Sequence[CodeMention]) -> bool:
    """Whether anything beside the shape tells a molecule."""
    prefix = re.match(r"[A-Za-z]+", mentions[0].text)
    known = prefix is not None and prefix[0].upper() in HOUSE_PREFIXES
    return known or sum(mention.weight for mention in mentions) > 0


def _series(key: str) -> tuple[str, int]:
    """The letters of a code and how many digits follow."""
    letters = re.match(r"[a-z]*", key)[0]  # type: ignore[index]
    return letters, sum(c.isdigit() for c in key)


def _certain(match: re.Match[str]) -> bool:
    """Whether the shape tells a code: two capitals and four digits (five without separator), or three behind
    a hyphen; no year.
    """
    digits = re.sub(r"\D", "", match["digits"])
    if len(match["prefix"]) < 2:
        return False
    if match["sep"] is None:
        return len(digits) >= 5
    if re.search(r"[./]", match["digits"]) and match["sep"].isspace():
        return False  # "SD 12.345" and "HR 120/080" are values
    year = len(digits) == 4 and 1900 <= int(digits) <= 2099
    return not year and len(digits) >= (4 if match["sep"].isspace() else 3)
