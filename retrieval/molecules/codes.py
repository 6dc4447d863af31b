"""Recognising the names of drug candidates in text: laboratory codes by their shape and their surroundings,
non-proprietary names by their form.

Study, report, batch and registry numbers, cell lines, genes, norms and scales have similar shapes. A shape
that is typical of a code counts unless its surroundings speak against it; an ambiguous shape counts only if
its surroundings speak for it (a dose, a salt, "treated with").
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.molecules.lexicon import ENGLISH_ENDING, NAME_ENDING, NOT_NAMES, NOT_PREFIXES, STEM

DASH = r"[-‐‑‒–−]"
CODE = re.compile(
    rf"""(?<![\w/.^+§]) (?<![A-Za-z0-9]{DASH})
    (?P<prefix>[A-Z]{{1,6}}(?:{DASH}[A-Z]{{1,4}})? | [A-Z][a-z]{{1,2}} )
    (?P<sep>{DASH}|[ \u00a0])?
    (?P<digits>\d{{1,3}},\d{{3}} | \d{{2}}-\d{{4}} | \d{{2,8}})
    (?P<suffix>[A-Z]{{1,3}}|[a-z])?
    (?!\w | {DASH}\d | [./]\d | ,\d | {DASH}[A-Z]{{1,3}}{DASH}?\d)""",
    re.VERBOSE,
)
LOOSE = re.compile(
    rf"(?<![A-Za-z0-9])([A-Za-z]{{1,6}}(?:{DASH}[A-Za-z]{{1,4}})?)(?:{DASH}|[ \u00a0])?"
    rf"(\d{{1,3}}(?:,\d{{3}})+|\d{{2}}-\d{{4}}|\d{{2,8}})([A-Za-z]{{0,3}})(?![A-Za-z0-9])"
)
"""A code as people type it: any case, any separator."""


BEFORE_NUMBERED_THING = re.compile(
    r"(?:stud(?:y|ies)|trial|protocol|report|batch|lot|sop|document|memorandum|memo|number|no\.?|nr\.?|grant|"
    r"contract|reference|ref\.?|patent|strain|line|atcc|catalog(?:ue)?|site|patient|subject|animal|form|id|"
    r"version|appendix|invoice|room|application|amendment|norm|standard|guideline|licen[cs]e|section|phone|"
    r"identifier|accession)[ \u00a0]*(?:no\.?|number|code|id)?[ \u00a0]*[:#(]?[ \u00a0]*\n?\Z",
    re.I,
)
AFTER_NUMBERED_THING = re.compile(
    r"\s*(?:cells?\b|mice\b|mouse\b|mutations?\b|mutants?\b|genes?\b|strains?\b|mutated\b|variants?\b|"
    r"allele\b|polymorphism|patients\b|subjects\b|mRNA)",
    re.I,
)
NO_CODE = re.compile(r"[A-Z]\d{2,4}[A-Z]|[A-Z]\s\d+|[A-Z][a-z]+\W?\d{1,3}[A-Za-z]*")
"""Shapes that are no codes: a mutation, a letter and a number, a word and a short number."""
BEFORE_DRUG = re.compile(
    r"(?:[mµμn]?g(?:/kg)?(?:/day)?|mcg|dos(?:e|es|ing)|administrations?|efficacy|safety|tolerability|"
    r"tolerance|pharmacokinetics|effects?|toxicity|development|treat(?:ed|ment|ing)|exposure|drug|compound|"
    r"molecule|candidate|inhibitor|antagonist|agonist|substance|antibody|product|receiv(?:e|ed|ing)|"
    r"giv(?:e|en|ing)|taking|took|combination|interaction|evaluat(?:e|ing|ion)|termination|nomination)"
    r"\s+(?:(?:of|with|to|on|by|for|between|oral|the)\s+)*\Z",
    re.I,
)
AFTER_DRUG = re.compile(
    r"\s*(?:\([^()]{0,40}\)\s*)?(?:\d[\d.,–-]*\s*(?:mg|µg|μg|ug|mcg|g|ng|[nµμ]M|mL)\b|hydrochloride|sodium|"
    r"mesylate|maleate|tablets?|capsules?|monotherapy|therapy|treatment|administration|dos(?:e|es|ing|ed)\b|"
    r"concentrations?|exposure|in (?:patients|subjects|volunteers|treating|healthy|combination)|"
    r"(?:was|were|is|has been|will be) (?:\w+ )?(?:administered|given|dosed|tolerated|suspended|developed|"
    r"discontinued|absorbed|an? )|(?:plus|versus|vs\.?|or|and) placebo|:\s)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class CodeMention:
    """A possible code in a text.

    `certain` is False for shapes that need support. `weight` says how the surroundings speak: 1 for a
    molecule, -1 for another numbered thing, 0 for neither.
    """

    start: int
    end: int
    text: str
    certain: bool
    weight: int


def code_key(name: str) -> str:
    """What all spellings of a name share: "PX 1001" == "PX-1001" == "px1001"."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def is_code(name: str) -> bool:
    """Whether a whole name has the shape of a laboratory code, in any case and spacing."""
    return LOOSE.fullmatch(name.strip()) is not None


def is_generic(word: str) -> bool:
    """Whether a word has a stem of non-proprietary names."""
    return len(word) >= 7 and STEM.fullmatch(word.lower()) is not None and word.lower() not in NOT_NAMES


def may_be_generic(word: str) -> bool:
    """Whether a word beside a code can be its non-proprietary name: not an English word by list or ending."""
    lower = word.lower()
    if not (5 <= len(word) <= 20 and word.isalpha() and word[1:].islower()) or lower in NOT_NAMES:
        return False
    return is_generic(lower) or not ENGLISH_ENDING.fullmatch(lower)


def looks_generic(word: str) -> bool:
    """Like `may_be_generic`, and with an ending that names of substances have; for weak surroundings."""
    return may_be_generic(word) and (is_generic(word) or bool(NAME_ENDING.fullmatch(word.lower())))


def excluded(prefix: str) -> bool:
    """Whether no code begins with this prefix, which is one of genes, scales, norms, registers or words."""
    return prefix in NOT_PREFIXES or re.split(DASH, prefix)[0] in NOT_PREFIXES


def find_codes(text: str) -> Iterator[CodeMention]:
    """Every possible code in a text, in order."""
    for match in CODE.finditer(text):
        if excluded(match["prefix"]) or NO_CODE.fullmatch(match[0]):
            continue
        numbered = BEFORE_NUMBERED_THING.search(text, *_window(match, -40))
        numbered = numbered or AFTER_NUMBERED_THING.match(text, match.end())
        support = BEFORE_DRUG.search(text, *_window(match, -60)) or AFTER_DRUG.match(text, match.end())
        weight = -1 if numbered else int(support is not None)
        yield CodeMention(match.start(), match.end(), match[0], _certain(match), weight)


def codes(text: str, title: str = "") -> dict[str, Counter[str]]:
    """The codes a document uses: key -> how often in which spelling.

    A shape that is certain counts unless its surroundings speak against it on the whole ("study", "batch",
    "cells"); another one if they speak for it, or if it stands in the title and the text.
    """
    found: dict[str, Counter[str]] = {}
    weights: Counter[str] = Counter()
    certain: set[str] = set()
    titled = {code_key(mention.text) for mention in find_codes(title)}
    for mention in find_codes(text):
        key = code_key(mention.text)
        found.setdefault(key, Counter())[mention.text] += 1
        weights[key] += mention.weight
        if mention.certain or key in titled:
            certain.add(key)
    return {key: spellings for key, spellings in found.items() if weights[key] + (key in certain) > 0}


def _window(match: re.Match[str], width: int) -> tuple[int, int]:
    return max(0, match.start() + width), match.start()


def _certain(match: re.Match[str]) -> bool:
    """Whether the shape tells a code: two capitals and four digits (five without separator), or three behind
    a hyphen; no year.
    """
    digits = re.sub(r"\D", "", match["digits"])
    if len(match["prefix"]) < 2:
        return False
    if match["sep"] is None:
        return len(digits) >= 5
    year = len(digits) == 4 and 1900 <= int(digits) <= 2099
    return not year and len(digits) >= (4 if match["sep"].isspace() else 3)
