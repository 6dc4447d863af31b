"""Which trait an association is about, where a study reports one and the catalog maps it to others.

The catalog maps a study of many traits to all of them, and then repeats each hit once a trait: one hit on HDL
stands in a dozen rows. What is in the p-value's remark ("(HDL)") or in the reported trait decides; where
neither names one of the mapped traits, the reported one is told, and not which of its traits it is.
"""

import re
from collections.abc import Sequence

Mapped = tuple[str, str]
"""A trait of the ontology and its id."""

_WORD = re.compile(r"[a-z0-9]+")
_SHORT = re.compile(r"\b[A-Z]{2,6}\b")
_SAYING_NOTHING = re.compile(
    r"measurements?|levels?|disease|disorders?|traits?|type|risk|factors?|interaction|plasma|serum|blood|and"
    r"|with|the|for|from|other|related"
)
_STEM = 5
"""So many letters of a word are compared: "triglyceride" and "triglycerides" are one."""


def meant(reported: str, remark: str, mapped: Sequence[Mapped]) -> tuple[tuple[Mapped, ...], bool]:
    """The traits that are meant, and whether it is open which of several.

    The reported trait has no id.
    """
    for said in (remark, reported):
        if found := tuple(one for one in mapped if _agree(said, one[0])):
            return found, False
    if not reported:
        return tuple(mapped), len(mapped) > 1
    return ((reported, ""),), len(mapped) > 1


def _agree(said: str, trait: str) -> bool:
    """Whether two names share a word, or one holds the initials of the other ("HDL")."""
    if _stems(said) & _stems(trait):
        return True
    initials = "".join(word[0] for word in _WORD.findall(trait.casefold()))
    return any(short.casefold() in initials for short in _SHORT.findall(said))


def _stems(name: str) -> set[str]:
    words = _WORD.findall(name.casefold())
    return {word[:_STEM] for word in words if len(word) > 2 and not _SAYING_NOTHING.fullmatch(word)}
