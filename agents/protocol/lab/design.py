"""Which samples a task compares: the table of values, the table that describes its samples, the two groups,
and the blocks (pairs, batches) within which they are compared.

What the task does not name is taken from the tables, and a note says so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from agents.protocol.lab.tables import Table, WrongInput, as_csv, known, named

SAMPLES = "samples.csv"
"""The table that programs read: sample, group, and block where there are any."""
GROUPS = re.compile(
    r"group|condition|treat|status|disease|class|type|genotype|phenotype|response|state|outcome", re.I
)
BLOCKS = re.compile(
    r"patient|donor|subject|individual|pair|batch|cell.?(type|line)|block|library|^type$", re.I
)
REFERENCE = re.compile(
    r"(control|ctrl|untreated|normal|healthy|wild.?type|wt|placebo|vehicle|baseline|mock|none|no|negative|dmso|0)\b",
    re.I,
)
LEAST_SAMPLES = 2
MOST_LEVELS = 8


@dataclass(frozen=True, slots=True)
class Given:
    """What a task has: its tables by name, files of gene sets, its text, and what it asks for by name."""

    tables: Mapping[str, Table]
    sets: tuple[str, ...]
    text: str
    asked: Mapping[str, str]

    def mentions(self, word: str) -> bool:
        """Whether the text names something."""
        return bool(re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", self.text.lower()))


@dataclass(frozen=True, slots=True)
class Design:
    """A comparison. `table` is `SAMPLES` as a file."""

    values: Table
    samples: Table
    reference: str
    other: str
    table: bytes
    notes: tuple[str, ...]


def compared(given: Given) -> Design:
    """The comparison that a task asks for. Raises `WrongInput`."""
    values, samples, ids = _matched(given)
    column = given.asked.get("group") or _group(given, samples, ids)
    groups = dict(zip(ids, samples.column(column), strict=True))
    reference, other = _levels(given, samples, column)
    block = _block(given, samples, column, (reference, other))
    kept = [one for one in ids if groups[one] in (reference, other)]
    for level in (reference, other):
        if (count := sum(groups[one] == level for one in kept)) < LEAST_SAMPLES:
            raise WrongInput(f"The group {level!r} has {count} samples; a comparison needs {LEAST_SAMPLES}.")
    blocks = dict(zip(ids, samples.column(block), strict=True)) if block else {}
    if blocks:
        _check_blocks(block, [(groups[one], blocks[one]) for one in kept])
    rows = [(one, groups[one], *((blocks[one],) if blocks else ())) for one in kept]
    columns = ("sample", "group", "block") if blocks else ("sample", "group")
    left = [level for level in samples.levels(column) if level not in (reference, other)]
    notes = [f"{other} is compared with {reference} (column {column} of {samples.name})."]
    notes += [f"The comparison is within {block}."] if block else []
    notes += [f"Samples of {named(left)} are left out."] if left else []
    return Design(values, samples, reference, other, as_csv(columns, rows), tuple(notes))


def _matched(given: Given) -> tuple[Table, Table, tuple[str, ...]]:
    """The table of values, that of its samples, and the samples' names as columns of the first."""
    pairs = [
        (sum(one in values.columns[1:] for one in ids), values, samples, ids)
        for values in given.tables.values()
        for samples in given.tables.values()
        if values is not samples and len(values.columns) > LEAST_SAMPLES
        for ids in _names(samples)
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best is None or best[0] < LEAST_SAMPLES:
        raise WrongInput(
            "No table describes the samples: one with a row for each sample, and a column that holds the "
            "names at the head of the table of values. "
            f"There are {named(list(given.tables)) or 'no tables'}."
        )
    _, values, samples, ids = best
    if missing := [one for one in ids if one not in values.columns[1:]]:
        raise WrongInput(f"{samples.name} describes {named(missing)}, which {values.name} has no column for.")
    if extra := [one for one in values.columns[1:] if one not in ids]:
        raise WrongInput(f"{values.name} has columns that {samples.name} does not describe: {named(extra)}.")
    if len({*ids}) < len(ids):
        raise WrongInput(f"{samples.name} describes a sample twice.")
    return values, samples, ids


def _names(samples: Table) -> Iterator[tuple[str, ...]]:
    """Columns that may hold names of samples; also without an ending that all names share."""
    for column in samples.columns:
        ids = samples.column(column)
        yield ids
        if ending := len(commonprefix([one[::-1] for one in ids])):  # noqa: RUF071 - names, not paths
            yield tuple(one[:-ending] for one in ids)


def _group(given: Given, samples: Table, ids: Sequence[str]) -> str:
    """The column whose groups are most likely meant."""

    def weight(column: str) -> int:
        levels = samples.levels(column)
        told = 2 * sum(given.mentions(level) for level in levels) + 2 * given.mentions(column)
        return told + 2 * any(REFERENCE.match(level) for level in levels) + bool(GROUPS.search(column))

    fit = [
        column
        for column in samples.columns
        if samples.column(column) != tuple(ids) and 2 <= len(samples.levels(column)) <= MOST_LEVELS
    ]
    best = max(fit, key=weight, default="")
    if not best or not weight(best):
        raise WrongInput(
            f"It is not said which groups of samples are compared. {samples.name} has "
            f"{named(samples.columns)}: name the column and two of its values."
        )
    return best


def _levels(given: Given, samples: Table, column: str) -> tuple[str, str]:
    """The reference, and the group that is compared with it."""
    levels = samples.levels(column)
    for asked in filter(None, (given.asked.get("reference"), given.asked.get("other"))):
        if asked not in levels:
            raise WrongInput(f"{column} of {samples.name} is never {asked!r}. It is {named(levels)}.")
    other = given.asked.get("other", "")
    usual = [level for level in levels if REFERENCE.match(level) and level != other]
    reference = given.asked.get("reference") or next(
        iter(usual or [one for one in sorted(levels) if one != other])
    )
    told = [level for level in levels if level != reference and given.mentions(level)]
    return reference, other or next(iter(told or [level for level in levels if level != reference]))


def _block(given: Given, samples: Table, group: str, levels: tuple[str, str]) -> str:
    """The column within which groups are compared: the one that is asked for, else one of patients, pairs or
    batches each of which has samples of both groups.
    """
    if (asked := given.asked.get("block", "")) and asked.lower() not in ("none", "no"):
        samples.column(asked)
        return asked
    groups = samples.column(group)

    def in_both(column: str) -> bool:
        values = samples.column(column)
        found = [
            {block for block, one in zip(values, groups, strict=True) if one == level} for level in levels
        ]
        return found[0] == found[1] and len(found[0]) > 1 and all(map(known, found[0]))

    fit = (one for one in samples.columns if one != group and (BLOCKS.search(one) or given.mentions(one)))
    return "" if asked else next(filter(in_both, fit), "")


def _check_blocks(block: str, pairs: Sequence[tuple[str, str]]) -> None:
    """Raises `WrongInput` where groups and blocks cannot be told apart."""
    blocks = {one for _, one in pairs}
    shared = [one for one in blocks if len({group for group, other in pairs if other == one}) == 2]
    if not shared:
        raise WrongInput(
            f"No value of {block} has samples of both groups: it cannot be told from the groups."
        )
    if len(pairs) - len(blocks) < 2:
        raise WrongInput(f"There are too few samples for {len(blocks)} values of {block}: leave it out.")
