"""Numbers with their nouns, words as a list and texts cut short, as answers, tools and reports write them."""

from collections.abc import Sequence


def number_of(count: int, noun: str, several: str = "") -> str:
    """A number with its noun: "1 study", "3 studies", "2,400 genes"; `several` is an odd plural."""
    regular = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several or regular}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: "", "a", "a and b", "a, b and c"; `last` stands before the last one."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def shortened(text: str, limit: int) -> str:
    """The text, cut where it is over the limit of characters."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
