"""What experts judged of drugs, classes and outcomes: pairs of a reference set, or cells of a table."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import WrongFile
from agents.vigilance.values import Effect

PAIRS = {"exposureName", "outcomeName", "groundTruth"}
CONTROLS = {"targetName", "outcomeName", "type"}
"""Negative controls as OHDSI publishes them: no pair of them is a cause."""
CELLS = {"drug_category", "outcome", "label"}
LABELS = {
    "increase": Effect.INCREASE,
    "decrease": Effect.DECREASE,
    "no-effect-verified": Effect.NO_EFFECT,
    "no-effect": None,
}
"""Labels of cells; "no-effect" alone was not verified and is not scored."""
TRUTH = {"1": Effect.INCREASE, "0": Effect.NO_EFFECT}


@dataclass(frozen=True, slots=True)
class Gold:
    """A drug or class, an outcome as written, and what experts judged; None where nothing is verified."""

    category: str
    outcome: str
    effect: Effect | None


def read_gold(path: Path) -> list[Gold]:
    """The judgements of a CSV file, or of all CSV files of a folder that have the columns of either form.

    Pairs have `exposureName`, `outcomeName`, `groundTruth` (1 causes it, 0 does not), cells have
    `drug_category`, `outcome`, `label`; negative controls have `targetName`,
    `outcomeName`, `type`. What is judged twice alike counts once.

    Raises:
        WrongFile: if nothing of either form is there.
    """
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    found = [one for file in files for one in _of_file(file)]
    if not found:
        raise WrongFile(
            f"{path} holds no judgements: a CSV file with {', '.join(sorted(PAIRS))}, or with "
            f"{', '.join(sorted(CELLS))}, is needed."
        )
    return list(dict.fromkeys(found))


def _of_file(file: Path) -> Iterator[Gold]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.DictReader(opened)
            columns = set(reader.fieldnames or ())
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise WrongFile(f"{file} cannot be read as CSV.") from error
    if columns >= PAIRS:
        yield from _pairs(file, rows)
    elif columns >= CELLS:
        yield from _cells(file, rows)
    elif columns >= CONTROLS:
        for row in rows:
            yield Gold(row["targetName"].strip(), row["outcomeName"].strip(), Effect.NO_EFFECT)


def _pairs(file: Path, rows: Sequence[dict[str, str]]) -> Iterator[Gold]:
    for row in rows:
        truth = row["groundTruth"].strip()
        if truth not in TRUTH:
            raise WrongFile(f"{file}: groundTruth is 1 or 0, not “{truth}”.")
        yield Gold(row["exposureName"].strip(), row["outcomeName"].strip(), TRUTH[truth])


def _cells(file: Path, rows: Sequence[dict[str, str]]) -> Iterator[Gold]:
    for row in rows:
        label = row["label"].strip().lower()
        if label not in LABELS:
            raise WrongFile(f"{file}: label is one of {', '.join(LABELS)}, not “{label}”.")
        yield Gold(row["drug_category"].strip(), row["outcome"].strip(), LABELS[label])
