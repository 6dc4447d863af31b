"""Which identifiers of a clause may own its values: molecules, studies and animals do. A molecule's target, a
quarter of a year and a measure do not.
"""

import re
from collections.abc import Iterable

from agents.trust.identifiers import Word
from agents.trust.lines import series

_ROLE = re.compile(
    r"(?:\s(?:receptor|selective|inverse|partial|full|channel|kinase))*[\s-](?:(?:ant)?agonis[tm]s?|inhibitors?|inhibition"
    r"|blockers?|modulators?|activators?|degraders?|receptors?(?!\soccupancy)|channels?|genes?|enzymes?|mRNA"
    r"|mutations?)\b",
    re.IGNORECASE,
)
"""Behind the name of a target."""
_ROLE_OF = re.compile(
    r"\b(?:antagonist|agonist|inhibitor|blocker|modulator|activator|degrader|inhibition|blockade)s?\s(?:of|at)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
"""Before the name of a target."""
_NO_OWNER = re.compile(r"Q[1-4]|[EIGCTL][CDI]\d0")
"""A quarter, and measures such as TC50 and LD50."""


def may_own(text: str, word: Word, known: Iterable[str]) -> bool:
    """Whether an identifier of a text may be what a value is of. `known` are names of molecules, whose series
    name molecules too.
    """
    if series(word.text) in map(series, known):
        return True
    target = _ROLE.match(text, word.end) or _ROLE_OF.search(text[: word.start])
    return not target and not _NO_OWNER.fullmatch(word.text)
