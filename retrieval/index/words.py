"""What lexical search sees of a text: folded words, and codes however they are written.

Pure functions shared by every index, so that a query and a text are read in the same way.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence

from retrieval.molecules.codes import LOOSE, code_key

WORD = re.compile(r"[^\W_]+")
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
FUNCTION_WORDS = """
a about above after all also am an and any are as at be because been before being below between both but
by can could did do does doing down during each few for from further give given had has have having he
her here hers him his how i if in into is it its itself just list many may me might more most much must
my no nor not of off on once only or other our out over own please same say says shall she should show so
some such tell than that the their theirs them then there these they this those through to too under
until up upon us very was we were what when where whether which while who whom whose why will with would
you your
"""
STOP_WORDS = frozenset(FUNCTION_WORDS.split())
"""English words that carry no topic; a search for them would find everything."""


def fold(text: str) -> str:
    """Lower case, compatibility characters resolved (NFKC: both micro signs become one), one kind of dash."""
    return unicodedata.normalize("NFKC", text).translate(DASHES).lower()


def codes(text: str) -> tuple[str, ...]:
    """Codes in reading order, each as letters and digits only: "PX-1001", "PX 1001" -> "px1001"."""
    found = (code_key(match[0]) for match in LOOSE.finditer(fold(text)) if match[1] not in STOP_WORDS)
    return tuple(dict.fromkeys(found))


def terms(text: str) -> tuple[str, ...]:
    """Words of a query in order, none twice, without stop words and single letters."""
    words = (word for word in WORD.findall(fold(text)) if word not in STOP_WORDS)
    return tuple(
        dict.fromkeys(word for word in words if len(word) > 1 or word.isdigit() or not word.isascii())
    )


def rarest(frequencies: Mapping[str, int], chunks: int, most: int, postings: int) -> tuple[str, ...]:
    """The terms to search for: rarest first, at most `most`, in at most `postings` chunks.

    `frequencies` are numbers of chunks, of `chunks` in all. The rarest term may exceed `postings`, unless
    more than half of all chunks have it: BM25 gives it no weight then, but spends most of the time on it.
    """
    chosen: list[str] = []
    spent = 0
    for term, count in sorted(frequencies.items(), key=lambda item: (item[1], item[0])):
        if count == 0:
            continue
        spent += count
        if spent > postings and (chosen or 2 * count > chunks):
            break
        chosen.append(term)
    return tuple(chosen[:most])


def lucene_idf(containing: int, total: int) -> float:
    """Inverse document frequency of a word in `containing` of `total` chunks, as Lucene's BM25 has it.

    It is over 0 for every word, so that a common one still counts a little.
    """
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))


def fts5_idf(containing: int, total: int) -> float:
    """The same as FTS5's BM25 has it: next to nothing for a word in half of all chunks."""
    return max(math.log((total - containing + 0.5) / (containing + 0.5)), 1e-6)


def match_expression(phrases: Sequence[str]) -> str:
    """An FTS5 query for any of the phrases. Each is quoted, so nothing in it is read as syntax."""
    return " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)
