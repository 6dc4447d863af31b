"""Structures of molecules that cited passages state as SMILES, so that a report can show them drawn.

Whether a SMILES is valid is found where it is drawn. Here only a text that is called one is taken, as it
stands in the passage.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.evidence.values import Citation
from agents.reports.values import Structure

_CALLED = re.compile(
    r"\bSMILES\b(?:[ \t]+(?:string|code|notation))?(?:[ \t]*[:=|][ \t]*|[ \t]+is[ \t]*[:=]?[ \t]*|[ \t]+)"
    r"[`\"“'|]?(?P<smiles>[A-Za-z0-9@+\-\[\]()\\/%=#$.:*~]{2,1000})"
)
_WRITTEN = re.compile(r"[()=#\[\]\d]|[BCNOPSFI]{2}")
"""What hardly any SMILES is without, and no word of a sentence has."""
_WRAPPED = re.compile(r"[`\"”'|]?[ \t]*\n[ \t]*(?=\S*[()=#@\[\]])[A-Za-z0-9@+\-\[\]()\\/%=#$.:*~]+(?:\s|$)")
"""A line that may go on with the SMILES above it: half of one can be another molecule."""


def stated_smiles(text: str) -> Iterator[str]:
    """Each SMILES that a text gives under that name; one that may be torn between two lines is left out."""
    for found in _CALLED.finditer(text):
        smiles = found["smiles"].rstrip(".:-")
        if _WRITTEN.search(smiles) and not _WRAPPED.match(text, found.end()):
            yield smiles


def stated_structures(citations: Iterable[Citation], molecules: Sequence[str]) -> tuple[Structure, ...]:
    """The structures that these passages state, each once, with the passage that states it.

    It is called by that of `molecules` which the passage names, or by the only one; else it has no name.
    """
    made: dict[str, Structure] = {}
    for one in citations:
        named = [name for name in molecules if name.casefold() in one.quote.casefold()] or molecules
        name = named[0] if len(named) == 1 else ""
        for smiles in stated_smiles(one.quote):
            made.setdefault(smiles, Structure(smiles, name, (one.number,)))
    return tuple(made.values())
