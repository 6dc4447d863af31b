"""Who has to do what until when: the rows of lists of actions, and what mails ask of people by name."""

import re

from agents.archive.answer import Answer, Question
from agents.archive.general.render import clean
from agents.archive.general.told import is_task
from agents.archive.tabled import tabled
from agents.archive.tools import ArchiveTools
from retrieval.values import Filters, Passage, SearchRequest

ASKED = re.compile(
    r"\bwho (?:has|have|needs?|is|must|should)\b(?: to)?(?: do| deliver)? what\b"
    r"|\b(?:open|outstanding|pending|overdue|agreed) (?:actions?|tasks?)\b"
    r"|\baction (?:items?|points?|list)\b|\bto-?dos?\b"
    r"|\b(?:list|show|what are)(?: \w+){0,2} actions (?:from|in|for|on|of the)\b"
    r"|\bwhat (?:does|do|must|should|has|have)(?: \w+){1,2} (?:have )?(?:to )?do\b(?= (?:by|until)|\W*$)",
    re.IGNORECASE,
)
OPEN = re.compile(r"\b(?:open|outstanding|pending|overdue)\b", re.IGNORECASE)
DONE = re.compile(r"(?<!not )(?<!not yet )\b(?:done|closed|completed?|cancell?ed)\b", re.IGNORECASE)
HEADS = {
    "Who": "owner|responsible|person|who\\b|assigne|lead\\b",
    "What": "action|task|item|to-?do|what\\b|activity",
    "Until": "due|deadline|until|by when|when\\b|target|date",
    "Status": "status|state\\b",
}
"""The columns of the answer, each with how those of lists of actions begin."""
REQUEST = re.compile(
    r"(?!(?:According|Close|Compared|Due|Next|Owing|Prior|Relative|Similar|Subject|Up) to\b)"
    r"([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?:,? to |, (?:please|(?:could|can|would|will) you(?: please)?) )"
    r"(.+?)(?:,? (?:by |until |no later than |(?=before ))([^?]+?))?[?.!]*()"
)
"""What a sentence asks of somebody: "Anna, could you send the report by Friday?". It tells no status."""
SEARCH = "action owner responsible due date, could you please send by"
CHUNKS = 80


async def told_actions(tools: ArchiveTools, question: Question, molecules: tuple[str, ...]) -> Answer | None:
    """The actions on record, those of the latest documents first, of a person whom the question names those
    alone; None where there is none or none is asked for.
    """
    if question.instruction or not ASKED.search(question.text):
        return None
    hits = await tools.retriever.search(SearchRequest(SEARCH, Filters(molecules=molecules), CHUNKS))
    dates = {hit.record.doc_id: hit.record.date for hit in hits if not hit.record.newest_version}
    opened = await tools.documents.open_all(tools.index, sorted(dates, key=dates.__getitem__, reverse=True))
    undone = OPEN.search(question.text)
    found = [
        [(text, one) for text in told]
        for document in opened
        for one in document.passages
        if (told := action_in(one)) and not (undone and DONE.search(told[-1]))
    ]
    named = {*re.findall(r"\w+", question.text)}
    rows = [row for row in found if not named.isdisjoint(row[0][0].split())] or found
    if not rows:
        return None
    return await tabled(tools, question, "Actions on record:", f"{len(rows)}.", (*HEADS,), rows)


def action_in(passage: Passage) -> tuple[str, ...]:
    """Person, action, date and status that a row or a sentence tells; empty where it tells no action."""
    if not is_task(passage):
        return ()
    if (row := passage.row) is None:
        asked = REQUEST.fullmatch(clean(passage.text))
        return asked.groups("") if asked else ()
    cells = [*zip(row.header, map(clean, row.cells), strict=True)]
    told = [
        next((cell for head, cell in cells if re.match(one, head, re.IGNORECASE)), "")
        for one in HEADS.values()
    ]
    return tuple(told) if all(told[:2]) and row.cells != row.header else ()
