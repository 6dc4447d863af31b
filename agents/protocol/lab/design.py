"""Which samples a task compares: the table of values, the table that describes its samples, the two groups,
and the blocks (pairs, batches) within which they are compared.

What the task does not name is taken from the tables, and a note says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from agents.protocol.groups import block_of, column_of, mentions, two_of
from agents.protocol.lab.tables import Table, WrongInput, as_csv, named

SAMPLES = "samples.csv"
"""The table that programs read: sample, group, and block where there are any."""
LEAST_SAMPLES = 2


@dataclass(frozen=True, slots=True)
class Given:
    """What a task has: its tables by name, files of gene sets, its text, and what it asks for by name."""

    tables: Mapping[str, Table]
    sets: tuple[str, ...]
    text: str
    asked: Mapping[str, str]

    def mentions(self, word: str) -> bool:
        """Whether the text names something."""
        return mentions(self.text, word)


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
    column = given.asked.get("group") or _group(given, samples)
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


def _group(given: Given, samples: Table) -> str:
    """The column whose groups are most likely meant."""
    if column := column_of(samples, given.mentions)[1]:
        return column
    raise WrongInput(
        f"It is not said which groups of samples are compared. {samples.name} has "
        f"{named(samples.columns)}: name the column and two of its values."
    )


def _levels(given: Given, samples: Table, column: str) -> tuple[str, str]:
    """The reference, and the group that is compared with it."""
    levels, asked = samples.levels(column), [given.asked.get(one, "") for one in ("reference", "other")]
    for one in filter(None, asked):
        if one not in levels:
            raise WrongInput(f"{column} of {samples.name} is never {one!r}. It is {named(levels)}.")
    if len(levels) < 2:
        raise WrongInput(f"{column} of {samples.name} makes no groups: it is {named(levels)} everywhere.")
    return two_of(levels, given.mentions, *asked)


def _block(given: Given, samples: Table, group: str, levels: tuple[str, str]) -> str:
    """The column within which groups are compared: the one that is asked for, else one that fits."""
    asked = given.asked.get("block", "")
    if asked.lower() in ("none", "no"):
        return ""
    if asked:
        samples.column(asked)
    return asked or block_of(samples, group, levels, given.mentions)


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
