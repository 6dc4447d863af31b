"""What minutes and mails keep: who has to do what until when, and what was decided."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.general.render import clean
from agents.archive.general.told import is_task
from agents.archive.tabled import tabled
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.versions import said
from agents.text.rows import under
from retrieval.text.dates import WrittenDate, covers, parse_dates
from retrieval.values import Filters, Passage, PassageKind, SearchRequest

ASKED = re.compile(
    r"\bwho (?:has|have|needs?|is|must|should)\b(?: to)?(?: do| deliver)? what\b"
    r"|\b(?:open|outstanding|pending|overdue|agreed) (?:actions?|tasks?)\b"
    r"|\baction (?:items?|points?|list)\b|\bto-?dos?\b"
    r"|\w['’]s? (?:actions|tasks)\b|\b(?:actions|tasks) (?:of|for|does|has)\b"
    r"|\b(?:list|show|what are)(?: \w+){0,2} actions (?:from|in|for|on|of the)\b"
    r"|\bwhat (?:does|do|must|should|has|have)(?: \w+){1,2} (?:have )?(?:to )?do\b(?= (?:by|until)|\W*$)",
    re.IGNORECASE,
)
OPEN = re.compile(r"\b(?:open|outstanding|pending|overdue)\b", re.IGNORECASE)
DONE = re.compile(r"(?<!not )(?<!not yet )\b(?:done|closed|completed?|cancell?ed)\b", re.IGNORECASE)
HEADS = {
    "Who": re.compile(r"(?:owner|responsible|person|who\b|assigne|lead\b).*", re.IGNORECASE),
    "What": re.compile(r"(?:action|task|item|to-?do|what\b|activity).*", re.IGNORECASE),
    "Until": re.compile(r"(?:due|deadline|until|by when|when\b|target|date).*", re.IGNORECASE),
    "Status": re.compile(r"(?:status|state\b).*", re.IGNORECASE),
}
"""The columns of the answer, each with how those of lists of actions begin."""
REQUEST = re.compile(
    r"(?!(?:According|Close|Compared|Due|Next|Owing|Prior|Relative|Similar|Subject|Up) to\b)"
    r"([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?:,? to |, (?:please|(?:could|can|would|will) you(?: please)?) )"
    r"(.+?)(?:,? (?:by |until |no later than |(?=before ))([^?]+?))?[?.!]*()"
)
"""What a sentence asks of somebody: "Anna, could you send the report by Friday?". It tells no status."""
DECISIONS = re.compile(
    r"\b(?:what (?:was|were|has been|have been|did \w+(?: \w+)?) (?:decided?|agreed?)"
    r"|(?:which|what|list|show)(?: the| all| were the| are the)? decisions)\b(?: were (?:taken|made))?"
    r"(?=\W*$| (?:in|at|by|during|of|from|on \d))",
    re.IGNORECASE,
)
DECIDED = re.compile(r"(?:.* )?decisions?\W*", re.IGNORECASE)
"""The heading, or the head of a column, under which a decision stands."""
SEARCH = "action owner responsible due date, could you please send by, decision decided"
CHUNKS = 80


async def told_minutes(tools: ArchiveTools, question: Question, molecules: tuple[str, ...]) -> Answer | None:
    """The actions or decisions on record, those of the latest documents first; of a person or a day that the
    question names those alone. None where there is none or none is asked for.
    """
    decided = DECISIONS.search(question.text)
    if question.instruction or not (decided or ASKED.search(question.text)):
        return None
    hits = await tools.retriever.search(SearchRequest(SEARCH, Filters(molecules=molecules), CHUNKS))
    dates = {hit.record.doc_id: hit.record.date for hit in hits if not hit.record.newest_version}
    opened = await tools.documents.open_all(tools.index, sorted(dates, key=dates.__getitem__, reverse=True))
    undone, days = OPEN.search(question.text), parse_dates(question.text)
    found = [
        [(text, one) for text in told]
        for document in opened
        if not decided or is_of_day(document, days)
        for one in document.passages
        if (told := decision_in(one) if decided else action_in(one))
        and not (undone and DONE.search(told[-1]))
    ]
    named = {*re.findall(r"\w+", question.text)}
    rows = [row for row in found if not decided and not named.isdisjoint(row[0][0].split())] or found
    short, columns = ("Decisions on record:", ("Decision",)) if decided else ("Actions on record:", (*HEADS,))
    return await tabled(tools, question, short, f"{len(rows)}.", columns, rows) if rows else None


def is_of_day(document: LoadedDocument, days: Sequence[WrittenDate]) -> bool:
    """Whether a document is of a day that is named, by its title or its record; any is where none is."""
    written = parse_dates(f"{document.record.title}; {document.record.date}")
    return not days or any(covers(own, day) for own in written for day in days)


def decision_in(passage: Passage) -> tuple[str, ...]:
    """The decision that an item or a row tells; empty where it tells none."""
    over = (*passage.section[-1:], *(passage.row.header if passage.row else ()))
    told = passage.kind is not PassageKind.HEADING and any(map(DECIDED.fullmatch, over))
    return (said(passage),) if told else ()


def action_in(passage: Passage) -> tuple[str, ...]:
    """Person, action, date and status that a row or a sentence tells; empty where it tells no action."""
    if not is_task(passage):
        return ()
    if (row := passage.row) is None:
        asked = REQUEST.fullmatch(clean(passage.text))
        return asked.groups("") if asked else ()
    told = [clean(next(under(row, head), "")) for head in HEADS.values()]
    return tuple(told) if all(told[:2]) and row.cells != row.header else ()
