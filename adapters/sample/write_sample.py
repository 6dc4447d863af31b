"""Cuts the sample out of whole files: `python -m adapters.sample.write_sample FOLDER`.

FOLDER holds the databases' files and files of labels, as `pestle sources load` takes them, under any names.
Lines are copied as they are: those of `TARGETS`, of the drugs of `LABELS` and of the products of `CLASSES`.
"""

import csv
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from adapters.sample import FOLDER
from adapters.sources.lines import head, lines, pieces
from agents.databases.bulk_format import BulkFormat
from agents.databases.fields import text
from agents.databases.label_format import objects
from agents.databases.registry import fitting
from agents.errors import WrongFile

TERMS = {
    "clingen": ("2026-06-21", "CC0 1.0"),
    "gene2phenotype": ("2026-01-08", "EMBL-EBI terms of use: redistribution with attribution"),
    "gnomad": ("v2.1.1", "CC0 1.0"),
    "go": ("2021", "CC BY 4.0"),
    "gwas": ("2015-06-08", "CC BY 4.0, CC0 1.0 since"),
    "hgnc": ("2024-10-18", "CC0 1.0"),
    "mgi": ("", "CC BY 4.0"),
    "mgi-terms": ("", "CC BY 4.0"),
    "ndc": ("2019-04", "public domain"),
    "openfda-labels": ("", "public domain"),
    "reactome": ("", "CC0 1.0"),
}
"""Release and terms of what is taken; databases on other terms stay out."""
TARGETS = tuple(
    re.findall(
        r"\w+",
        "ACE ADRB1 ADRB2 AGTR1 DPP4 DRD2 EGFR F10 HMGCR HTR2B KCNH2 KDR OPRM1 PCSK9 PDE5A PTGS1 PTGS2 SCN5A "
        "TNF VKORC1",
    )
)
CLASSES = (
    "Angiotensin Converting Enzyme Inhibitor [EPC]",
    "beta-Adrenergic Blocker [EPC]",
    "Benzodiazepine [EPC]",
    "Tricyclic Antidepressant [EPC]",
    "Typical Antipsychotic [EPC]",
    "Sodium-Glucose Cotransporter 2 Inhibitor [EPC]",
)
LABELS = tuple(
    re.findall(
        r"[a-z][a-z ]*[a-z]",
        "captopril, enalapril maleate, lisinopril, atenolol, labetalol, metoprolol tartrate, clonazepam, "
        "diazepam, lorazepam, amitriptyline hcl, desipramine, doxepin hcl, haloperidol, pimozide, "
        "thiothixene, farxiga, invokana, jardiance, alendronate sodium, amphotericin b, bactrim, "
        "carbamazepine, cimzia, demeclocycline, doxycycline hyclate, edarbi, eliquis, erythromycin, "
        "gilotrif, inlyta, minocycline, multaq, nesina, phenytoin sodium, pradaxa, simponi, stendra, "
        "sulfadiazine, tigecycline, warfarin",
    )
)
"""Drugs as the titles of their labels name them."""
GENES = re.compile(rf"(?<![\w-])(?:{'|'.join(TARGETS)})(?![\w-])")
SOLD_AS = (rf"\t{name}\b" for name in LABELS)
PRODUCTS = re.compile("|".join((*map(re.escape, CLASSES), *SOLD_AS)), re.IGNORECASE)
HEADLESS = ("go", "reactome", "mgi", "mgi-terms")
OWN = ("hgnc", "mgi")
"""Sources whose lines are of the gene that is their first key: the others are its other names."""
COLUMNS = ("source", "release", "terms", "rows", "made", "file", "page")
README = """# The sample that ships with Pestle

Real rows of public databases on {targets} targets and {classes} classes of drugs, and labels of {labels}
drugs. Pestle answers from it as long as no file of a database is loaded and none is asked over the network;
its answers say so. It is no basis for decisions: what is missing here may stand in the databases.

- Targets: {genes}.
- Classes: {terms}. Further products are those of the drugs with labels.
- Labels: {drugs}. They are passages and sections on harm, not whole labels.

| source | release | terms | rows | cut on | whole file | from |
|---|---|---|---|---|---|---|
{rows}

Lines are unchanged; whole lines are left out. "Not stated" means that the copy it was cut from does not tell
its release. Not taken were GTEx, whose terms are its own, and share-alike data (Human Protein Atlas,
DrugCentral, ChEMBL, Guide to Pharmacology): the sample tells neither expression nor drugs of a target. Cite
the databases, not this sample.

Made by `python -m adapters.sample.write_sample FOLDER`.
"""


def write_sample(folder: Path) -> None:
    """Write the sample anew from the files of a folder: data, contents and README."""
    FOLDER.mkdir(exist_ok=True)
    found = dict(sorted(_files(folder)))
    if missing := TERMS.keys() - found.keys():
        raise SystemExit(f"{folder} has no file of {', '.join(sorted(missing))}.")
    made = datetime.now(UTC).date().isoformat()
    rows = []
    for name, (form, paths) in found.items():
        rows.append((name, *TERMS[name], _write(form, paths), made, form.file, form.page))
    with (FOLDER / "contents.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows((COLUMNS, *rows))
    (FOLDER / "README.md").write_text(_readme(rows), encoding="utf-8")


def _files(folder: Path) -> Iterator[tuple[str, tuple[BulkFormat, list[Path]]]]:
    """The largest file of each source that is taken; of labels all."""
    by_source: dict[str, list[tuple[Path, BulkFormat]]] = {}
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        with suppress(WrongFile):
            if (form := fitting(head(path))) and form.source in TERMS:
                by_source.setdefault(form.source, []).append((path, form))
    for source, several in by_source.items():
        largest, form = max(several, key=lambda one: one[0].stat().st_size)
        yield source, (form, [path for path, _ in several] if form.documents else [largest])


def _write(form: BulkFormat, paths: Sequence[Path]) -> int:
    """Write what is kept of a source; how many rows, or labels, that is."""
    kept = list(_passages(paths) if form.documents else _lines(form, paths[0]))
    with gzip.GzipFile(FOLDER / f"{form.source}.gz", "wb", mtime=0) as file:
        file.write("".join(f"{line}\n" for line in kept).encode())
    if form.documents:
        return len(list(form.documents(f"{line}\n" for line in kept)))
    return len(dict.fromkeys(json.dumps(row) for _, row in form.parse(kept)))


def _lines(form: BulkFormat, path: Path) -> Iterator[str]:
    """The header of a file, if it has one, and the lines that are kept; equal rows once."""
    source, every = form.source, lines(path)
    header = [] if source in HEADLESS else [next(every)]
    yield from header
    worth = _terms_used() if source == "mgi-terms" else PRODUCTS if source == "ndc" else GENES
    seen: set[str] = set()
    for line in filter(worth.search, every):
        found = list(form.parse([*header, line]))
        keys = [key for key, _ in (found[:1] if source in OWN else found)]
        row = json.dumps([row for _, row in found[:1]])
        if row not in seen and (worth is not GENES or set(TARGETS).intersection(keys)):
            seen.add(row)
            yield line


def _terms_used() -> re.Pattern[str]:
    """Lines on the phenotypes that the kept rows of MGI name."""
    used = re.findall(r"MP:\d{7}", " ".join(lines(FOLDER / "mgi.gz")))
    return re.compile(rf"^(?:{'|'.join(sorted(set(used)))})\t")


def _passages(paths: Sequence[Path]) -> Iterator[str]:
    """The passages and sections of the chosen labels as lines of JSON, of equal ones one."""
    found: dict[str, None] = {}
    for value in (value for path in paths for value in objects(pieces(path))):
        if isinstance(value, dict) and (text(value, "drug") or text(value, "label_id")).casefold() in LABELS:
            row = {
                "drug": text(value, "drug") or text(value, "label_id"),
                "section": text(value, "section") or text(value, "section_name"),
                "text": text(value, "text") or text(value, "section_text"),
            }
            found[json.dumps(row, ensure_ascii=False)] = None
    yield from found


def _readme(rows: Iterable[tuple[object, ...]]) -> str:
    table = (f"| {' | '.join(str(cell) or 'not stated' for cell in row)} |" for row in rows)
    return README.format(
        targets=len(TARGETS),
        classes=len(CLASSES),
        labels=len(LABELS),
        genes=", ".join(TARGETS),
        terms=", ".join(one.removesuffix(" [EPC]") for one in CLASSES),
        drugs=", ".join(LABELS),
        rows="\n".join(table),
    )


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]))
