"""Reads a factual question: what words it turns on, and what kind of thing would answer it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.general.words import stem, stems
from agents.archive.spelling import is_english
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity


class AnswerType(StrEnum):
    """What kind of thing answers a question."""

    PERSON = "person"
    DATE = "date"
    COUNT = "count"
    QUANTITY = "quantity"
    FREQUENCY = "frequency"
    VERSION = "version"
    IDENTIFIER = "identifier"
    SPECIES = "species"
    ORGANISATION = "organisation"
    PLACE = "place"
    YES_NO = "yes or no"
    TEXT = "text"


ROLES = (
    r"director|investigator|author|pathologist|monitor|manager|veterinarian|statistician|supervisor"
    r"|coordinator"
)
NUMBERED = (
    r"lot|batch|catalog(?:ue)?|serial|study|protocol|report|project|reference|registration|identification"
    r"|grant|licen[cs]e|accession|room|animal|subject|group|page|table|figure|section"
)
MEASURED = (
    r"doses?|dosage|concentrations?|volumes?|temperature|humidity|weights?|ages?|duration|percentage|percent"
    r"|proportion|rate|mean|median|average|value|level|ratio|half-life|range|standard deviation|sd|purity"
    r"|speed|(?:p-)?value|pressure|size|length|period|interval|cost|price|auc|cmax|tmax|score"
)
ORGANISED = (
    r"company|sponsor|organi[sz]ation|cro|laboratory|manufacturer|vendor|supplier|university|institute"
    r"|facility"
)
RULES: tuple[tuple[AnswerType, str], ...] = (
    (
        AnswerType.ORGANISATION,
        rf"\b(?:which|what|name of the) (?:\w+ ){{0,3}}(?:{ORGANISED})\b"
        r"|\bwho (?:sponsored|supplied|manufactured)\b",
    ),
    (
        AnswerType.PERSON,
        r"^\W*(?:and )?(?:who|whom|whose)\b|\bwho (?:was|is|were|signed|wrote|served|acted|led)\b",
    ),
    (AnswerType.PERSON, rf"\bname of the (?:\w+ ){{0,2}}(?:{ROLES})\b"),
    (
        AnswerType.DATE,
        r"^\W*(?:and )?(?:on |since |by |until |in )?(?:when|(?:what|which) (?:date|day|month|year))\b",
    ),
    (AnswerType.DATE, r"\bwhat (?:is|was|were) the (?:\w+ ){0,4}dates?\b|\bdate of\b"),
    (
        AnswerType.COUNT,
        r"\bhow many\b|\bwhat (?:is|was|were) the (?:total |overall )?number of\b|\bwhat number of\b",
    ),
    (
        AnswerType.COUNT,
        r"\b(?:group|sample) size\b"
        r"|\bhow (?:large|big) (?:was|were|is) (?:the|each) (?:\w+ )?(?:group|sample)\b",
    ),
    (
        AnswerType.VERSION,
        r"\b(?:which|what) (?:\w+ ){0,5}(?:version|release|edition)\b|\bversion of\b|\bversion number\b",
    ),
    (
        AnswerType.IDENTIFIER,
        rf"\b(?:{NUMBERED}) (?:number|no\b|id\b|code|identifier)"
        r"|\b(?:which|what) (?:\w+ ){0,2}(?:lot|batch)\b",
    ),
    (AnswerType.SPECIES, r"\b(?:which|what) (?:\w+ )?(?:species|strain)\b"),
    (
        AnswerType.SPECIES,
        r"\b(?:which|what) (?:kind of |type of )?animals? "
        r"(?:was|were) (?:used|studied|tested|dosed|treated)\b",
    ),
    (
        AnswerType.FREQUENCY,
        r"\bhow (?:often|frequently|many times)\b|\b(?:which|what) (?:\w+ ){0,3}frequency\b",
    ),
    (
        AnswerType.QUANTITY,
        r"\b(?:which|what) (?:\w+ )?(?:times?|time points?|intervals?|weeks?|days?|hours?)\b",
    ),
    (AnswerType.QUANTITY, r"\bhow (?:much|long|old|high|low|large|heavy|fast|far|tall|big|warm|cold)\b"),
    (AnswerType.QUANTITY, rf"\b(?:what|which) (?:\w+ ){{0,5}}(?:{MEASURED})\b"),
    (
        AnswerType.QUANTITY,
        r"^\W*what (?:was|were|is|are) .*\b(?:at|on|in|after) (?:day |week |month |hour )?\d",
    ),
    (
        AnswerType.PLACE,
        r"^\W*(?:and )?where\b|\b(?:which|what) (?:\w+ )?(?:city|country|town|address|site|place|location)\b",
    ),
    (
        AnswerType.YES_NO,
        r"^\W*(?:and )?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b",
    ),
)
EXPECTED = tuple((kind, re.compile(rule, re.IGNORECASE)) for kind, rule in RULES)
TYPE_WORDS: dict[AnswerType, str] = {
    AnswerType.DATE: "date day month year time",
    AnswerType.PERSON: "name person",
    AnswerType.COUNT: "number count total",
    AnswerType.VERSION: "version release edition",
    AnswerType.IDENTIFIER: "number code identifier id",
    AnswerType.SPECIES: "species animal kind",
    AnswerType.ORGANISATION: "company organisation organization sponsor",
    AnswerType.PLACE: "place location site city country",
}
"""Words of a question that a thing of the right kind stands for."""
DIMENSIONS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(unit, re.IGNORECASE))
    for asked, unit in (
        (r"\bconcentrations?\b", r"/|\bM\b|%|ppm"),
        (r"\bdos(?:es?|age)\b(?! (?:period|date|day|volume))", r"[mµμnk]?g\b|mcg|mL|IU|mol|unit"),
        (r"\bvolumes?\b", r"[mµμ]?l\b|l/"),
        (r"\btemperature\b|\bhow (?:warm|cold)\b", r"°|\bC\b|\bF\b"),
        (r"\bweights?\b|\bhow heavy\b", r"g\b"),
        (r"\bhumidity\b|\bpercent\w*|\bpurity\b", r"%|per ?cent"),
        (
            r"\bhow (?:long|old)\b|\bduration\b|\bperiod\b|\bages?\b|\bhalf-life\b|\b(?:which|what) times?\b",
            r"hour|\bhr?s?\b|min|sec|day|week|month|year",
        ),
    )
)
"""Units that a quantity of the kind asked for is written in, first match first."""
COUNTED = re.compile(
    r"\bhow many (?:of the )?((?:[\w-]+ ?){1,3})|\bnumber of ((?:[\w-]+ ?){1,2})", re.IGNORECASE
)
ACRONYM = re.compile(r"(?<![\w-])[A-Za-z]{3,6}(?![\w-])")
CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class FactualQuestion:
    """A factual question.

    `terms` are its stems without repetition, in order; `codes` are written like names of studies or lots.
    `type_terms` only say what kind of thing is asked for, and `core` is the text without the names of
    documents. `unit` matches units of the quantity asked for, `counted` are stems of what is counted, and
    `amounts` are those that the question names ("at 100 mg/kg"), `acronyms` its words that may be initials.
    """

    text: str
    terms: tuple[str, ...]
    answer_type: AnswerType
    codes: tuple[str, ...] = ()
    type_terms: frozenset[str] = frozenset()
    core: str = ""
    unit: re.Pattern[str] | None = None
    counted: tuple[str, ...] = ()
    amounts: tuple[Quantity, ...] = ()
    acronyms: frozenset[str] = frozenset()


def analyse_question(text: str, names: Collection[str] = ()) -> FactualQuestion:
    """The words of a question and the type of its answer.

    `names` are words that only say which document is meant.
    """
    kind = next((kind for kind, rule in EXPECTED if rule.search(text)), AnswerType.TEXT)
    named = "|".join(re.escape(name) for name in names)
    core = (
        re.sub(rf"(?:\b(?:in|of|for|from|by) )?(?:the )?(?:study )?\b(?:{named})\b", " ", text)
        if names
        else text
    )
    terms = tuple(dict.fromkeys(stems(core)))
    type_terms = frozenset(stem(word) for word in TYPE_WORDS.get(kind, "").split())
    unit = next((unit for asked, unit in DIMENSIONS if asked.search(core)), None)
    counted = COUNTED.search(core)
    return FactualQuestion(
        text,
        terms,
        kind,
        tuple(dict.fromkeys(CODE.findall(text))),
        type_terms,
        " ".join(core.split()),
        unit if kind is AnswerType.QUANTITY else None,
        tuple(stems(counted[1] or counted[2])) if counted and kind is AnswerType.COUNT else (),
        parse_quantities(core),
        acronyms_of(core),
    )


def acronyms_of(text: str) -> frozenset[str]:
    """Words that may be made of initials: in capitals, or none of English."""
    words = ACRONYM.findall(text)
    return frozenset(word.lower() for word in words if word.isupper() or not is_english(word))
