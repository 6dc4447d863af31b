"""Words without their inflection, by Porter's algorithm (1980), as SQLite and Elasticsearch stem them too."""

from functools import lru_cache
from threading import Lock

import snowballstemmer

_PORTER = snowballstemmer.stemmer("porter")
_LOCK = Lock()  # a stemmer keeps the word that it works on


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case word: "doses", "dosed" and "dosing" -> "dose"."""
    with _LOCK:
        return str(_PORTER.stemWord(word))
