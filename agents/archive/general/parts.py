"""The parts of a question that asks for several things: each of them is searched for besides the whole."""

from agents.archive.classify import CLAUSE

MOST = 5


def parts_of(question: str) -> tuple[str, ...]:
    """The parts in the order asked; the question alone where it has one. "How old were they and who led it?"
    has two.
    """
    parts = [part.strip(" ?;,.") for part in CLAUSE.split(question)]
    whole = 2 <= len(parts) <= MOST and all(len(part.split()) > 1 for part in parts)
    return tuple(f"{part}?" for part in parts) if whole else (question,)
