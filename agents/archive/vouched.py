"""The first lines of an answer that a model wrote: only what the words of the passages confirm opens it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.archive.values import Draft
from agents.evidence.values import Evidence
from agents.reports.brief import says
from agents.text.polarity import is_doubted, opposed
from agents.text.words import content_words, stems
from agents.trust.reworded import says_in_its_words
from agents.trust.values import SECOND, WRITER, Claim, Standing
from retrieval.text.sentences import split_sentences

UNVOUCHED = "No statement of this answer stands in its passages in the same words: read the sources."
"""The note on such an answer."""
NO_SENTENCE = "No sentence of the passages says it in the same words; what was made of them stands below."
"""Its first line, where no sentence can be quoted."""
LONGEST_QUOTE = 300
MOST_WORDS = 6
"""Words of a value that is no sentence: "15 mg b.i.d. (Phase I, multiple dose)"."""
_ASKS_WHETHER = re.compile(
    r"\W*(?:did|do|does|was|were|is|are|has|have|had|can|could|may|will|would|should)\b", re.IGNORECASE
)
_ITEMS = re.compile(r"[,;:()]|\band\b")
_VERDICT = re.compile(r"\A\s*(?:yes|no)\b\W*", re.IGNORECASE)


def opened(draft: Draft, claims: Sequence[Claim], evidence: Sequence[Evidence], question: str) -> Draft:
    """The draft with first lines that the passages' own words confirm: its own, else the confirmed claim that
    says most of them, else a sentence that was quoted for it.
    """
    confirmed = [one.text for one in claims if one.standing is Standing.CONFIRMED]
    known = stems("\n".join((*map(_all_of, evidence), "" if _ASKS_WHETHER.match(question) else question)))

    def stands(line: str) -> bool:
        said = _VERDICT.sub("", line)
        unsaid = (one for one in split_sentences(said) if not says_in_its_words(one, evidence))
        parts = (part for one in unsaid for part in _ITEMS.split(one) if part.strip(" ."))
        return all(_is_value(part, evidence, known) for part in parts) if said else bool(confirmed)

    words = content_words(f"{draft.short} {draft.headline}")
    nearest = max(confirmed, key=lambda text: len(words & content_words(text)), default=_quoted(claims))
    short = draft.short if stands(draft.short) else nearest
    return replace(draft, short=short, headline=draft.headline if stands(draft.headline) else short)


def is_unconfirmed(claims: Sequence[Claim]) -> bool:
    """Whether models alone judged all claims, and the words of the passages confirm none."""
    return bool(claims) and all(one.checked_by.endswith((WRITER, SECOND)) for one in claims)


def _quoted(claims: Sequence[Claim]) -> str:
    """The first sentence that was quoted for some claims."""
    quotes = (" ".join(quote.split()) for one in claims for quote in one.quotes)
    fit = (quote for quote in quotes if len(quote) <= LONGEST_QUOTE and not quote.startswith("|"))
    return next((f"“{quote}”" for quote in fit), NO_SENTENCE)


def _is_value(part: str, evidence: Sequence[Evidence], known: frozenset[str]) -> bool:
    """Whether some words are a value of a passage: a name or a few words as they stand there, or a number
    with words of the passages and the question.
    """
    words = content_words(part)
    if len(words) > MOST_WORDS:
        return False
    sentences = (sentence for one in evidence for sentence in split_sentences(one.text))
    stated = any(
        says(one, part) and not opposed(part, one) and is_doubted(part) == is_doubted(one)
        for one in sentences
    )
    return stated or (any(map(str.isdigit, part)) and words <= known)


def _all_of(one: Evidence) -> str:
    return "\n".join((one.text, one.title, one.context, one.around, one.study, *one.header, *one.subjects))
