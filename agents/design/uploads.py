"""Molfiles and SDF that come with a message or stand in it, as SMILES among its words."""

import re
from collections.abc import Sequence

from agents.chemistry.molecule import read_sdf
from agents.errors import ChemistryError, WrongOrder

MOST = 10
"""Molecules of one message."""
_BLOCK = re.compile(
    r"(?m)^(?:[^\n]*\n){3}[ \d]{6}[^\n]*V[23]000[^\n]*\n[\s\S]*?^M  END[^\n]*(?:\n[\s\S]*?^\$\$\$\$[^\n]*)?"
)
"""A record: three lines of head, counts, atoms and bonds, and what an SDF tells of it."""


_MEANT = re.compile(
    r"\b(?:not like|unlike|like|from|avoid(?:ing)?|wie|von|anders als)"
    r"(?: (?:this|these|those|that|them|it))?\W*$",
    re.I,
)
"""Words at whose end molecules are meant as it stands there; else they are what is begun from."""


def with_files(text: str, contents: Sequence[str]) -> str:
    """The words of a message with the molecules of files. Raises `WrongOrder`."""
    told = ", ".join(map(smiles_in, contents))
    joined = " " if _MEANT.search(text) else "; from " if text else "try "
    return f"{text}{joined}{told}"


def smiles_in(content: str) -> str:
    """The molecules of a file, as SMILES after a comma. Raises `WrongOrder` for none, and for too many."""
    try:
        found = read_sdf(content.replace("\r\n", "\n").encode())
    except ChemistryError as error:
        raise WrongOrder(str(error)) from error
    if len(found) > MOST:
        raise WrongOrder(f"The file has {len(found)} molecules. Send up to {MOST} in one message.")
    return ", ".join(one.smiles for one in found)


def with_smiles(text: str) -> str:
    """A text in which pasted molfiles are SMILES. Raises `WrongOrder`."""
    return _BLOCK.sub(lambda found: f" {smiles_in(found[0])} ", text.replace("\r\n", "\n"))
