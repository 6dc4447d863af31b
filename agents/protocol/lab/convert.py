"""Data files of other forms as plain tables: numbers without a head, and symbols of HGNC."""

import re
from collections.abc import Sequence

from agents.protocol.lab.tables import WrongInput, as_csv, cells_of, is_number, text_of

SYMBOLS = "hgnc_complete_set"
"""How the file of HGNC is called that has all genes."""
MOST_CLASSES = 6
Made = dict[str, bytes]
"""Plain tables by name."""


def converted(name: str, data: bytes) -> Made:
    """A file as plain tables, each with a head; itself where it is one. Raises `WrongInput`."""
    stem = re.split(r"\.(?:csv|tsv|txt)\b", name)[0]
    if name.startswith(SYMBOLS):
        return _hgnc(stem, text_of(name, data))
    rows = cells_of(text_of(name, data))
    return _without_head(stem, rows) if rows and all(map(is_number, rows[0])) else {name: data}


def _without_head(stem: str, rows: Sequence[tuple[str, ...]]) -> Made:
    """Numbers, a row for each sample; the last column is its class where it has few values."""
    classes = [row[-1] for row in rows]
    labelled = 1 < len({*classes}) <= MOST_CLASSES
    values = [row[:-1] if labelled else row for row in rows]
    samples = [f"sample{number}" for number in range(1, len(rows) + 1)]
    genes = [(f"V{number}", *one) for number, one in enumerate(zip(*values, strict=True), start=1)]
    made = {f"{stem}_expression.csv": as_csv(("id", *samples), genes)}
    if labelled:
        made[f"{stem}_samples.csv"] = as_csv(("sample", "class"), list(zip(samples, classes, strict=True)))
    return made


def _hgnc(stem: str, text: str) -> Made:
    """Ensembl ids and symbols of the complete set of HGNC."""
    head, *rows = (line.split("\t") for line in text.splitlines())
    places = [head.index(name) for name in ("ensembl_gene_id", "symbol") if name in head]
    if len(places) < 2:
        raise WrongInput(f"{stem} has no columns ensembl_gene_id and symbol.")
    pairs = [(row[places[0]], row[places[1]]) for row in rows if len(row) > max(places)]
    return {f"symbols_{stem}.csv": as_csv(("id", "symbol"), [one for one in pairs if one[0]])}
