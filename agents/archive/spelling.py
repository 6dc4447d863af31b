"""Misspelt words of a question, read as words that the documents near it use.

A word is only doubtful if neither a document nor English knows it. Names of molecules are resolved elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agents.text.english import is_english
from retrieval.molecules.codes import is_generic

WORD = re.compile(r"(?<![\w-])(?=\w{2}|\w+-)[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
LEAST_LETTERS, LONG = 4, 8
"""Shorter words are near to too many others; in long ones two slips are forgiven."""
SHORT_FORMS = re.compile(r"[^aeiouy]+|[a-z]{1,5}s?", re.IGNORECASE)
"""What may be an abbreviation of the field ("susar"): read as another word only for swapped letters."""


def words_in(text: str) -> Counter[str]:
    """The words of a text in small letters, and how often it uses them."""
    return Counter(word.casefold() for word in WORD.findall(text))


def doubtful_words(question: str) -> tuple[str, ...]:
    """Words of a question that may be misspelt: no abbreviations, no words of English, no names of drugs."""
    return tuple(
        dict.fromkeys(
            word
            for word in WORD.findall(question)
            if len(word) >= LEAST_LETTERS
            and not is_english(word)
            and not is_generic(word)
            and not any(letter.isupper() for letter in word[1:])
        )
    )


def corrections(unknown: Iterable[str], vocabulary: Mapping[str, int]) -> dict[str, str]:
    """How unknown words are read where a word of the documents is near."""
    return {word: read for word in unknown if (read := correction(word, vocabulary))}


def correction(word: str, vocabulary: Mapping[str, int]) -> str:
    """The word of the documents that a word was meant for: the nearest, and of those the one used most; ""
    where none is near.
    """
    written = word.casefold()
    slips = 2 if len(written) >= LONG else 1
    near = process.extract(written, vocabulary.keys(), scorer=OSA.distance, score_cutoff=slips, limit=None)
    meant = [(far, -vocabulary[known], known) for known, far, _ in near if may_be_meant(written, known)]
    read = min(meant)[2] if meant else ""
    return read.capitalize() if word[0].isupper() else read


def may_be_meant(written: str, known: str) -> bool:
    """Whether a slip may lead from a known word to a written one; an inflected form is no slip."""
    if len(known) < LEAST_LETTERS or known.rstrip("sed") == written.rstrip("sed"):
        return False
    swapped = sorted(written) == sorted(known)
    return swapped or (written[0] == known[0] and not SHORT_FORMS.fullmatch(written))


def corrected(question: str, made: Mapping[str, str]) -> str:
    """The question with its corrections."""
    for written, read in made.items():
        question = re.sub(rf"(?<![\w-]){re.escape(written)}(?![\w-])", read, question)
    return question


def note_of(made: Mapping[str, str]) -> str:
    """What the reader should know, in one sentence."""
    told = [f'"{written}" was read as "{read}"' for written, read in made.items()]
    return f"{', '.join(told)}." if told else ""
