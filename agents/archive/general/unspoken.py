"""Whether any document speaks of what a question asks about: its short forms ("QT"), or notions of the field.

A notion is only denied where none of its words (`words.toml`) stands anywhere; of others nothing is said.
"""

import re
from collections.abc import Iterator, Sequence

from agents.archive.general.candidates import CandidatePassage, stem_set
from agents.archive.general.question import CODE, FactualQuestion
from agents.archive.general.words import VOCABULARY, WORD, stem, stems, synonyms
from agents.archive.tools import ArchiveTools
from retrieval.values import Filters, SearchRequest

SHORT_FORM = re.compile(r"(?<![\w-])[a-z]*[A-Z][a-z]*[A-Z][A-Za-z]*(?![\w-])")
NOTIONS = tuple(
    (stem_set(asked), f"{asked} {said}".split())
    for asked, _, said in (line.partition(":") for line in VOCABULARY["notions"].splitlines() if line)
)
"""By which stems a notion is asked for, and all words that speak of it."""


async def unspoken(
    tools: ArchiveTools, question: FactualQuestion, filters: Filters, candidates: Sequence[CandidatePassage]
) -> dict[str, list[str]]:
    """The words of a question of which no document speaks, each with the words that were searched for.

    Where only documents that the question names are searched, another one may speak of it.
    """
    if filters.doc_ids:
        return {}
    said = frozenset[str]().union(*(one.own | one.place | one.title for one in candidates))
    text = CODE.sub(" ", question.core)
    missing = {}
    short = {word: [word.removesuffix("s")] for word in SHORT_FORM.findall(text)}
    for word, forms in {**dict(notions(text)), **short}.items():
        spelt_out = any(forms[0].casefold() in one.initials for one in candidates)
        meant = frozenset[str]().union(*(synonyms(one) for form in forms for one in stems(form)))
        found = spelt_out or not said.isdisjoint(meant)
        if not (found or await tools.index.lexical(SearchRequest(" ".join(forms), filters, 1))):
            missing[word] = forms
    return missing


def notions(text: str) -> Iterator[tuple[str, list[str]]]:
    """The words of a text that ask for a notion, with all words that speak of it."""
    for word in WORD.findall(text):
        yield from ((word, words) for asked, words in NOTIONS if stem(word.casefold()) in asked)
