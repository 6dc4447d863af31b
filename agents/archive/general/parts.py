"""The parts of a question that asks for several things: each of them is searched for besides the whole."""

import re

JOINT = re.compile(
    r"(?:[?;]|,(?:\s*(?:and|but))?|\s+and)\s+(?:also\s+)?(?=(?:(?:by|in|at|on|for|from|to|of|with|after) )?"
    r"(?:who|whom|whose|what|which|why|when|where|how|was|were|is|are|did|does)\b)",
    re.IGNORECASE,
)
MOST = 5


def parts_of(question: str) -> tuple[str, ...]:
    """The parts in the order asked; the question alone where it has one. "How old were they and who led it?"
    has two.
    """
    parts = [part.strip(" ?;,.") for part in JOINT.split(question)]
    whole = 2 <= len(parts) <= MOST and all(len(part.split()) > 1 for part in parts)
    return tuple(f"{part}?" for part in parts) if whole else (question,)
