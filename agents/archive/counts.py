"""Numbers with their nouns, as answers and tools write them."""


def number_of(count: int, noun: str) -> str:
    """A number with its noun: "1 study", "3 studies"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"
