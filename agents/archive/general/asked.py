"""Reads a factual question: what words it turns on, and what kind of thing would answer it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.general.words import stem, stems


class Kind(StrEnum):
    """What kind of thing answers a question."""

    PERSON = "person"
    DATE = "date"
    COUNT = "count"
    QUANTITY = "quantity"
    VERSION = "version"
    IDENTIFIER = "identifier"
    SPECIES = "species"
    ORGANISATION = "organisation"
    PLACE = "place"
    YES_NO = "yes or no"
    TEXT = "text"


ROLES = r"director|investigator|author|pathologist|monitor|manager|veterinarian|statistician|supervisor|coordinator"
NUMBERED = (
    r"lot|batch|catalog(?:ue)?|serial|study|protocol|report|project|reference|registration|identification|grant"
    r"|licen[cs]e|accession|room|animal|subject|group|page|table|figure|section"
)
MEASURED = (
    r"doses?|dosage|concentrations?|volumes?|temperature|humidity|weights?|ages?|duration|percentage|percent"
    r"|proportion|rate|mean|median|average|value|level|ratio|half-life|range|standard deviation|sd|purity|speed"
    r"|pressure|size|length|period|interval|cost|price|auc|cmax|tmax|score"
)
ORGANISED = r"company|sponsor|organi[sz]ation|cro|laboratory|manufacturer|vendor|supplier|university|institute|facility"
RULES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.ORGANISATION,
        rf"\b(?:which|what|name of the) (?:\w+ ){{0,3}}(?:{ORGANISED})\b|\bwho (?:sponsored|supplied|manufactured)\b",
    ),
    (Kind.PERSON, r"^\W*(?:and )?(?:who|whom|whose)\b|\bwho (?:was|is|were|signed|wrote|served|acted|led)\b"),
    (Kind.PERSON, rf"\bname of the (?:\w+ ){{0,2}}(?:{ROLES})\b"),
    (
        Kind.DATE,
        r"^\W*(?:and )?(?:on |since |by |until |in )?(?:when|(?:what|which) (?:date|day|month|year))\b",
    ),
    (Kind.DATE, r"\bwhat (?:is|was|were) the (?:\w+ ){0,4}dates?\b|\bdate of\b"),
    (
        Kind.COUNT,
        r"\bhow many\b|\bwhat (?:is|was|were) the (?:total |overall )?number of\b|\bwhat number of\b",
    ),
    (
        Kind.COUNT,
        r"\b(?:group|sample) size\b|\bhow (?:large|big) (?:was|were|is) (?:the|each) (?:\w+ )?(?:group|sample)\b",
    ),
    (
        Kind.VERSION,
        r"\b(?:which|what) (?:\w+ ){0,5}(?:version|release|edition)\b|\bversion of\b|\bversion number\b",
    ),
    (
        Kind.IDENTIFIER,
        rf"\b(?:{NUMBERED}) (?:number|no\b|id\b|code|identifier)|\b(?:which|what) (?:\w+ ){{0,2}}(?:lot|batch)\b",
    ),
    (
        Kind.SPECIES,
        r"\b(?:which|what) (?:\w+ )?(?:animal )?species\b|\b(?:which|what) (?:kind of |type of )?animals?\b(?! (?:number|no\b|had|was|were excl))",
    ),
    (Kind.QUANTITY, r"\bhow (?:much|long|old|high|low|large|heavy|fast|far|tall|big|warm|cold)\b"),
    (Kind.QUANTITY, rf"\b(?:what|which) (?:\w+ ){{0,5}}(?:{MEASURED})\b"),
    (
        Kind.PLACE,
        r"^\W*(?:and )?where\b|\b(?:which|what) (?:\w+ )?(?:city|country|town|address|site|place|location)\b",
    ),
    (Kind.YES_NO, r"^\W*(?:and )?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b"),
)
EXPECTED = tuple((kind, re.compile(rule, re.IGNORECASE)) for kind, rule in RULES)
TYPE_WORDS: dict[Kind, str] = {
    Kind.DATE: "date day month year time",
    Kind.PERSON: "name person",
    Kind.COUNT: "number count total",
    Kind.VERSION: "version release edition",
    Kind.IDENTIFIER: "number code identifier id",
    Kind.SPECIES: "species animal kind",
    Kind.ORGANISATION: "company organisation organization sponsor",
    Kind.PLACE: "place location site city country",
}
"""Words of a question that a thing of the right kind stands for."""
CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A factual question. `terms` are stems without repetition, in order; `codes` are written like names of
    studies or lots; `type_terms` are those that only say what kind of thing is asked for.
    """

    text: str
    terms: tuple[str, ...]
    kind: Kind
    codes: tuple[str, ...] = ()
    type_terms: frozenset[str] = frozenset()


def read_question(text: str, names: Collection[str] = ()) -> Asked:
    """The words and the kind of answer of a question. `names` are words that only say which document is meant."""
    kind = next((kind for kind, rule in EXPECTED if rule.search(text)), Kind.TEXT)
    codes = tuple(dict.fromkeys(CODE.findall(text)))
    left_out = {word for name in names for word in stems(name)}
    terms = tuple(term for term in dict.fromkeys(stems(text)) if term not in left_out)
    return Asked(text, terms, kind, codes, frozenset(stem(word) for word in TYPE_WORDS.get(kind, "").split()))
