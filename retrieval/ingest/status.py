"""The status of the study that a document describes, and why it was stopped.

A text tells of many things that ended: a dose group, a subject's part, somebody else's trial. What counts is
what a document says of its own study: in a labelled field, its title, its beginning, or its own summary and
conclusion.
"""

import re
from collections.abc import Iterator

from retrieval.ingest import record_rules as rules
from retrieval.markdown import BlockKind, blocks
from retrieval.passages import plain
from retrieval.text.sentences import sentences
from retrieval.values import StudyStatus

BEGINNING = 3000
"""Characters in which a document speaks about itself as a whole."""
OWN_PART = re.compile(
    r"[\W\d]*(?:executive |overall |brief |report |study |final )*(?:summary|synopsis|abstract|"
    r"conclusions?|status|(?:early |premature )?termination|end of (?:the )?(?:study|trial)|"
    r"(?:study )?completion|"
    r"(?:discussion|summary) and conclusions?)(?: of (?:the )?(?:study|trial|report))?\W*",
    re.IGNORECASE,
)
"""Headings under which a document sums itself up."""
OF_ANOTHER = re.compile(
    r"(?:\b(?:previous|prior|earlier|preceding|former|an?|another|other|second|parallel|sister|companion|one|each|"
    r"competing|competitor(?:'s|’s)?|published|their|whose|that|if|when|unless|until|once|before|should|not|no|"
    r"case)\b(?:[ -]+(?!the\b|this\b|our\b)[\w-]+){0,3}[ -]*)\Z",
    re.IGNORECASE,
)
"""What stands before a study that is not the document's own, or that ended on no more than a condition."""
CONDITION = re.compile(r"[^.;\n]{0,20}\b(?:if|when|unless|once|in case|should)\b", re.IGNORECASE)
"""What stands behind an end that a protocol foresees."""
ENDED = (StudyStatus.TERMINATED, StudyStatus.WITHDRAWN)


def own_status(text: str, title: str, document_type: str, given: str) -> StudyStatus | None:
    """The status of the study described; `given` is what front matter says.

    None for documents about several studies that state none, and where a document does not say it of its own.
    """
    match = rules.STATUS_LABEL.search(text) or rules.STATUS_INLINE.search(text)
    for label in (given, next(filter(None, match.groups()), "") if match else ""):
        for status, words in rules.STATUS_WORDS:
            if any(word in label.lower() for word in words):
                return status
    if rules.SEVERAL_STUDIES.search(document_type):
        return None
    parts = tuple(_own_parts(text, title))
    found = (status for status, pattern in rules.STATUSES if any(_says(pattern, part) for part in parts))
    return next(found, None)


def stop_reason(text: str, status: StudyStatus | None, given: str) -> str:
    """Why the study was stopped: front matter, a labelled reason, else the sentence that gives one."""
    labelled = rules.STOP_REASON_LABEL.search(text)
    if given or labelled:
        return given or (labelled[1].strip() if labelled else "")
    found = rules.STOP_REASON.search(text) if status in ENDED else None
    return _sentence(text, found.start()) if found else ""


def _own_parts(text: str, title: str) -> Iterator[str]:
    """What a document says about itself: title, beginning without rows of tables, what its summaries hold."""
    yield title
    own = False
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            own = OWN_PART.fullmatch(plain(text[block.start : block.end])) is not None
        if own:
            yield text[block.start : block.end]
        elif not _is_list_of_values(block.kind, text[block.start : block.end]):
            yield text[block.start : min(block.end, BEGINNING)]


def _is_list_of_values(kind: BlockKind, block: str) -> bool:
    """Whether a block is a table wider than fields and their values."""
    return kind is BlockKind.TABLE and block.split("\n", 1)[0].strip().strip("|").count("|") > 1


def _says(pattern: re.Pattern[str], part: str) -> bool:
    """Whether a part of a document says a status, and not of another study or on a condition."""
    return any(
        not OF_ANOTHER.search(part, max(0, match.start() - 60), match.start())
        and not CONDITION.match(part, match.end())
        for match in pattern.finditer(part)
    )


def _sentence(text: str, offset: int) -> str:
    """The sentence that holds an offset, as read."""
    start = text.rfind("\n\n", 0, offset) + 1
    end = text.find("\n\n", offset)
    spans = sentences(text, start, end if end >= 0 else len(text))
    return next((plain(text[a:b]) for a, b in spans if a <= offset < b), "")[:500]
