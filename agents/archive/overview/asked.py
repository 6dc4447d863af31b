"""What a question over the whole archive asks for: its shape, what is counted or listed, and the words that
narrow it down. `None` for any other question.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.research.patterns.deeds import PEOPLE as PEOPLE_OF_STUDY
from agents.archive.research.vocabulary import any_term


class Shape(StrEnum):
    """What the answer looks like."""

    COUNT = "count"
    LIST = "list"
    RANK = "rank"
    TABLE = "table"
    STATUS = "status"
    TIMELINE = "timeline"
    DOSSIER = "dossier"
    SIDE_BY_SIDE = "side by side"


class Thing(StrEnum):
    """What is counted or listed."""

    STUDIES = "studies"
    DOCUMENTS = "documents"
    MOLECULES = "molecules"
    ENTRIES = "entries"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question over the whole archive. `rest` is what narrows it down, in the question's words."""

    shape: Shape
    thing: Thing
    rest: str
    state: str = ""


_STUDIES = r"(?:stud(?:y|ies)|trials?|experiments?)"
_DOCUMENTS = (
    r"(?:documents?|reports?|files?|protocols?|minutes|memos?|memorand(?:a|ums?)|brochures?|records?)"
)
_MOLECULES = r"(?:molecules?|compounds?|drugs?|(?:drug )?candidates?|substances?|medicines?|agents?)"
_THING = rf"(?P<thing>{_STUDIES}|{_DOCUMENTS}|{_MOLECULES})"
_PLURAL = (
    r"(?P<thing>studies|trials|documents|reports|files|protocols|minutes|memos|memoranda|brochures|records|"
    r"molecules|compounds|drugs|(?:drug )?candidates|substances|medicines|agents)"
)
_GAP = r"(?:(?!of\b|in\b|with\b|on\b|per\b|were\b|did\b|was\b|had\b)[\w/-]+[ -]){0,5}?"
_LIST_OF = (
    r"(?:(?:an?|the)\s+)?(?:(?:full|complete|short|quick|brief)\s+)?"
    r"(?:list|listing|overview|inventory|table|names|titles)\s+of\s+"
)
_LISTED = rf"(?:{_LIST_OF})?"
_EXISTING = (
    r"(?:(?:do|does|did) (?:we|you|the archive) (?:already )?(?:have|hold|contain|run|do)|(?:are|were) there|"
    r"have (?:we|you) (?:got|done|run))\s+(?:(?:any|some|other)\s+)?"
)
_NUMBER_OF = (
    r"^\W*(?:and |so |please )?(?:how many|(?:what is |give me |tell me )?(?:the )?(?:total )?number of|"
    r"count (?:all |the )*)\s*"
)
COUNT = re.compile(rf"{_NUMBER_OF}(?P<before>{_GAP}){_PLURAL}\b(?P<after>.*)", re.I | re.S)
_ASKING = (
    r"^\W*(?:(?:and|so|please|can you|could you|would you|i want|i need|i would like|i'd like|to see) )*"
)
LIST = re.compile(
    rf"{_ASKING}(?:(?:which|what|list|name|show|give|tell|get|display|print|find|see)(?: (?:me|us))?\s+"
    rf"{_LISTED}|{_LIST_OF}|(?:all|every)\s+|{_EXISTING})"
    rf"(?:of (?:the|our)\s+)?(?P<before>{_GAP}){_PLURAL}\b(?P<after>.*)",
    re.I | re.S,
)
EXISTS = re.compile(rf"{_ASKING}{_EXISTING}", re.I)
"""Whether there are any: a list, where nothing but conditions narrow it down."""
HOW_MANY = re.compile(rf"{_NUMBER_OF}(?:of the )?{PEOPLE_OF_STUDY}\b", re.I)
"""What counts people; a study is named by a number with a digit."""
OF_REGISTER = re.compile(
    rf"{_NUMBER_OF}(?:(?:entries|rows|lines|items)\b(?P<before>[^?]*?)|(?:{_STUDIES}|{_MOLECULES}) "
    r"(?:does|do|has|have|are|is) (?:(?:listed|registered|contained|there) )?(?:in )?)"
    r"\b(?:the|our|a|each|every|this)\s+"
    r"(?P<register>(?:[\w-]+ ){0,3}?(?:register|registry|tracker|inventory|ledger)s?)\b"
    r"(?: (?:have|has|list|lists|contain|contains|hold|holds|there|in total|altogether))*"
    r"(?: (?:of|for|on) (?:all |the |our )*(?P<after>[\w-]+))?"
    r"(?: (?:have|has|in total|altogether))*"
    r"(?: (?:that )?(?:are|is) (?:(?:marked|listed|shown|given)(?: as)? )?(?:still )?"
    r"(?P<state>[a-z-]{4,}))?\W*$",
    re.I,
)
"""What counts the rows of a register."""
_ARCHIVE = (
    r"(?:(?:the|this|our|your|whole|entire|all|contents? of) )*"
    r"(?:archive|collection|holdings|corpus|library)"
)
WHOLE_ARCHIVE = re.compile(_ARCHIVE, re.I)
IN_ARCHIVE = re.compile(rf"\W*what(?:'s| is| do we have) in {_ARCHIVE}\W*", re.I)
OF_ALL = re.compile(
    rf"(?:(?:all|our|the) )+(?P<before>{_GAP})"
    r"(?P<thing>studies|trials|documents|reports|protocols|memos|minutes)"
    r"(?: (?:in the archive|we have|there are|so far))*",
    re.I,
)
"""What an overview is of that a list answers."""
SUPERLATIVE = re.compile(
    r"\b(?P<most>highest|largest|greatest|maximum|longest|most|widest|biggest)\b|"
    r"\b(?P<least>lowest|smallest|shortest|least|fewest|narrowest|minimum)\b|\brank\b",
    re.I,
)
RANK = re.compile(
    rf"^\W*(?:and |so )?(?:which|what|rank|order|for which|with which)\b(?P<before>[^?]{{0,60}}?)\b(?:of "
    rf"(?:the|our)\s+)?"
    rf"(?P<thing>{_MOLECULES})\b(?P<after>.*)",
    re.I | re.S,
)
RANK_BY = re.compile(
    rf"^\W*(?:and |so |please |can you |could you )*(?:list|rank|order|sort|show|compare)(?: me)?(?: all)?"
    rf"(?: the| our)? {_MOLECULES} (?:by|according to|in order of|after)\b|"
    r"^\W*(?:and |so )?(?:which|what)(?: one| of them)? (?:has|had|have|shows?|showed)\b",
    re.I,
)
"""A rank of molecules: by something, or of what "has the highest" without a noun."""
TABLE = re.compile(
    rf"\b(?:table|compare|comparison|matrix|side by side|overview|list)\b[^?]*\b(?:all|each|every|the|our|"
    rf"across)\b"
    rf"(?:\s+\w+){{0,2}}\s+(?P<thing>{_MOLECULES})\b|\b(?:for|of) (?:each|every|all)(?: of)?(?: the| "
    rf"our)?(?:\s\w+)?\s+"
    rf"(?P<thing2>{_MOLECULES})\b|\b(?:all|the) (?:the )?(?P<thing3>molecules|compounds|drugs|"
    rf"candidates)\b[^?]*\b(?:table|"
    rf"side by side)\b",
    re.I,
)
STATUS = re.compile(
    r"^\W*(?:and |so )?what(?:'s| is| was| are)? (?:the )?(?:current |present |development |latest "
    r")*(?:status|state|stage)"
    r" of (?P<rest>.*)|^\W*(?:the )?(?:current |latest )?status of (?P<rest3>.*)|"
    r"^\W*(?:is|are) (?P<rest2>.{2,60}?) still (?:in|under|being) develop\w*",
    re.I | re.S,
)
TIMELINE = re.compile(
    r"\b(?:timeline|time line|chronology|chronological(?:ly)?|history|milestones)\b(?P<rest>.*)", re.I | re.S
)
DOSSIER = re.compile(
    r"^\W*(?:and |so |please |can you |could you )*(?:(?:summari[sz]e|sum up|brief me on|brief on|profile)\b|"
    r"(?:give|write|prepare|make|show|get|provide)(?: (?:me|us))? (?:an? |the )?(?:short |brief |one-page "
    r"|concise |quick )*"
    r"(?:summary|overview|brief(?:ing)?|dossier|profile|synopsis|digest)\b|"
    r"(?:summary|overview|dossier|briefing|profile) (?:of|on|about|for)\b|"
    r"what (?:do|did) (?:we|you) (?:already )?know (?:about|of|on)\b|what(?: i|')s known (?:about|of|on)\b|"
    r"what (?:does|do) the (?:archive|documents|reports) (?:say|know|hold|tell us|have) (?:about|on)\b|"
    r"(?:tell|teach) me (?:everything|all|more|what we know)? ?(?:there is )?(?:about|on)\b|what can you "
    r"tell (?:me|us) about\b)"
    r"(?P<rest>.*)",
    re.I | re.S,
)
COMPARES = re.compile(
    r"\b(?:compar\w+|versus|vs|side by side|differ(?:s|ences?|ent)?|contrast\w*|(?:have|has) in common)\b",
    re.I,
)
INTRODUCED = re.compile(
    r"^\W*(?:(?:of|on|about|for|what (?:do )?we know (?:about|of|on)|what is known (?:about|of|on)|"
    r"everything|"
    r"the (?:main |key )?(?:results?|findings?|facts|outcome|data|information|evidence|knowledge)|all|our|"
    r"me|us) ?)+",
    re.I,
)
MEASURED = re.compile(rf"{any_term('levels').pattern}|{any_term('kinetics').pattern}|\bdoses?\b", re.I)
"""Quantities by which molecules are ranked."""
COURTESY = re.compile(r"(?:\W*\b(?:for (?:me|us)|please|in short|shortly|briefly|thanks?))+\W*$", re.I)
"""What ends a request and names nothing."""
PEOPLE = re.compile(
    r"\b(?:patients?|subjects?|participants?|volunteers?|animals?|rats?|dogs?|mice|monkeys?|people|men|"
    r"women|adults|"
    r"children|healthy)\b",
    re.I,
)


def asked_over_archive(text: str) -> Asked | None:
    """How a question asks for records; None if it asks for something else."""
    text = " ".join(text.split())
    if found := OF_REGISTER.search(text):
        rest = " ".join(filter(None, found.group("register", "before", "after")))
        return Asked(Shape.COUNT, Thing.ENTRIES, rest, found["state"] or "")
    if IN_ARCHIVE.fullmatch(text):
        return Asked(Shape.LIST, Thing.DOCUMENTS, "")
    if summary := _summary_asked(text):
        return summary
    if found := COUNT.search(text):
        counted = Asked(Shape.COUNT, thing_of(found["thing"]), _rest(found))
        of_people = PEOPLE.search(found["before"]) and not re.search(r"\bin\b", found["before"])
        if not of_people or _is_attribute(found):
            return counted
    if HOW_MANY.search(text) and re.search(r"\d", text):
        return Asked(Shape.COUNT, Thing.PEOPLE, text)
    if COUNT.search(text):
        return None
    if compared := _comparison_asked(text):
        return compared
    if found := LIST.search(text):
        return Asked(Shape.LIST, thing_of(found["thing"]), _rest(found))
    return Asked(Shape.SIDE_BY_SIDE, Thing.MOLECULES, text) if COMPARES.search(text) else None


def _summary_asked(text: str) -> Asked | None:
    """A dossier, a status or a timeline, and of what; a list for an overview of all records."""
    for shape, pattern in ((Shape.DOSSIER, DOSSIER), (Shape.STATUS, STATUS), (Shape.TIMELINE, TIMELINE)):
        if not (found := pattern.search(text)):
            continue
        rest = next((part for part in found.groups() if part), "")
        if shape is Shape.TIMELINE and not rest.strip(" ?."):
            rest = text[: found.start()]
        whole = COURTESY.sub("", re.sub(r"^\W*(?:of|on|about|for) ", "", rest)).strip(" ?.!:")
        if shape is Shape.DOSSIER and WHOLE_ARCHIVE.fullmatch(whole):
            return Asked(Shape.LIST, Thing.DOCUMENTS, "")
        if shape is Shape.DOSSIER and (all_of := OF_ALL.fullmatch(whole)):
            return Asked(Shape.LIST, thing_of(all_of["thing"]), _of(all_of["thing"], all_of["before"]))
        named = COURTESY.sub("", INTRODUCED.sub("", rest))
        return Asked(shape, Thing.MOLECULES, named.strip(" ?.!:"))
    return None


def _comparison_asked(text: str) -> Asked | None:
    """A rank or a table of molecules."""
    if RANK_BY.search(text) and (SUPERLATIVE.search(text) or MEASURED.search(text)):
        return Asked(Shape.RANK, Thing.MOLECULES, text)
    if (found := TABLE.search(text)) and thing_of(_named(found)) is Thing.MOLECULES:
        return Asked(Shape.TABLE, Thing.MOLECULES, text)
    if RANK.search(text) and SUPERLATIVE.search(text):
        return Asked(Shape.RANK, Thing.MOLECULES, text)
    return None


def thing_of(noun: str) -> Thing:
    """What a noun stands for."""
    if re.fullmatch(_STUDIES, noun, re.I):
        return Thing.STUDIES
    return Thing.DOCUMENTS if re.fullmatch(_DOCUMENTS, noun, re.I) else Thing.MOLECULES


def lowest_first(text: str) -> bool:
    """Whether the least is asked for."""
    found = SUPERLATIVE.search(text)
    return bool(found and found["least"])


def _is_attribute(found: re.Match[str]) -> bool:
    """Whether people or animals stand right before the noun, as in "rat studies"."""
    return bool(re.search(rf"(?:{PEOPLE.pattern})[ -](?:\w+ )?\Z", found["before"], re.I))


def _named(found: re.Match[str]) -> str:
    return next(part for part in found.groupdict().values() if part)


def _rest(found: re.Match[str]) -> str:
    return f"{_of(found['thing'], found['before'])} {found['after']}".strip(" ?.!")


def _of(thing: str, before: str) -> str:
    """What narrows a thing down by the words before it, and by its own: a kind of document."""
    return f"{before} {thing if re.fullmatch(_DOCUMENTS, thing, re.I) else ''}".strip()
