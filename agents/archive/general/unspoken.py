"""Whether any document writes or spells out the short forms of a question ("QT", "NOAEL")."""

import re
from collections.abc import Sequence

from agents.archive.general.candidates import CandidatePassage
from agents.archive.general.question import CODE, FactualQuestion
from agents.archive.general.words import stems, synonyms
from agents.archive.tools import ArchiveTools
from retrieval.values import Filters, SearchRequest

SHORT_FORM = re.compile(r"(?<![\w-])[a-z]*[A-Z][a-z]*[A-Z][A-Za-z]*(?![\w-])")


async def unspoken(
    tools: ArchiveTools, question: FactualQuestion, filters: Filters, candidates: Sequence[CandidatePassage]
) -> tuple[str, ...]:
    """The short forms of a question that no document says.

    Where only documents that the question names are searched, another one may speak of it.
    """
    if filters.doc_ids:
        return ()
    said = frozenset[str]().union(*(one.own | one.place | one.title for one in candidates))
    missing = []
    for word in dict.fromkeys(SHORT_FORM.findall(CODE.sub(" ", question.core))):
        single = word.removesuffix("s")
        spelt_out = any(single.casefold() in one.initials for one in candidates)
        spoken = spelt_out or not said.isdisjoint(frozenset[str]().union(*map(synonyms, stems(word))))
        if not (spoken or await tools.index.lexical(SearchRequest(single, filters, 1))):
            missing.append(word)
    return tuple(missing)
