"""The parts of a question that asks for several things, each as a question that can be read alone."""

import re

ASKS = r"(?:who|whom|whose|when|where|which|what|why|how|is|are|was|were|did|does|do|has|have|had|can|could)"
JOINT = re.compile(rf"(?:[?;]\s*(?:and\s+)?|,?\s+and\s+(?:also\s+)?)(?={ASKS}\b)", re.IGNORECASE)
MOST = 4
FEWEST_WORDS = 2


def parts_of(question: str) -> tuple[str, ...]:
    """The parts in the order asked; the question alone where it has one. "How old were they and who led it?"
    has two.
    """
    parts = [part.strip(" ?;,") for part in JOINT.split(question)]
    whole = [part for part in parts if part]
    if len(whole) < 2 or len(whole) > MOST or any(len(part.split()) < FEWEST_WORDS for part in whole):
        return (question,)
    if not re.match(rf"\W*(?:\w+\W+){{0,4}}{ASKS}\b", whole[0], re.IGNORECASE):
        return (question,)
    return tuple(f"{part}?" for part in whole)
