"""Names that a document declares: a field such as "Test article: Compound A", or a title such as
"Toxicity study on QXDRUG in rats". They need not look like a code.
"""

import re
from collections.abc import Iterator

from retrieval.molecules.codes import is_code, looks_generic
from retrieval.text.listed import words

DECLARING = 40_000
"""Characters of the beginning in which a report declares its test article."""
LETTERED = r"(?:Compound|Drug|Substance|Molecule|Product|Agent)[ \u00a0][A-Z]\d{0,3}(?![\w ]?\d|[A-Z])"
CAPITALS = r"[A-Z]{5,12}(?:[-‑]?\d{1,4})?"
WRITTEN = r"[A-Za-z]{1,8}[-‑ ]?\d[\w,-]{1,10}[A-Za-z0-9]|[A-Z][a-z]{4,18}|[a-z]{5,19}"
FIELD = re.compile(
    r"^(?:[#|*\d.]|[^\S\n])*(?:name of (?:the )?)?(?:test (?:article|item|substance|compound|material|drug)|"
    r"investigational (?:product|drug|medicinal product)|study (?:drug|medication)|drug substance|active "
    r"ingredient|"
    r"chemical name|compound(?: name)?|substance name|finished product)(?: name| identification| \(name\))?"
    rf"[*\s]*[:|\n][#|:*\s\d.]*(?P<name>{LETTERED}|{CAPITALS}|{WRITTEN})(?=[*\s]*(?:[|\n,;(]|$))",
    re.M | re.I,
)
LETTERED_NAME = re.compile(rf"(?<!\w){LETTERED}(?!\w)")
STUDIED = re.compile(
    r"\b(?i:stud(?:y|ies)|test|effects?|toxicity|pharmacokinetics|evaluation|safety|tolerability) (?i:on|"
    r"of|with) "
    rf"(?P<name>{CAPITALS})(?= (?i:in|on|after|by|following)\b)"
)
NOT_DECLARED = words("""
    control vehicle placebo source purity supplier batch number name storage unknown various stability lot
    appearance characterisation characterization description identification preparation formulation
""")
GIVEN = r"[^.\n]{{0,40}}?\d[\d.,]*\s?(?:mg|µg|μg|mcg|g|mL|IU)\b|(?:treated with|placebo or|dose of)\s+{0}"
TREATING = re.compile(
    r"(?:^|\b(?:of|with|receiving|adding|oral|inhaled)\s+)(?P<name>[A-Z][a-z]{4,18}|"
    r"[a-z]{5,19})(?=\s+(?i:in (?:treating|"
    r"patients|subjects|participants|adults|children|healthy|the treatment|people|women|men)|to treat|for "
    r"the "
    r"treatment|versus|vs\.?)\b)"
)


def declared(text: str, title: str) -> Iterator[str]:
    """Names in fields of a report's beginning and in its title, as written."""
    for match in FIELD.finditer(text[:DECLARING]):
        name = match["name"]
        if _is_declared(name):
            yield name
    yield from (match[0] for match in LETTERED_NAME.finditer(title))
    if not title.isupper():
        yield from (match["name"] for match in STUDIED.finditer(title))
    for match in TREATING.finditer(title):
        word = match["name"]
        given = re.compile(rf"\b{word}\b" + GIVEN.format(word), re.I)
        if looks_generic(word.lower()) and given.search(text):
            yield word


def _is_declared(name: str) -> bool:
    """Whether what a field holds is a name and not another field, a class or a word."""
    if name.split()[0].lower() in NOT_DECLARED:
        return False
    if re.fullmatch(f"{LETTERED}|{CAPITALS}", name) or is_code(name):
        return True
    return bool(name.isalpha() and looks_generic(name.lower()))
