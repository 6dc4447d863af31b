"""Whether any document speaks of the notions of the field that a question asks about.

A notion is only denied where none of its words (`words.toml`) stands anywhere; of others nothing is said.
"""

from collections.abc import Iterator, Sequence

from agents.archive.general.candidates import CandidatePassage, stem_set
from agents.archive.general.question import CODE, FactualQuestion
from agents.archive.general.search import FoundGenerally
from agents.archive.general.words import VOCABULARY, WORD, stem, stems, synonyms
from agents.archive.tools import ArchiveTools
from retrieval.values import SearchRequest

NOTIONS = tuple(
    (stem_set(asked), f"{asked} {said}".split())
    for asked, _, said in (line.partition(":") for line in VOCABULARY["notions"].splitlines() if line)
)
"""By which stems a notion is asked for, and all words that speak of it."""


async def unspoken(
    tools: ArchiveTools,
    question: FactualQuestion,
    found: FoundGenerally,
    candidates: Sequence[CandidatePassage],
) -> dict[str, list[str]]:
    """The words of a question of which no document speaks, each with the words that were searched for.

    Where only documents that the question names are searched, another one may speak of it.
    """
    if found.filters.doc_ids and not found.molecules:
        return {}
    said = frozenset[str]().union(*(one.own | one.place | one.title for one in candidates))
    missing = {}
    for word, forms in notions(CODE.sub(" ", question.core)):
        meant = frozenset[str]().union(*(synonyms(one) for form in forms for one in stems(form)))
        request = SearchRequest(" ".join(forms), found.filters, 1)
        if said.isdisjoint(meant) and not await tools.index.lexical(request):
            missing[word] = forms
    return missing


def notions(text: str) -> Iterator[tuple[str, list[str]]]:
    """The words of a text that ask for a notion, with all words that speak of it."""
    for word in WORD.findall(text):
        yield from ((word, words) for asked, words in NOTIONS if stem(word.casefold()) in asked)
