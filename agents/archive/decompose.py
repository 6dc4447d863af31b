"""Decomposition (DiscoVerse, section 2.2): simpler, more detailed queries for each domain agent, by
predefined rules.
"""

from agents.archive.library import GENERAL, Library
from agents.archive.values import Classification, SubQuery


async def decompose(library: Library, classification: Classification) -> tuple[SubQuery, ...]:
    """One query per search rule of each type, domain and molecule, in a stable order. The general type has
    none.
    """
    return tuple(
        SubQuery(domain, key, molecule, search.replace("{molecule}", molecule))
        for key in classification.question_types
        if key != GENERAL
        for domain in classification.domains
        for molecule in classification.molecules
        for search in library[key].queries.get(domain, ())
    )
