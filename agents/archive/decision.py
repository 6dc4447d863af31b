"""When the development of a molecule was ended, and who decided it, as the record of the decision says.

The sentence that ends the development is the answer's passage. Who decided is said by the sentence, or by the
title of the minutes that it stands in; the day by the sentence, or by the line of the minutes that gives the
day of the meeting. Records that differ leave both unsaid.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Outcome
from agents.archive.claim_checker import ClaimChecker
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.library import GENERAL
from agents.archive.premises import documents_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.lines import Line
from agents.archive.research.documents.terminations import STUDY_NOUN, WHOLE_PROGRAMME, ends_part, ends_this
from agents.archive.research.drafting import claims_of
from agents.archive.research_input import read_for
from agents.archive.tools import ArchiveTools
from agents.archive.values import AnswerPart, Merged
from agents.evidence.values import Provenance
from agents.trust.check import shown
from agents.trust.dates import WrittenDate, covers, parse_dates
from retrieval.molecules.lookup import without_names
from retrieval.values import Molecule

ENDED = r"(?:stop|terminat|discontinu|abandon|halt|cancel|shelv|ceas|end|clos|g[ai]ve(?:n)? up|drop)"
WHO = re.compile(
    r"^\W*(?:and )?(?:(?:by )?whom?\b|(?:by )?(?:which|what) (?:board|committee|body|council|panel)\b)", re.I
)
WHEN = re.compile(
    r"^\W*(?:and )?(?:when\b|(?:on |in )?(?:which|what) (?:day|date|month|year)\b"
    r"|what (?:is|was) the date\b)",
    re.I,
)
OF_OTHERS = re.compile(
    r"\b(?:study|studies|trials?|molecules|compounds|drugs|candidates|projects|programmes)\b", re.I
)
OF_ENDING = re.compile(rf"\b{ENDED}\w*", re.I)
OWN_WORDS = frozenset(
    stems(
        "who whom when which what day date month year board committee body council panel decide decided"
        " decision resolve resolved agree agreed take taken took make made stop stopped terminate terminated"
        " termination discontinue discontinued abandon abandoned halt halted cancel cancelled end ended close"
        " closed drop dropped give given gave up cease ceased development program programme project molecule"
        " compound drug work candidate"
    )
)
"""Words of a question that is about this and nothing else."""
BODY = (
    r"(?:(?-i:[A-Z])[\w&-]* ){0,4}"
    r"(?:(?-i:Board|Committee|Council|Panel|Management|Team|Directorate|Group)|board|committee|council|panel)\b"
    r"(?: of Directors)?"
)
TITLE = re.compile(
    rf"\bminutes of (?:the |a )?(?:meeting of (?:the )?)?(?P<body>{BODY})|^(?P<lead>{BODY})\b.*\bminutes\b",
    re.I,
)
PLACE = r"(?:,? (?:of|on|at|in) [^,;.]{1,40},?)?"
DECIDED = re.compile(
    rf"\b(?:the |our |its )?(?P<body>{BODY}){PLACE} (?:has |have )?(?:unanimously )?"
    rf"(?:deci(?:ded|des)|resolve[sd]|agree[sd]|voted|{ENDED}\w*)\b"
    rf"|\b(?:{ENDED}\w*|decided|taken)\b[^.;]{{0,40}}? by (?:the |our )?(?P<by>{BODY})",
    re.I,
)
ENDS_HERE = re.compile(rf"\b(?:is|are|shall be|to be|will be) (?:hereby |therefore )?{ENDED}\w*", re.I)
"""How minutes write what their meeting decides."""
UNDECIDED = re.compile(
    r"\b(?:not|never|unless|if|whether|propos\w*|recommend\w*|suggest\w*|may|might|should|could|would"
    r"|consider\w*|inform\w*|not(?:ed|es)|heard|learn\w*|recall\w*|report(?:s|ed)|reminded|asked)\b",
    re.I,
)
"""Words of a sentence that leaves a decision open, or tells of another one."""
MEETING = re.compile(r"\b(?:meeting|session|dated?|held|decision)\b", re.I)
ON = re.compile(
    rf"(?:^\W*|\b(?:deci\w+|resolved|agreed|{ENDED}\w*|meeting|{BODY}) )"
    r"(?:on|in|of|at its meeting (?:on|of))\s*(?:the )?$",
    re.I,
)
"""What stands before the day of the decision in its sentence."""
EFFECT = re.compile(r"\beffect(?:ive)?\b|\bas of\b", re.I)


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of a decision: who decided and on which day, each "" where it is not said, and its lines."""

    document: AnnotatedDocument
    line: Line
    by: str = ""
    by_line: Line | None = None
    day: WrittenDate | None = None
    day_line: Line | None = None


def asks_for_decision(text: str, registry: Sequence[Molecule]) -> bool:
    """Whether a question asks when a molecule was stopped or who decided it, and for nothing else."""
    asks = WHO.search(text) or WHEN.search(text)
    if not asks or not OF_ENDING.search(text) or OF_OTHERS.search(text):
        return False
    rest = without_names(text, registry)
    return not set(stems(re.sub(r"['’]s\b", " ", rest))) - OWN_WORDS - LIGHT_STEMS


async def decision_told(tools: ArchiveTools, text: str, molecule: str) -> Merged:
    """Who decided, or the day, as one part with the lines that say it; no part where they do not."""
    registry = await tools.index.molecules()
    documents = read_for(molecule, await documents_of(tools, molecule), registry)
    found = [one for document in documents for one in decisions_in(document)]
    who = bool(WHO.search(text))
    told = the_body(found) if who else the_day(found, documents)
    if told is None or (not who and EFFECT.search(told.line.text)):
        return Merged((), ())
    value = told.by if who else told.day.text if told.day else ""
    line = f"The {value} decided to end the development of {molecule}."
    if not who and told.day:
        word = "on" if all(reading[2] for reading in told.day.readings) else "in"
        line = f"The end of the development of {molecule} was decided {word} {value}."
    lines = [told.line, *filter(None, [told.by_line if who else told.day_line])]
    checker = ClaimChecker(tools, {record.doc_id: record for record in await tools.index.records()})
    provenance = Provenance("decision", "rules", line, "research/decision")
    claims = shown(await checker.claims(claims_of(lines), provenance))
    if len(claims) < len(set(map(id, lines))):
        return Merged((), ())
    short = f"{value} ({told.document.doc_id})"
    part = AnswerPart(GENERAL, molecule, Outcome.ANSWERED, short, line, claims)
    return Merged((part,), checker.memory.all())


def decisions_in(document: AnnotatedDocument) -> Iterator[Decision]:
    """The sentences of a document that end the development of the molecule, where they record a decision."""
    minutes = document.kind is DocumentKind.MINUTES
    for line in document.lines:
        if line.is_heading or line.row is not None or TITLE.search(line.text) or not ends_all(document, line):
            continue
        said = DECIDED.search(line.text)
        if UNDECIDED.search(line.text) or not (said or (minutes and ENDS_HERE.search(line.text))):
            continue
        yield decision_at(document, line)


def decision_at(document: AnnotatedDocument, line: Line) -> Decision:
    """A sentence that decides, with who decided and the day."""
    minutes, said = document.kind is DocumentKind.MINUTES, DECIDED.search(line.text)
    by = (said["body"] or said["by"]) if said else ""
    titled = next(title_lines(document), None) if minutes and not names_body(by) else None
    day = own_day(line) or (next(meeting_days(document, line), None) if minutes else None)
    return Decision(
        document,
        line,
        titled[0] if titled else by,
        titled[1] if titled else line if by else None,
        day[0] if day else None,
        day[1] if day else None,
    )


def ends_all(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence ends the development, and not only a study or a form."""
    whole = not STUDY_NOUN.search(line.text) or WHOLE_PROGRAMME.search(line.text)
    return bool(whole) and ends_this(document, line) and not ends_part(document, line)


def own_day(line: Line) -> tuple[WrittenDate, Line] | None:
    """The day that a sentence gives for its decision."""
    days = [day for day in parse_dates(line.text) if ON.search(line.text[: day.start])]
    return (days[0], line) if len(days) == 1 else None


def names_body(by: str) -> bool:
    """Whether a body is called by more than its kind ("Development Board", and not "the Board")."""
    return len(by.split()) > 1


def title_lines(document: AnnotatedDocument) -> Iterator[tuple[str, Line]]:
    """The body whose minutes a document is, with the line that says so."""
    for line in document.lines[:5]:
        if found := TITLE.search(line.text):
            yield tidy(found["body"] or found["lead"]), line


def tidy(body: str) -> str:
    """The name of a body in small letters where it is written in capitals."""
    return body.title() if body.isupper() else body


def meeting_days(document: AnnotatedDocument, decided: Line) -> Iterator[tuple[WrittenDate, Line]]:
    """The whole day of the meeting, from the lines before the decision."""
    for line in document.lines[: decided.number]:
        days = [day for day in parse_dates(line.text) if all(reading[2] for reading in day.readings)]
        if len(days) == 1 and MEETING.search(line.text):
            yield days[0], line


def the_body(found: Sequence[Decision]) -> Decision | None:
    """The decision whose body is told, if no record names another."""
    telling = [one for one in found if one.by]
    names = {one.by.casefold() for one in telling}
    full = [one for one in telling if all(one.by.casefold().endswith(name) for name in names)]
    return max(full, key=by_weight, default=None)


def the_day(found: Sequence[Decision], documents: Sequence[AnnotatedDocument]) -> Decision | None:
    """The decision whose day is told, if no other sentence on the end gives another day or year."""
    telling = [one for one in found if one.day]
    best = max(telling, key=by_weight, default=None)
    if best is None or best.day is None:
        return None
    stated = [one.day for one in telling if one.day]
    for document in documents:
        for line in document.lines:
            if line.row is None and ends_all(document, line):
                stated += parse_dates(line.text)
    return best if all(covers(best.day, one) for one in stated) else None


def by_weight(one: Decision) -> tuple[bool, str]:
    """Minutes before others, then the latest."""
    return one.document.kind is DocumentKind.MINUTES, one.document.record.date
