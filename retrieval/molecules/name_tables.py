"""Names that a table gives to one molecule: a row of a nomenclature sheet or a register, under heads such as
"Code", "INN" and "Former code".
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

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
    r"\b(?:stud(?:y|ies)|protocols?|reports?|batch|lots?|sites?|documents?|assays?)\b", re.I
)
"""Words of heads whose codes are not those of molecules."""

MARKS = "*_ "
ASIDE = re.compile(r"\s*\([^()]*\)")
"""What is said of a name in its cell: "(to March 2019)"."""


def learn_from_tables(text: str) -> Iterator[Alias]:
    """The aliases that tables of names state, the row's code as the current name.

    What stands in the rows of two codes ("pending", "withdrawn") is the name of neither.
    """
    for block in blocks(text):
        if block.kind is not BlockKind.TABLE:
            continue
        lines = [text[start:end] for start, end in block.lines]
        if len(lines) > 2 and is_delimiter(lines[1]):
            yield from _in_table(cells(lines[0]), [cells(line) for line in lines[2:]])


def _in_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Alias]:
    others = [place for place, head in enumerate(heads) if OTHER.search(head)]
    current = next((i for i, head in enumerate(heads) if i not in others and CURRENT.search(head)), None)
    if current is None or not others:
        return
    of_molecules = not OF_OTHERS.search(heads[current])
    named = [
        (row[current].strip(MARKS), row[place]) for row in rows if len(row) == len(heads) for place in others
    ]
    found = dict.fromkeys(
        (code, name)
        for code, cell in named
        for name in (part.strip(MARKS) for part in _parts(ASIDE.sub("", cell)))
        if (is_code(code) and both_names(code, name)) or (of_molecules and _unusual_pair(code, name))
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
