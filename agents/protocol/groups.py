"""The design of a study by rules: from a table of samples at hand, else from the words of the request."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from agents.protocol.lab.tables import Table, known
from agents.protocol.study import Group, Study
from agents.protocol.tables import EVENT, TIME, alike
from agents.protocol.values import DataFile, Dataset, Objective
from agents.text.quantities import parse_quantities

REFERENCE = re.compile(
    r"^(?:no|none|negative|0)\b|(?:^|[\W_])(?:controls?|ctrl|untreated|normal|healthy|wild.?type|wt|placebo"
    r"|vehicle|baseline|mock|dmso)\b",
    re.IGNORECASE,
)
GROUPING = re.compile(
    r"group|condition|dex|treat|status|disease|class|type|genotype|phenotype|response|state|outcome", re.I
)
BLOCKS = re.compile(
    r"patient|donor|subject|individual|pair|batch|litter|cell.?(?:type|line)|block|library|^type$", re.I
)
MOST_LEVELS = 8
ADJUSTED = re.compile(r"\badjust|\bcovaria|\bmultivaria", re.IGNORECASE)
WORD = re.compile(r"(?!yes$|not?$|none$|unknown$)[a-z]\w{2}", re.IGNORECASE)
"""A value that a text can name."""
_COUNTED = re.compile(
    r"(?P<n>\d{1,4})\s(?P<one>[\w-]+(?:\s[\w-]+){0,2}?)(?:\sand\s|,\s|\s(?:versus|vs\.?|against)\s)"
    r"(?P<m>\d{1,4})\s(?P<other>[\w-]+)"
)
_BETWEEN = (
    re.compile(
        r"\bbetween (?P<one>[\w\s-]{3,40}?) and (?P<other>[\w\s-]{3,40}?)"
        r"(?=[.,;?]|\s(?:in|of|from|by|with)\b|$)"
    ),
    re.compile(
        r"(?P<one>[\w-]+(?:\s[\w-]+)?) (?:versus|vs\.?|compared (?:with|to)) (?P<other>[\w-]+(?:\s[\w-]+)?)"
    ),
)
_PAIRED = re.compile(
    r"\b(?:(?:paired|matched|pairs?)(?: design)? (?:by|within|per)|(?:of|from) the same)\s(?P<by>[\w-]+)"
    r"|\b(?:paired (?:design|samples)|in pairs|(?P<litter>litter)mates?|before and after|adjacent normal)\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"^(?:h|hr|hours?|min|minutes?|d|days?|weeks?|months?)$", re.IGNORECASE)
_DOSE = re.compile(r"^(?:[mµunp]?g/(?:kg|m[lL]|L)|[mµunp]M)$")
Says = Callable[[str], bool]
"""Whether a text names something."""


def study_of(objective: Objective, datasets: Sequence[Dataset]) -> Study:
    """The design of a question; without groups where neither a table nor the words tell them."""
    says = partial(mentions, objective.whole)
    files = [file for one in datasets if one.usable for file in one.files]
    sheets = [Table(one.name, one.columns, one.cells) for one in files if one.kind == "samples"]
    best = max((column_of(one, says)[0] for one in sheets), default=0)
    sheet = next((one for one in sheets if best and column_of(one, says)[0] == best), None)
    followed = next((one for one in files if one.kind == "survival"), None)
    amounts = parse_quantities(objective.whole)
    by_words = _followed(followed, objective) if followed else _in_words(objective)
    return replace(
        _in_table(sheet, says) if sheet else by_words,
        times=tuple(dict.fromkeys(one.text for one in amounts if _TIME.match(one.unit))),
        doses=tuple(dict.fromkeys(one.text for one in amounts if _DOSE.match(one.unit))),
    )


def mentions(text: str, word: str) -> bool:
    """Whether a text names something; an underscore is a blank as well."""
    pattern = re.escape(word).replace("_", "[ _]")
    return bool(re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE))


def column_of(table: Table, says: Says) -> tuple[int, str]:
    """The column of a table of samples whose groups are most likely meant, after how likely that is; 0 and ""
    where none is.
    """
    found = [(0, "")]
    for column in table.columns:
        levels = table.levels(column)
        if 2 <= len(levels) <= min(MOST_LEVELS, len(table.rows) - 1):
            told = 2 * sum(map(says, levels)) + 2 * says(column)
            usual = 2 * any(map(REFERENCE.search, levels))
            found.append((told + usual + bool(GROUPING.search(column)), column))
    return max(found, key=lambda pair: pair[0])


def two_of(levels: Sequence[str], says: Says, reference: str = "", other: str = "") -> tuple[str, str]:
    """The reference among some groups, and the group that is compared with it, where they are not given."""
    usual = [one for one in levels if REFERENCE.search(one) and one != other]
    reference = reference or next(iter(usual or [one for one in sorted(levels) if one != other]))
    rest = [one for one in levels if one != reference]
    return reference, other or next(iter([one for one in rest if says(one)] or rest))


def block_of(table: Table, column: str, levels: Sequence[str], says: Says) -> str:
    """The column within which groups are compared: of patients, pairs or batches, each with samples of all
    groups; "" for none.
    """
    groups = table.column(column)

    def crossed(name: str) -> bool:
        values = table.column(name)
        found = [
            {block for block, one in zip(values, groups, strict=True) if one == level} for level in levels
        ]
        return len(found[0]) > 1 and all(one == found[0] for one in found) and all(map(known, found[0]))

    fit = (one for one in table.columns if one != column and (BLOCKS.search(one) or says(one)))
    return next(filter(crossed, fit), "")


def _in_table(table: Table, says: Says) -> Study:
    """The design of a table of samples, whose groups are two values of its most likely column."""
    column = column_of(table, says)[1]
    levels, values = two_of(table.levels(column), says), table.column(column)
    groups = tuple(Group(one, values.count(one)) for one in levels)
    block = block_of(table, column, levels, says)
    paired = bool(block) and {one.samples for one in groups} == {len(table.levels(block))}
    return Study(groups, block, paired, column=column)


def _followed(table: DataFile, objective: Objective) -> Study:
    """The design on a table of survival: times, event and other variables that the request names, and the
    column whose name or values stand in the objective.
    """
    asked = partial(mentions, objective.text)
    named = [one for one in table.columns if mentions(objective.whole, one)]
    time = next(filter(TIME.search, named), "")
    event = next(filter(EVENT.search, alike(named, time)), "")
    also = [text for text in objective.requirements if ADJUSTED.search(text)]
    adjusted = [one for one in named if any(mentions(text, one) for text in also)]
    free = [one for one in table.levels if one[0] not in (time, event, *adjusted)]
    told = [(asked(column) + any(map(asked, filter(WORD.match, levels))), column) for column, levels in free]
    best, column = max(told, key=lambda one: one[0], default=(0, ""))
    levels = dict(free)[column] if best else ()
    groups = sorted(levels, key=lambda one: not REFERENCE.search(one))
    return Study(
        tuple(map(Group, groups)),
        column=column if best else "",
        time=time if event else "",
        event=event if time else "",
        adjusted=tuple(one for one in adjusted if one not in (time, event)),
    )


def _in_words(objective: Objective) -> Study:
    groups = next(_counted(objective.whole), next(_named(objective.text), ()))
    found = _PAIRED.search(objective.whole)
    return Study(groups, (found["by"] or found["litter"] or "subject").lower() if found else "", bool(found))


def _counted(text: str) -> Iterator[tuple[Group, ...]]:
    """Groups with their sizes ("12 treated and 12 vehicle"), one of which is a reference."""
    for found in _COUNTED.finditer(text):
        one, other = Group(found["one"], int(found["n"])), Group(found["other"], int(found["m"]))
        if parse_quantities(f"{other.samples} {other.name}"):
            continue
        if REFERENCE.search(one.name) or REFERENCE.search(other.name):
            yield (one, other) if REFERENCE.search(one.name) else (other, one)


def _named(text: str) -> Iterator[tuple[Group, ...]]:
    """The reference and the other group, by words between them; of "A versus B" B is the reference."""
    for found in filter(None, (pattern.search(text) for pattern in _BETWEEN)):
        one, other = Group(found["one"].strip()), Group(found["other"].strip())
        yield (one, other) if REFERENCE.search(one.name) else (other, one)
