"""The clauses of a sentence."""

import re
from collections.abc import Iterator

CLAUSE = re.compile(
    r";|\b(?:but|whereas|while|although|however|though)\b|,\s(?=(?:and\s)?(?:at|the|on|in|with)\s)",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(
    r";|,\s(?=but\b|while\b|whereas\b|although\b)|\.\s|\bbut\b|\bwhereas\b|,\sand\s(?=(?:in|at|no)\s)",
    re.IGNORECASE,
)


def clause_span(text: str, place: int) -> tuple[int, int]:
    """Where the clause of a sentence around a place begins and ends."""
    ends = list(CLAUSE.finditer(text))
    start = max((match.end() for match in ends if match.end() <= place), default=0)
    return start, min((match.start() for match in ends if match.start() > place), default=len(text))


def clause(text: str, place: int) -> str:
    """The clause of a sentence around a place."""
    start, end = clause_span(text, place)
    return text[start:end]


def clauses(text: str) -> Iterator[tuple[int, str]]:
    """Clauses of a sentence with their places; what stands in brackets belongs to its clause."""
    start = 0
    depth_text = re.sub(r"\([^)]*\)", lambda m: m[0].replace(";", ",").replace(".", " "), text)
    for end in CLAUSE_END.finditer(depth_text):
        yield start, depth_text[start : end.start()]
        start = end.end()
    yield start, depth_text[start:]
