"""Reasons for the end of a programme or a study, as documents state them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from agents.archive.research.documents.attribution import topic
from agents.archive.research.documents.document import (
    AUTHORITY,
    AnnotatedDocument,
    DocumentKind,
    MoleculeRole,
)
from agents.archive.research.documents.lines import Line
from agents.archive.research.vocabulary import any_of, wording
from retrieval.values import PassageKind

DECIDING = (DocumentKind.REGISTRY, DocumentKind.MINUTES)
"""Kinds of documents that record a decision, and outrank what tells of it; the minutes most."""
WHOLE_PROGRAMME = any_of([
    r"(?:clinical |further |drug |the )*development(?! center| centre)", r"programm?e", "project",
    r"compound", r"production", r"development activities",
    r"manufacturer", r"molecule", r"candidate", r"no further (?:studies|trials|work)",
    r"(?:company|sponsor) (?:decision|decided)",
])  # fmt: skip
LEAD_IN = re.compile(
    r"\b(?:reasons?|rationale|grounds?|arguments?)\b|\b(?:rests|rested|based|founded) (?:up)?on\b"
    r"|\bg[ai]ve[sn]? (?:as (?:its |the )?)?(?:the following|these)\b",
    re.IGNORECASE,
)
"""Words of a line that a list of reasons follows."""
REASON_SENTENCE = re.compile(
    r"\b(?:reasons?|rationale|grounds?)\b[^.]{0,80}\b(?:is|are|was|were|being|include[ds]?)\b|"
    r"^(?:reasons?|rationale|grounds?)\b.{0,40}:",
    re.IGNORECASE,
)
DECISION = re.compile(
    r"(?:the|this|our|its) (?:\w+ )?(?:decision|step|termination|discontinuation|stop|withdrawal)\b|"
    r"(?:this|it) (?:was|is|follows)\b",
    re.IGNORECASE,
)
GIVEN = re.compile(r"\bReason the study was stopped, as given by the sponsor:\s*", re.IGNORECASE)
INTRODUCES = re.compile(r":\s*$")
REASON_HEADING = re.compile(r"\W*(?:\d+[.)]*\s)*(?:the )?(?:reasons?|rationale|grounds?)\b", re.IGNORECASE)
SHORT_LEAD = 5
"""Words of a line that may be a heading without being marked as one."""
ITEM_MARK = re.compile(r"^\s*(?:[-*•]\s*)?(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)]\s*)?")
STUDY_NOUN = re.compile(r"\b(?:study|trial)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reason:
    """A stated reason, with the lines that state it.

    `programme` is set where the whole programme ended for it; `factors` are the single reasons of a list.
    """

    text: str
    programme: bool
    document: AnnotatedDocument
    lines: tuple[Line, ...]
    factors: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """What ended: "programme" or "study"."""
        return "programme" if self.programme else "study"

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """Programme before study, a correction before what it corrects, the decision before its summaries."""
        kind = self.document.kind
        decides = DECIDING.index(kind) + 1 if kind in DECIDING else 0
        return self.programme, self.replaces, decides, AUTHORITY[kind], len(self.factors)

    @property
    def replaces(self) -> bool:
        """Whether its paragraph says that it corrects an earlier statement."""
        paragraphs = {line.paragraph for line in self.lines}
        near = (line for line in self.document.lines if line.paragraph in paragraphs)
        return any(wording("replaces").search(line.text) for line in near)


def reasons_in(document: AnnotatedDocument) -> Iterator[Reason]:
    """Reasons in a document: the sponsor's, and those of its sentences."""
    if document.role is MoleculeRole.SUBJECT:
        yield from sponsors_reason(document)
    for line in document.lines:
        prose = not (line.is_heading or line.row or GIVEN.search(line.text))
        if prose and ends_this(document, line) and (found := reason_at(document, line)):
            yield found


def sponsors_reason(document: AnnotatedDocument) -> Iterator[Reason]:
    """The reason in a registry record, with the line that holds it."""
    reason = document.record.stop_reason.strip().rstrip(".")
    for line in document.lines if reason else ():
        if GIVEN.search(line.text) or reason.lower() in line.text.lower():
            whole = WHOLE_PROGRAMME.search(reason) is not None and not STUDY_NOUN.search(reason)
            yield Reason(reason, whole, document, (line,))
            return


def ends_this(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence says that the molecule's development, or a study of it, was ended."""
    text = line.text
    ended = wording("ended").search(text)
    if ended is None or wording("no_end").search(text) or wording("not_the_reason").search(text):
        return False
    drug = topic(document, line)
    if drug is None or not drug.is_this:
        return False
    if not document.reported and re.search(r"\b(?:will|may|should|if|would|could)\b", text):
        return False
    start = text.rfind(";", 0, ended.start()) + 1
    told = text[start:].split(";")[0]
    part = wording("reason").split(told, maxsplit=1)[0]
    return (
        any(drug.is_this and 0 <= drug.start - start < len(told) for drug in line.drugs)
        or any(pattern.search(part) for pattern in (wording("programme"), STUDY_NOUN))
        or ended.start() == 0  # "Stopped in April because of ..." in an overview is about its heading
    )


def reason_at(document: AnnotatedDocument, line: Line) -> Reason | None:
    """The reason that belongs to a sentence of termination.

    It stands in the sentence, in a list behind a colon, or in the sentence before or behind.
    """
    programme = not STUDY_NOUN.search(line.text) or bool(WHOLE_PROGRAMME.search(line.text))
    following = document.lines[line.number + 1 : line.number + 3]
    for lead in (line, *following):
        if introduces(line, lead) and (factors := items_after(document, lead)):
            texts = tuple(ITEM_MARK.sub("", item.text).rstrip(".;, ") for item in factors)
            lines = tuple(dict.fromkeys((line, lead, *factors)))
            return Reason("; ".join(texts), programme, document, lines, texts)
    behind = next((one for one in following if one.paragraph == line.paragraph and gives_reason(one)), None)
    stated = wording("reason").search(line.text)
    if behind and not stated:
        return Reason(behind.text.rstrip("."), programme, document, (line, behind))
    if stated or wording("weak_reason").search(line.text):
        return Reason(line.text.rstrip("."), programme, document, (line,))
    return None


def introduces(line: Line, lead: Line) -> bool:
    """Whether a list of reasons follows: behind a colon, or below a heading that says so."""
    bare = lead is not line and len(lead.text.split()) <= SHORT_LEAD and not lead.text.endswith(".")
    if lead.is_heading or bare:
        return REASON_HEADING.match(lead.text) is not None or leads_in(lead)
    return leads_in(lead) or (lead is line and bool(INTRODUCES.search(lead.text)))


def leads_in(lead: Line) -> bool:
    """Whether a line ends with a colon and says that reasons follow."""
    return bool(INTRODUCES.search(lead.text)) and bool(LEAD_IN.search(lead.text))


def gives_reason(line: Line) -> bool:
    """Whether a sentence says what the reason was."""
    said = REASON_SENTENCE.search(line.text) or (
        DECISION.match(line.text) and wording("reason").search(line.text)
    )
    return bool(said) and not wording("not_the_reason").search(line.text)


def items_after(document: AnnotatedDocument, lead: Line) -> list[Line]:
    """The reasons in the list that follows a line; without what is denied there.

    A list ends with the first sentence of its last item: what goes on there may close the whole list.
    """
    behind = document.lines[lead.number + 1 :]
    items = list(takewhile(lambda line: line.passage.kind is PassageKind.ITEM, behind))
    if items and items[0].paragraph != items[-1].paragraph:
        last = next(item for item in items if item.paragraph == items[-1].paragraph)
        items = items[: items.index(last) + 1]
    return [item for item in items if not wording("not_the_reason").search(item.text)]
