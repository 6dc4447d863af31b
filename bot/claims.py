"""A claim that somebody wants to have checked."""


def claim_question(claim: str) -> str:
    """A claim as a question to the archive."""
    return f"What do our documents say about this claim, and do they support it: {claim}"
