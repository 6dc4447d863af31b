"""Numbers with their nouns, as answers, tools and reports write them."""


def number_of(count: int, noun: str, several: str = "") -> str:
    """A number with its noun: "1 study", "3 studies", "2,400 genes"; `several` is an odd plural."""
    regular = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several or regular}"
