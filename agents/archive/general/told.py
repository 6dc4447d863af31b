"""Whether a passage answers a question as it stands, so that it is told as the answer.

It does where it says all that the question names, is about its subject, and gives a value of the kind that is
asked for. Where passages give different values, none is certain.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.archive.general.blocks import same_table
from agents.archive.general.candidates import CandidatePassage, Stems, stem_set
from agents.archive.general.keys import contradicts, keys_asked
from agents.archive.general.question import PARENT, parts_of
from agents.archive.general.render import MOST_WORDS, spelled, with_unit
from agents.archive.general.words import ALIKE, LIGHT_STEMS, WORD, measures_named, stems
from agents.text.numbers import parse_numbers
from agents.text.polarity import is_doubted, is_planned, negated
from agents.text.quantities import parse_quantities
from agents.text.words import stem
from retrieval.text.dates import parse_dates
from retrieval.values import Passage

ASKED = re.compile(
    r"^\W*(?:(?:in|on|at|to|by|with|for) )?(?:(?P<who>who)|(?P<count>how many)"
    r"|(?P<when>when|(?:what|which) date)|(?P<much>how (?:much|high|low|large|long))"
    r"|(?P<whether>(?P<open>(?P<why>why)|what(?= (?:was|were|has been) (?:decided|agreed)))"
    r"|was|were|is|are|did|does|do|has|have|had)"
    r"|what|which(?: (?P<noun>\w+))?)\b"
    r"|(?!\W*(?:why|how|where|whose|whom|can|could|should|would|will|do|if|list|show|give|tell|compare|by)\b)",
    re.IGNORECASE,
)
"""What kind of value a question asks for: for a name of its `noun`, too ("which enzyme"). Words alone ("free
fraction in plasma") ask for what a "what" does. An `open` question asks for a reason or a decision.
"""
NARROWED = re.compile(r"\s(?:of|in|at|on|for|from|with|under|after|by|to|during|within)\s", re.IGNORECASE)
"""Before what narrows the subject of a question."""
CALLED = re.compile(r"\b(?:metabolite|analyte|compound|impurity) (?=\S*\d)", re.IGNORECASE)
"""What a code is called."""
COUPLED = re.compile(
    rf"(?P<asked>\W*(?:what|which|how)\b.*?\b(?:was|were|is|are) )(?P<one>(?:(?!{NARROWED.pattern})[^,])+?)"
    rf" and (?P<other>(?:(?!{NARROWED.pattern})[^,?])+?)(?P<about>(?: \w+ed)?{NARROWED.pattern}.*?)?\?*"
    rf"|(?P<asked_>\W*(?:what|which|how)\b.*{NARROWED.pattern})(?P<one_>[^,]+?)"
    rf" and (?:(?:in|at|on|of|for|after) )?(?P<other_>(?:(?!{NARROWED.pattern})[^,?])+)"
    rf"(?P<about_>{NARROWED.pattern}[^,]*?)?\?*",
    re.IGNORECASE,
)
"""Two things asked for in one: "What were the ALT and the AST in females?", "ALT in males and females"."""
BESIDE = re.compile(
    r"\b(?:of|at|in|on|for|to|from|than|below|above|over|per)(?: (?:the|an?|this|its))?\W*$", re.IGNORECASE
)
"""Before what a sentence is not about: "the AUC at the NOAEL"."""
LINK = re.compile(
    r"(?:\b(?:(?P<verb>was|were|is|are)|by|of|to)\b|(?P<mark>[:=][:=\s]*)|(?= [\w-]*\d[\w-]*(?:[.,;)]|$)))\s*"
    r"(?:(?:considered|estimated|determined|calculated|found|set|identified|established|defined|to be|at"
    r"|about|approximately|the|an?)\b\s*)*",
    re.IGNORECASE,
)
"""Between a subject and its value."""
REVERSED = re.compile(r"([^,;:]+?) (?:was|were|is|are) (?:the )?(?:main |primary )?$", re.IGNORECASE)
"""A value before its subject: "headache was the most frequent adverse event"."""
REASON = re.compile(
    r"\b(?:because|due to|owing to|as a result of|attributed to|caused by"
    r"|(?:cause|reason) (?:of|for|was|is))\b",
    re.IGNORECASE,
)
"""In a sentence that gives a reason."""
NUMBER = re.compile(r"[<>≤≥~±\s]*(\d+(?:[.,]\d+)*)")
NAME = re.compile(r"(?:(?:Dr|Prof|Mrs?|Ms)\.? ?)*([A-Z][\w'-]*\.?(?: [A-Z][\w'.-]*\w)+)")
CLAUSE = re.compile(r"(?:[^,;.]|\.(?!\s|$))+")
CODED = re.compile(r"(?:\w+-)*[A-Z][A-Za-z]*[A-Z\d]|[\w-]*\d")
PEOPLE = stem_set("animal subject patient participant volunteer people person")
PLANNED = re.compile(r"\b(?:planned|scheduled|will|not yet)\b", re.IGNORECASE)
"""In a sentence that says when what a question takes for done is to be done."""
REQUEST = re.compile(
    r"\bplease\b|, (?:could|can|would|will) you\b|\bto [a-z]+ .*\bby (?:the )?"
    r"(?:\d{1,2}(?:st|nd|rd|th)? [A-Z]|[A-Z][a-z]+ \d|[A-Z][a-z]+day\b|end\b|next\b)"
)
"""In a sentence that asks somebody to do something: "X to check the NOAEL by 3 May"."""
ACTION = re.compile(
    r"(?im)^[\W\d]*(?:(?:open|next|agreed|follow.up) )*(?:actions?|tasks?|to.do)"
    r"(?: (?:items?|points?|list))?\W*$"
)
"""Above what is to be done; "Mechanism of action" is not."""
SEVERAL = 6
"""Cells of a table that are told side by side at most."""
NO_VALUE = re.compile(r"(?:\w+(?:ed|ly|ing)|not|no|also|in|as|on|n/?[acdr])\b|\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage that answers or comes close, by where it begins; `column` is the cell that does, of a row.

    `beside` are the other cells of its table that answer too, by where their rows begin and their columns.
    """

    doc_id: str
    start: int
    column: int | None = None
    beside: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answer must say: the stems of its `subject`, and all of the question; `kind` of its value."""

    kind: re.Match[str]
    subject: tuple[str, ...]
    terms: tuple[str, ...]


def told_passages(question: str, candidates: Sequence[CandidatePassage]) -> dict[str, NearPassage | None]:
    """For each part of a question the passage that answers it.

    What narrows the first part ("in rats on Day 1") narrows the others; where nothing does, they are about
    the document that answers it. "The ALT and the AST in females" are two parts where no passage has both.
    """
    first, *others = parts_of(question)
    told = {first: told_passage(first, candidates)}
    if not (others or told[first]) and (both := COUPLED.fullmatch(first)):
        names = ("asked", "one", "other", "about")
        asked, one, other, about = (both[name] or both[f"{name}_"] or "" for name in names)
        parts = (f"{asked}{part}{about}?" for part in (one, other))
        return {part: told_passage(part, candidates) for part in parts}
    about = NARROWED.split(first, 1)[1:]
    answer = told[first]
    within = [one for one in candidates if about or (answer and answer.doc_id == one.passage.doc_id)]
    for part in others:
        told[part] = told_passage(" of ".join((part, *about)), within)
    return told


def told_passage(question: str, candidates: Sequence[CandidatePassage]) -> NearPassage | None:
    """The first passage that answers; None where none does, or where another one gives another value.

    Cells of one table are told side by side: they differ in what the question leaves open, as a day or a sex.
    Counts of several rows may be those of other things.
    """
    wanted = wanted_by(question)
    told = [
        (one.passage, *answer) for one in candidates if wanted for answer in told_by(question, wanted, one)
    ]
    if not (wanted and told):
        return None
    passage, near, value = told[0]
    if 1 < len(told) <= SEVERAL and all(
        one.column
        and same_table(passage, other)
        and min(number)[:1].isdigit()
        and (other == passage or not wanted.kind["count"])
        for other, one, number in told
    ):
        first, *others = sorted((one.start, one.column) for _, one, _ in told if one.column)
        return NearPassage(passage.doc_id, *first, tuple(others))
    agree = all(other <= value or other >= value for _, _, other in told)
    return near if agree and len({other for other, _, _ in told}) == len(told) else None


def wanted_by(question: str) -> Wanted | None:
    """What an answer must say; None for a question whose subject or kind of value no rule knows."""
    if (kind := ASKED.match(question)) is None:
        return None
    asked = f"{kind['noun'] or ''} {question[kind.end() :]}"
    terms, first = heavy(asked), next(filter(None, map(heavy, NARROWED.split(asked))), ())
    return Wanted(kind, terms if kind["whether"] else first, terms) if first else None


def heavy(text: str) -> tuple[str, ...]:
    """The stems of a text that an answer must say; of "metabolite M3" the code says all."""
    return tuple(one for one in stems(PARENT.sub("", CALLED.sub("", text))) if one not in LIGHT_STEMS)


def told_by(
    question: str, wanted: Wanted, candidate: CandidatePassage
) -> Iterator[tuple[NearPassage, Stems]]:
    """A passage where it answers, of a row the one cell that does, and its value."""
    passage, row = candidate.passage, candidate.passage.row
    plain = LINK.sub(" ", passage.text)
    cells, heads = (row.cells, [*map(spelled, row.header)]) if row else ((passage.text,), [""])
    # A person or a date belongs to all that a row says, where none of its cells is empty, and may be that of
    # an action; nothing else of what is to be done is a finding.
    personal = wanted.kind["who"] or wanted.kind["when"]
    todo = is_task(passage) and not (personal and row)
    unsure = todo or (candidate.columns and personal and not all(cells))
    planned = is_planned(plain) and not is_planned(question)
    due = wanted.kind["whether"] and not wanted.kind["open"] and PLANNED.search(plain)
    if unsure or (planned and not due) or is_doubted(plain) or len(plain.split()) > MOST_WORDS:
        return
    asked, around = keys_asked(question), candidate.place | candidate.title
    # Where the head of a column says what is asked for, one that only stands under the caption does not.
    over = candidate.place
    if any(says(own, wanted.subject) for own in candidate.columns):
        over = Stems()
    elif row and wanted.kind["count"] and not PEOPLE.issuperset(wanted.subject):
        over |= PEOPLE  # a row of counts need not say whom it counts
    # "3. Dog study: the protocol was approved" says whether that of the dog study was.
    heading = stem_set(" ".join(passage.section[-1:])) if wanted.kind["whether"] else Stems()
    of_row = candidate.own | stem_set(" ".join(row.header)) if row and personal else Stems()
    read: list[tuple[int | None, str, Stems]] = [
        (column, cell, own | of_row | over)
        for column, (cell, own) in enumerate(zip(cells, candidate.columns, strict=False))
    ] or [(None, ": ".join(filter(None, cells)), candidate.own | heading)]
    told = [
        (NearPassage(passage.doc_id, passage.start, column), compared(with_unit(value, heads[column or 0])))
        for column, text, own in read
        if says(own, wanted.subject)
        and says(own | around, wanted.terms)
        and not contradicts(asked, passage, column, certain=True)
        and not (wanted.kind["who"] and column is not None and not NAME.fullmatch(text))
        and not (wanted.kind["why"] and not REASON.search(text))
        for value in [value_in(text, wanted, own) if column is None else text * is_of_kind(text, wanted, own)]
        if value
    ]
    yield from told if len(told) == 1 or all(NUMBER.match(cells[one.column or 0]) for one, _ in told) else ()


def is_task(passage: Passage) -> bool:
    """Whether a passage says what is to be done: it asks somebody, or stands under a heading of actions."""
    row = passage.row
    above = "\n".join((*passage.section[-1:], *((row.caption, *row.header) if row else ())))
    return bool(REQUEST.search(passage.text) or ACTION.search(above))


def says(said: Stems, terms: Iterable[str]) -> bool:
    """Whether all of some terms are said, in their words or in words that mean the same."""
    return all(not said.isdisjoint({term, *ALIKE.get(term, ())}) for term in terms)


def compared(value: str) -> Stems:
    """What of a value others must have, too: its quantities in standard units, else the number that it begins
    with, or its words.
    """
    read = parse_quantities(value)
    quantities = [f"{one.standard_high:g} {one.standard_unit.removesuffix('/day')}" for one in read]
    number = NUMBER.match(value)
    return frozenset(quantities or ([number[1]] if number else heavy(value) or [value]))


def value_in(text: str, wanted: Wanted, own: Stems) -> str:
    """The value that a sentence gives of a subject; "" where it gives none of the kind asked for."""
    kind, text = wanted.kind, measures_named(" ".join(text.split()))
    if kind["open"]:
        return text
    if kind["whether"]:
        return "planned" if is_planned(text) else "denied" if negated(text) else "affirmed"
    if kind["when"]:
        return " ".join(date.text for date in parse_dates(text))
    if kind["count"]:
        return counted(text, wanted.subject[0])
    names = {name for term in wanted.subject for name in (term, *ALIKE.get(term, ()))}
    places = [found for found in WORD.finditer(text) if not names.isdisjoint(stems(found[0]))]
    before = text[: places[0].start()] if places else text
    if not places or BESIDE.search(before):
        return ""
    if (led := REVERSED.match(before)) and is_of_kind(text, wanted, own):
        return led[1]
    for link in LINK.finditer(text, places[-1].end()):
        value, certain = text[link.end() :], link["verb"] or link["mark"]
        found = (NAME if kind["who"] else CLAUSE).match(value)
        if found and is_of_kind(value, wanted, own) and (certain or kind["who"] or CODED.match(value)):
            return found[found.lastindex or 0]
        if certain:
            break
    return ""


def is_of_kind(value: str, wanted: Wanted, own: Stems) -> bool:
    """Whether a value is of the kind that is asked for."""
    kind, noun = wanted.kind, wanted.kind["noun"]
    if kind["who"]:
        return NAME.match(value) is not None
    if kind["when"]:
        return bool(parse_dates(value))
    if kind["much"] or kind["count"]:
        return NUMBER.match(value) is not None
    if noun and stem(noun.casefold()) not in own:
        return CODED.match(value) is not None and not NUMBER.match(value)
    return NO_VALUE.match(value) is None


def counted(text: str, what: str) -> str:
    """The number before what is counted."""
    for number in parse_numbers(text):
        if what in stems(" ".join((number.text, *WORD.findall(text[number.end :])[:3]))):
            return f"{number.value:g}"
    return ""
