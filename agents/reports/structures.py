"""Structures of molecules that cited passages state as SMILES, so that a report can show them drawn.

Whether a SMILES is valid is found where it is drawn. Here only a text that is called one is taken, as it
stands in the passage.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.evidence.values import Citation
from agents.reports.values import Structure

_SMILES = r"(?:\[[^\[\]\s]{1,20}\]|Br|Cl|[BCNOPSFIbcnops]|%\d\d|[\d()=#+/\\.:~$*@-]){2,1000}"
_CALLED = re.compile(
    r"\bSMILES\b(?:[ \t]+(?:string|code|notation))?(?:[ \t]+(?:of|for)(?:[ \t]+[\w()-]+){1,5}?)?"
    r"(?P<says>[ \t]*[:=|][ \t]*|[ \t]+is[ \t]*[:=]?[ \t]*|[ \t]+)"
    rf"[`\"“'|]?(?P<smiles>{_SMILES})(?![A-Za-z0-9@\[\]()\\/%=#$*])"
)
_BONDED = re.compile(r"[()=#\[\]\d]")
"""What hardly any SMILES is without, and no word of a sentence has."""
_WRAPPED = re.compile(rf"[`\"”'|]?[ \t]*\n[ \t]*(?=\S*[()=#@\[\]]){_SMILES}(?:\s|$)")
"""A line that may go on with the SMILES above it: half of one can be another molecule."""
SHORTEST = 3
"""Letters of a SMILES that has nothing but letters ("CCO")."""


def stated_smiles(text: str) -> Iterator[str]:
    """Each SMILES that a text gives under that name; one that may be torn between two lines is left out."""
    for found in _CALLED.finditer(text):
        smiles = found["smiles"].rstrip(".:-")
        announced = bool(re.search("[:=|]", found["says"])) and len(smiles) >= SHORTEST
        if (_BONDED.search(smiles) or announced) and _whole(smiles) and not _WRAPPED.match(text, found.end()):
            yield smiles


def _whole(smiles: str) -> bool:
    """Whether a text has an atom and closes the brackets that it opens: "12)" and "3.5" are figures."""
    open_now = 0
    for letter in smiles:
        open_now += (letter in "([") - (letter in ")]")
        if open_now < 0:
            return False
    return open_now == 0 and any(letter.isalpha() for letter in smiles)


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
