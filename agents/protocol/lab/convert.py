"""Data files of other forms as plain tables: ARFF, GEO DataSets (SOFT), and numbers without a head."""

import re
from collections.abc import Callable, Sequence

from agents.protocol.lab.tables import WrongInput, as_csv, cells_of, is_number, text_of

MOST_CLASSES = 6
Made = dict[str, bytes]
"""Plain tables by name."""


def converted(name: str, data: bytes) -> Made:
    """A file as plain tables, each with a head; itself where it is one. Raises `WrongInput`."""
    stem = re.split(r"\.(?:arff|soft|csv|tsv|txt)\b", name)[0]
    if name.endswith(".h5ad"):
        raise WrongInput(f"{name} cannot be read here: write its cells as a CSV file, genes in rows.")
    form = next((make for ending, make in FORMS.items() if ending in name), None)
    if form is not None:
        return form(stem, text_of(name, data))
    rows = cells_of(text_of(name, data))
    return _without_head(stem, rows) if rows and all(map(is_number, rows[0])) else {name: data}


def _arff(stem: str, text: str) -> Made:
    lines = [line.strip() for line in text.splitlines()]
    fields = [re.match(r"@attribute\s+('[^']*'|\S+)", line, re.I) for line in lines]
    begins = next((place for place, line in enumerate(lines) if line.lower() == "@data"), len(lines))
    rows = [
        tuple("" if cell.strip() == "?" else cell.strip() for cell in line.split(","))
        for line in lines[begins + 1 :]
        if line and not line.startswith("%")
    ]
    return {f"{stem}.csv": as_csv(tuple(one[1].strip("'") for one in fields if one), rows)}


def _soft(stem: str, text: str) -> Made:
    """A GEO DataSet: values, the subsets that describe its samples, and the symbols of its probes."""
    table = re.search(r"^!dataset_table_begin\n(.*?)^!dataset_table_end", text, re.M | re.S)
    if table is None:
        raise WrongInput(f"{stem} holds no values: give the full SOFT file of a DataSet (GDS).")
    head, *rows = (line.split("\t") for line in table[1].splitlines())
    samples, described = head[2:], dict[str, dict[str, str]]()
    for block in re.split(r"^\^", text[: table.start()], flags=re.M)[1:]:
        told = dict(re.findall(r"^!subset_(\w+) = (.*)$", block, re.M))
        for sample in told.get("sample_id", "").split(","):
            if sample:
                described.setdefault(told["type"], {})[sample] = told["description"]
    sheet = [(one, *(values.get(one, "") for values in described.values())) for one in samples]
    measured = [row for row in rows if all(map(is_number, row[2:]))]
    return {
        f"{stem}_expression.csv": as_csv(("id", *samples), [(row[0], *row[2:]) for row in measured]),
        f"{stem}_samples.csv": as_csv(("sample", *described), sheet),
        f"symbols_{stem}.csv": as_csv(("id", "symbol"), [(row[0], row[1]) for row in measured]),
    }


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


FORMS: dict[str, Callable[[str, str], Made]] = {".arff": _arff, ".soft": _soft}
