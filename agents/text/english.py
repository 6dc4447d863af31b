"""Which words are English."""

from functools import cache
from importlib.resources import files

DICTIONARY = "frequency_dictionary_en_82_765.txt"


@cache
def _dictionary() -> str:
    """A word of British or American English and its count in each line, of which the first is empty."""
    return "\n" + files("symspellpy").joinpath(DICTIONARY).read_text(encoding="utf-8-sig")


def is_english(word: str) -> bool:
    """Whether a word, or each part of it around hyphens, is one of English."""
    return all(f"\n{part} " in _dictionary() for part in word.casefold().split("-"))


def uses(word: str) -> int:
    """How often a collection of a trillion words of English uses a word; 0 where the list lacks it."""
    return int(_dictionary().partition(f"\n{word.casefold()} ")[2].partition("\n")[0] or 0)
