"""Words that tell names of molecules from other words and numbers: prefixes, stems, endings, salts.

The words stand in `lexicon.toml`.
"""

import re
import tomllib
from pathlib import Path

from retrieval.text.listed import words

_FILE = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))


def any_of(name: str) -> str:
    """A group that matches any of the expressions of a list of the file."""
    return f"(?:{'|'.join(_FILE[name])})"


NOT_PREFIXES = words(_FILE["not_prefixes"])
"""Prefixes of money, genes, cell lines, clinical scores, norms, registers, nuclides, and words that numbers
follow.
"""
HOUSE_PREFIXES = words(_FILE["house_prefixes"])
"""Letters before the numbers that pharmaceutical houses give to their compounds, in capitals."""
SALTS = any_of("salts")
STEM = re.compile(rf"[a-z]{{2,}}{any_of('stems')}")
"""Stems of international non-proprietary names (WHO stem book), at the end of a lower-case word."""
OTHERWISE = words(_FILE["otherwise"])
"""Words before a number that name something else."""
NOT_NAMES = OTHERWISE | words(_FILE["not_names"])
NOT_STEM = re.compile(rf"[a-z]*{any_of('not_stems')}")
"""Kinds of substances in cells, with endings that names of drugs have."""
ENGLISH_ENDING = re.compile(rf".*{any_of('english_endings')}")
NAME_ENDING = re.compile(rf".*{any_of('name_endings')}")
