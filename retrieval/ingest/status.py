"""The status of the study that a document describes, and why it was stopped.

A text tells of many things that ended: a dose group, a subject's part, somebody else's trial. What counts is
what a document says of its own study: in a labelled field, its title or its beginning.
"""

from collections.abc import Iterator

from retrieval.ingest import record_rules as rules
from retrieval.markdown import BlockKind, blocks
from retrieval.passages import plain
from retrieval.text.sentences import sentences
from retrieval.values import StudyStatus

BEGINNING = 3000
"""Characters in which a document speaks about itself as a whole."""
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
    found = (status for status, pattern in rules.STATUSES if any(map(pattern.search, parts)))
    return next(found, None)


def stop_reason(text: str, status: StudyStatus | None, given: str) -> str:
    """Why the study was stopped: front matter, a labelled reason, else the sentence that gives one."""
    labelled = rules.STOP_REASON_LABEL.search(text)
    if given or labelled:
        return given or (labelled[1].strip() if labelled else "")
    found = rules.STOP_REASON.search(text) if status in ENDED else None
    return _sentence(text, found.start()) if found else ""


def _own_parts(text: str, title: str) -> Iterator[str]:
    """What a document says about itself: title, and beginning without rows of tables."""
    yield title
    for block in blocks(text[:BEGINNING]):
        if not _is_list_of_values(block.kind, text[block.start : block.end]):
            yield text[block.start : block.end]


def _is_list_of_values(kind: BlockKind, block: str) -> bool:
    """Whether a block is a table wider than fields and their values."""
    return kind is BlockKind.TABLE and block.split("\n", 1)[0].strip().strip("|").count("|") > 1


def _sentence(text: str, offset: int) -> str:
    """The sentence that holds an offset, as read."""
    start = text.rfind("\n\n", 0, offset) + 1
    end = text.find("\n\n", offset)
    spans = sentences(text, start, end if end >= 0 else len(text))
    return next((plain(text[a:b]) for a, b in spans if a <= offset < b), "")[:500]
