"""Decomposition (DiscoVerse, section 2.2): simpler queries for each domain agent, by rules."""

from agents.archive.library import GENERAL, Library
from agents.archive.values import Classification, SubQuery


async def decompose(library: Library, classification: Classification) -> tuple[SubQuery, ...]:
    """One query for each search of each type, domain and molecule, in a stable order.

    The general type has none.
    """
    return tuple(
        SubQuery(domain, key, molecule, search.replace("{molecule}", molecule))
        for key in classification.question_types
        if key != GENERAL
        for domain in classification.domains
        for molecule in classification.molecules
        for search in library[key].queries.get(domain, ())
    )
