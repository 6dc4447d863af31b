"""What a document says that it is: a correction, a report with results, or one that follows a protocol."""

import re
from collections.abc import Iterable
from functools import lru_cache

TITLE_LINE = 120
"""Characters of a line that can stand on a title page; a longer one is prose."""
PAGE = 20
"""Short lines at the beginning that can stand on a title page."""
CORRECTION = (
    r"\A\W*(?:corrigend(?:um|a)|errat(?:um|a)|corrections? to)\b|\bcorrection (?:sheet|notice|note)\b|"
    r"\b(?:corrections?|corrigend(?:um|a)|errat(?:um|a))\W+(?:(?:no|nr)\W{1,2}\d+\W+)?(?:to|of) (?:the )?"
    r"(?:(?:final|full|clinical|study) )*(?:report\b|protocol\b|synopsis|(?:study|trial)(?=\W*\Z|\W+\S*\d)"
    r"|table\b|[A-Z]{2}[\w/-]*(?:\d|[-/]\w+[-/])\d(?![\w/]|-[a-z]))|"
    r"\bamendment\W+(?:(?:no|nr)?\W{0,2}\d+\W+)?(?:to|of) (?:the )?(?:(?:final|clinical|study) )*report\b"
)
"""How a correction is called, or an amendment that replaces what a report says."""
PROTOCOL_NUMBER = re.compile(
    r"\W*(?:clinical )?(?:study |trial )?protocol(?: (?:number|no|nr|code|id)\b\.?)?\W*"
    r"(?=[\w/.-]*\d)[\w/.-]+(?:\W+phase [\w/]+)?\W*",
    re.I,
)
"""A line that gives no more than the number of the protocol, as title pages of plans and of reports do."""
OF_REPORT = re.compile(
    r"(?!.*\b(?:will|due|planned|expected|draft|months|weeks)\b)"
    r"(?:.*\b(?:(?:clinical|study|trial|final|full|interim|technical|abbreviated) )+report\b|\W*report\b|"
    r".*\breport (?:date|number|no\b|issued|signed)|.*\bdate of (?:the )?report\b)",
    re.I,
)
RESULTS = re.compile(r"[#\W\d]*(?:results(?: and discussion)?|(?:discussion and )?conclusions?)\W*", re.I)
"""A line of a title page that calls a document a report, and a heading that only one has."""


@lru_cache(maxsize=65_536)
def is_correction(title: str, kind: str) -> bool:
    """Whether a document corrects another one, by its title or its kind."""
    return kind == "Correction" or re.search(CORRECTION, title, re.I) is not None


def tells_results(lines: Iterable[str]) -> bool:
    """Whether a document calls itself a report among its first lines, or heads its results."""
    written = [line for line in lines if line.strip() and len(line) <= TITLE_LINE]
    return any(map(OF_REPORT.match, written[:PAGE])) or any(map(RESULTS.fullmatch, written))
