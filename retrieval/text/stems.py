"""Words without their inflection, by Porter's algorithm (1980), as SQLite and Elasticsearch stem them too."""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

_LOCK = Lock()  # a stemmer keeps the word that it works on


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case word: "doses", "dosed" and "dosing" -> "dose"."""
    with _LOCK:
        return str(_porter().stemWord(word))


@cache
def _porter() -> Any:
    import snowballstemmer  # every language's stemmer comes with it

    return snowballstemmer.stemmer("porter")
