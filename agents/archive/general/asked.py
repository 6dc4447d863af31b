"""Reads a factual question: what words it turns on, and what kind of thing would answer it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.general.words import stems


class Kind(StrEnum):
    """What kind of thing answers a question."""

    PERSON = "person"
    DATE = "date"
    COUNT = "count"
    QUANTITY = "quantity"
    IDENTIFIER = "identifier"
    PLACE = "place"
    YES_NO = "yes or no"
    TEXT = "text"


RULES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.PERSON,
        r"^\W*(?:and )?(?:who|whom|whose)\b|\bwho (?:was|is|were|signed|wrote|served|acted|led)\b"
        r"|\bname of the (?:\w+ ){0,2}(?:director|investigator|author|pathologist|monitor|manager|veterinarian|statistician)\b",
    ),
    (
        Kind.DATE,
        r"^\W*(?:and )?(?:on |since |by |until )?(?:when|(?:what|which) (?:date|day|month|year))\b|\bwhat (?:is|was|were) the (?:\w+ ){0,4}dates?\b"
        r"|\bon (?:what|which) (?:date|day)\b|\bin (?:what|which) (?:year|month)\b",
    ),
    (
        Kind.COUNT,
        r"\bhow many\b|\bwhat (?:is|was|were) the (?:total |overall )?number of\b|\bwhat number of\b|\bgroup size\b|\bsample size\b|\bhow (?:large|big) (?:was|were|is) (?:the|each) (?:\w+ )?(?:group|sample)",
    ),
    (
        Kind.IDENTIFIER,
        r"\b(?:lot|batch|catalog(?:ue)?|serial|study|protocol|report|project|reference|version|registration|identification|grant|licen[cs]e|accession) (?:number|no\b|id\b|code|identifier)|\b(?:which|what) (?:\w+ ){0,2}(?:lot|batch|version|release)\b|\bwhat version\b|\bversion of\b",
    ),
    (
        Kind.QUANTITY,
        r"\bhow (?:much|long|old|high|low|large|heavy|fast|often|far|tall|big|warm|cold)\b"
        r"|\b(?:what|which) (?:\w+ ){0,5}(?:doses?|dosage|concentrations?|volumes?|temperature|humidity|weights?|ages?|duration|percentage|percent|proportion|rate|mean|median|average|value|level|ratio|half-life|range|standard deviation|sd)\b",
    ),
    (
        Kind.PLACE,
        r"^\W*(?:and )?where\b|\b(?:which|what) (?:\w+ )?(?:city|country|town|address|laboratory|facility|site|place|location)\b",
    ),
    (Kind.YES_NO, r"^\W*(?:and )?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b"),
)
EXPECTED = tuple((kind, re.compile(rule, re.IGNORECASE)) for kind, rule in RULES)
CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A factual question. `terms` are stems without repetition, in order; `codes` are written like names of
    studies or lots.
    """

    text: str
    terms: tuple[str, ...]
    kind: Kind
    codes: tuple[str, ...] = ()


def read_question(text: str, names: Collection[str] = ()) -> Asked:
    """The words and the kind of answer of a question. `names` are words that only say which document is meant."""
    kind = next((kind for kind, rule in EXPECTED if rule.search(text)), Kind.TEXT)
    codes = tuple(dict.fromkeys(CODE.findall(text)))
    left_out = {stem for name in names for stem in stems(name)}
    terms = tuple(term for term in dict.fromkeys(stems(text)) if term not in left_out)
    return Asked(text, terms, kind, codes)
