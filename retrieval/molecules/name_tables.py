"""Names that a table gives to one molecule: a row of a nomenclature sheet or a register, under heads such as
"Code", "INN" and "Former code".
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.markdown import BlockKind, blocks, cells, is_delimiter
from retrieval.molecules.aliases import PARTS, Alias, both_names
from retrieval.molecules.codes import code_key, is_code, is_unusual, may_be_generic

OTHER = re.compile(
    r"\b(?:INN|USAN|synonyms?|alias(?:es)?|(?:generic|non-?proprietary|international|common|lab(?:oratory)?"
    r"|other|former|previous|earlier|old|original|alternative) (?:\w+ ){0,2}"
    r"(?:names?|codes?|numbers?|designations?))\b",
    re.IGNORECASE,
)
"""Heads of columns that hold another name of what the row is about."""
CURRENT = re.compile(
    r"\b(?:codes?|compounds?|molecules?|drugs?|substances?|products?|(?:drug )?candidates?)\b", re.IGNORECASE
)
"""Heads of columns that hold the code of what the row is about."""

OF_OTHERS = re.compile(
    r"(?<![^\W_])(?:stud(?:y|ies)|protocols?|reports?|batch|lots?|sites?|documents?|assays?)(?![^\W_])", re.I
)
"""Words of heads whose codes are not those of molecules."""

_LIST = "names|codes|directory|nomenclature|register|registry|inventory|portfolio"
DIRECTORY = re.compile(
    rf"\b(?:compound|molecule|substance|candidate|drug)s? (?:{_LIST})\b|"
    rf"\b(?:{_LIST}) of (?:\w+ )?(?:compounds|molecules|substances|candidates|drugs)\b|"
    r"\bnaming sheet\b",
    re.IGNORECASE,
)
"""Titles of what lists the compounds of a house."""

MARKS = "*_ "
ASIDE = re.compile(r"\s*\([^()]*\)")
"""What is said of a name in its cell: "(to March 2019)"."""


def learn_from_tables(text: str) -> Iterator[Alias]:
    """The aliases that tables of names state, the row's code as the current name.

    What stands in the rows of two codes ("pending", "withdrawn") is the name of neither.
    """
    for table in _tables(text):
        yield from _aliases(table)


def listed_in_tables(text: str, title: str = "") -> Iterator[str]:
    """The codes that tables of names list, in whatever shape, also those that have no other name yet.

    In a directory of compounds, as its title says, every table with a column of codes is one.
    """
    for table in _tables(text, directory=DIRECTORY.search(title) is not None):
        if table.of_molecules:
            codes = (row[table.current].strip(MARKS) for row in table.rows)
            yield from (code for code in codes if is_unusual(code) or is_code(code))


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of names: its rows, the column of the code, and those of other names.

    `of_molecules` is False where the head of the codes' column is one of studies, batches or the like.
    """

    rows: Sequence[Sequence[str]]
    current: int
    others: Sequence[int]
    of_molecules: bool


def grids(text: str) -> Iterator[tuple[Sequence[str], list[Sequence[str]]]]:
    """The heads of each table of a text, and its rows of as many cells."""
    for block in blocks(text):
        lines = [text[start:end] for start, end in block.lines] if block.kind is BlockKind.TABLE else []
        if len(lines) > 2 and is_delimiter(lines[1]):
            heads = cells(lines[0])
            yield heads, [row for row in map(cells, lines[2:]) if len(row) == len(heads)]


def _tables(text: str, *, directory: bool = False) -> Iterator[_Table]:
    """The tables of a text that have a column of codes and, but in a `directory`, one of other names."""
    for heads, rows in grids(text):
        others = [i for i, head in enumerate(heads) if OTHER.search(head)]
        current = next((i for i, head in enumerate(heads) if i not in others and CURRENT.search(head)), None)
        if current is not None and (others or directory):
            yield _Table(rows, current, others, not OF_OTHERS.search(heads[current]))


def _aliases(table: _Table) -> Iterator[Alias]:
    named = [(row[table.current].strip(MARKS), row[place]) for row in table.rows for place in table.others]
    found = dict.fromkeys(
        (code, name)
        for code, cell in named
        for name in (part.strip(MARKS) for part in _parts(ASIDE.sub("", cell)))
        if (is_code(code) and both_names(code, name)) or (table.of_molecules and _unusual_pair(code, name))
    )
    times = Counter(code_key(name) for _, name in found)
    yield from (Alias(code, name) for code, name in found if times[code_key(name)] == 1)


def _parts(cell: str) -> list[str]:
    """The names in a cell; a slash inside a code ("KX/4471") parts none."""
    return [cell] if is_unusual(cell.strip(MARKS)) else PARTS.split(cell)


def _unusual_pair(code: str, name: str) -> bool:
    """Whether a row's code and its other name are both names, at least one in a shape that only such a table
    vouches for.
    """
    both = code, name
    return (
        any(map(is_unusual, both))
        and all(is_unusual(one) or is_code(one) or may_be_generic(one) for one in both)
        and code_key(code) != code_key(name)
    )
