"""Whether any document speaks of what is asked at all: by a word, its stem, a synonym, or spelt out.

Said only where it is plain: of a short form in capitals ("QT") that nothing writes or spells out, or where
all words that a question turns on are written nowhere, and one of them is no everyday word.
"""

from collections.abc import Iterable, Sequence

from agents.archive.general.candidates import CandidatePassage
from agents.archive.general.question import CODE, FactualQuestion
from agents.archive.general.words import LIGHT_STEMS, WORD, stems, synonyms
from agents.archive.spelling import english
from agents.archive.tools import ArchiveTools
from retrieval.values import Filters, SearchRequest

EVERYDAY = 5_000_000
"""Uses in books from which on a word may be the asker's own for a thing that documents call otherwise."""
FEWEST = 2
"""So many words must be missing: one alone may be the asker's own way to put it."""


async def unspoken(
    tools: ArchiveTools, question: FactualQuestion, filters: Filters, candidates: Sequence[CandidatePassage]
) -> tuple[str, ...]:
    """The words of a question that no document says, if nothing speaks of what it asks; else ().

    Where only documents that the question names are searched, another one may speak of it.
    """
    if filters.doc_ids:
        return ()
    asked = telling(question)
    said = frozenset[str]().union(*(one.own | one.place | one.title for one in candidates))
    missing = [word for word in asked if synonyms_of(word).isdisjoint(said)]
    missing = [word for word in missing if not await is_written(tools, word, filters)]
    short = [word for word in missing if is_short(word) and not spelt_out(word, candidates)]
    rare = any(english().get(word.casefold(), 0) < EVERYDAY for word in missing)
    plain = rare and FEWEST <= len(missing) == len(asked)
    return tuple(short or (missing if plain else ()))


def telling(question: FactualQuestion) -> list[str]:
    """The words that a question turns on, as they are written; names of documents and numbers do not tell."""
    words = dict.fromkeys(WORD.findall(CODE.sub(" ", question.core)))
    return [
        word for word in words if not any(map(str.isdigit, word)) and not LIGHT_STEMS.issuperset(stems(word))
    ]


def synonyms_of(word: str) -> frozenset[str]:
    """The stems that a word may be said by."""
    return frozenset().union(*map(synonyms, stems(word)))


async def is_written(tools: ArchiveTools, word: str, filters: Filters) -> bool:
    """Whether a document that is searched writes a word, in any of its forms."""
    return bool(await tools.index.lexical(SearchRequest(singular(word), filters, 1)))


def is_short(word: str) -> bool:
    """Whether a word is a short form: "QT", "NOAEL"."""
    return sum(map(str.isupper, word)) > 1


def singular(word: str) -> str:
    """A short form without the s of its plural ("SAEs")."""
    return word[:-1] if word.endswith("s") and word[:-1].isupper() else word


def spelt_out(word: str, candidates: Iterable[CandidatePassage]) -> bool:
    """Whether a passage writes out what a short form stands for."""
    return any(singular(word).casefold() in one.initials for one in candidates)
