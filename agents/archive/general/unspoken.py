"""Whether any document speaks of what a question asks about.

A notion of the field is only denied where none of its words (`words.toml`) stands anywhere. Of any other word
is only said that no document writes it, and only where it is a rare one, as names of things are, and the
encoder finds nothing near it: "go", "away" and "rest" belong to the question, "LLOQ" is "quantification".
"""

import re
from collections.abc import Iterator, Sequence

from agents.archive.general.candidates import CandidatePassage, stem_set
from agents.archive.general.question import CODE, METABOLITE, FactualQuestion
from agents.archive.general.search import FoundGenerally
from agents.archive.general.words import (
    ALIKE,
    STOPWORDS,
    VOCABULARY,
    names_any,
)
from agents.archive.tools import ArchiveTools
from agents.text.english import uses
from agents.text.words import stem
from retrieval.language import is_foreign
from retrieval.text.species import species_in
from retrieval.values import SearchRequest

NOTIONS = tuple(
    (stem_set(asked), f"{asked} {said}".split())
    for asked, _, said in (line.partition(":") for line in VOCABULARY["notions"].splitlines() if line)
)
"""By which stems a notion is asked for, and all words that speak of it."""

COMMON = 30_000_000
"""Uses of a word from which it is too common to be the name of a thing: "parrot" has 3 million, "go" 421."""
THING = re.compile(r"(?!\w*(?:ed|ly|ing|i[sz]e)$)[^\W\d_]{5,}")
"""A word that may name a thing: no short form, and not what is done or how."""
ROOT = 6
"""Letters that two words share which mean nearly the same: "quantification" and "quantifiable"."""

WHETHER = re.compile(r"\W*(?:was|were|is|are|did|does|do|has|have|had)\b", re.IGNORECASE)
MOST_READ = 300
"""Chunks that are looked through for a measure. Where half of them write it, more may: nothing is denied."""


async def unspoken(
    tools: ArchiveTools,
    question: FactualQuestion,
    found: FoundGenerally,
    candidates: Sequence[CandidatePassage],
) -> dict[str, list[str]]:
    """The words of a question of which no document speaks, each with the words that were searched for; with
    none where no document writes a word, and may speak of it in others.

    A question of whether there was a thing is told that no document writes it, even where one may mean it.

    Where only documents that the question names are searched, another one may speak of it.
    """
    if found.filters.doc_ids and not (found.molecules or found.names):
        return {}
    said = frozenset[str]().union(*(one.own | one.place | one.title for one in candidates))
    begun = {one[:ROOT] for one in said}
    missing = {}
    codes = ((code, [code, code.lower()]) for code in METABOLITE.findall(question.core))
    for word, forms in (*codes, *words_of(CODE.sub(" ", question.core))):
        meant = frozenset(ALIKE.get(stem(word.casefold()), ())).union(*(stem_set(form) for form in forms))
        request = SearchRequest(" ".join(forms), found.filters, 1)
        sure = len(forms) > 1 or WHETHER.match(question.core)
        search = tools.index.lexical if sure else tools.retriever.search
        if begun.isdisjoint(one[:ROOT] for one in meant) and not await search(request):
            missing[word] = forms if len(forms) > 1 else []
    notions = {word: forms for word, forms in missing.items() if forms}
    denied = notions or await of_other_species(tools, question, found)
    return denied or ({} if is_foreign(question.text) else missing)


async def of_other_species(
    tools: ArchiveTools, question: FactualQuestion, found: FoundGenerally
) -> dict[str, list[str]]:
    """The measures of a question of which documents tell of other species alone, with what was searched for.

    Only where each document that writes one is known to be about a species.
    """
    asked = {name for _, name in species_in(question.core)}
    missing = {}
    for names in question.measures if len(asked) == 1 else ():
        hits = await tools.index.lexical(SearchRequest(" ".join(names), found.filters, MOST_READ))
        read = await tools.index.found([chunk_id for chunk_id, _ in hits])
        about = [
            {*record.species, *(name for _, name in species_in(" ".join((*chunk.section, chunk.text))))}
            for chunk, record in read
            if names_any(f"{chunk.context} {chunk.text}", names)
        ]
        if 0 < len(about) < MOST_READ // 2 and all(about) and asked.isdisjoint(set().union(*about)):
            missing[f"{names[0]} ({', '.join(asked)})"] = [*names]
    return missing


def words_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """The words of a text that say something, each with all that speak of its notion, or else alone.

    Of a word with a hyphen or a number and of a short form nothing is said: documents write it in other ways.
    """
    for word in re.findall(r"[\w-]{2,}", text):
        named = stem(word.casefold())
        if word.casefold() not in STOPWORDS:
            said = [words for asked, words in NOTIONS if named in asked]
            alone = THING.fullmatch(word) and uses(word) < COMMON
            yield from ((word, words) for words in said or [[word]] * bool(alone))
