"""The parts of a text that stand or fall by themselves, and what of a text stands."""

import re
from collections.abc import Callable
from functools import partial

_ABBREVIATED = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms|St|No|Nos|Nr|Fig|Tab|vs|cf|ca|approx|et al)\.\Z")
_ASIDE = re.compile(r"(?P<before>\s?)\((?P<inside>[^()]*)\)")
_RETOLD = re.compile(
    r", (?:that is|i\.e\.|which (?:is|means)|equivalent to|meaning),? [^,;()]*?(?=[.;]?\s*\Z)"
)
"""The same told in another way, behind a comma at the end of a clause: "a ratio of 0.12, that is 88% lower".
Without the comma it may be what limits the clause ("at an exposure that is 12-fold lower").
"""
_CLAUSE = re.compile(r";\s+|\n+|(?<=[a-z0-9)%][.!?])\s+(?=[A-ZÀ-Þ])")

_BACK = re.compile(r"(?:its?|the(?:y|ir|m|se)|this|those|both|such)\b")
"""How a clause behind a semicolon begins that is not understood without the one before."""


def clauses(text: str) -> list[str]:
    """The parts of a text that stand or fall by themselves: sentences, and what semicolons part outside
    brackets. Joined, they are the text.
    """
    found, start = [], 0
    for match in _CLAUSE.finditer(text):
        before = text[: match.start()]
        if _ABBREVIATED.search(before) and match[0].isspace():
            continue
        if before.count("(") + before.count("[") > before.count(")") + before.count("]"):
            continue
        found.append(text[start : match.end()])
        start = match.end()
    return [*found, text[start:]]


def carried_part(text: str, stands: Callable[[str], bool]) -> str:
    """What of a text stands: its clauses that do, of the others what is left without asides that do not.

    What refers to a clause that fell falls with it. An aside is what stands in brackets, each of its parts
    between commas by itself, or what tells the clause again at its end.
    """
    if stands(text):
        return text
    kept, cut = [], False
    for clause in clauses(text):
        if cut and _BACK.match(clause):
            continue
        part = clause if stands(clause) else _ASIDE.sub(partial(_standing_aside, stands), clause)
        part = part if stands(part) else _RETOLD.sub("", part)
        cut = not (stands(part) and (part == clause or re.search(r"\w", _ASIDE.sub("", part))))
        kept += [part] * (not cut)
    return "".join(kept).strip("; \n")


def _standing_aside(stands: Callable[[str], bool], aside: re.Match[str]) -> str:
    parts = [part for part in re.split(r"(?<=[,;])\s", aside["inside"]) if stands(part.strip(",; "))]
    inside = " ".join(parts).strip(",; ")
    return f"{aside['before']}({inside})" if inside else ""
