"""Cuts the sample out of whole files: `python -m tests.support.sample FOLDER`.

FOLDER holds files as `pestle sources load` takes them. Lines are copied as they are: those that `chosen.toml`
says. `data/README.md` is written by hand; its counts are those of `data/contents.csv`.
"""

import csv
import gzip
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from adapters.sample import FOLDER
from adapters.sources.lines import lines, pieces
from adapters.sources.loading import load_recognised
from agents.databases.bulk_format import BulkFormat
from agents.databases.label_format import objects, read_labels
from agents.databases.ports import BulkRelease
from agents.databases.registry import FORMATS

CHOSEN = tomllib.loads(FOLDER.with_name("chosen.toml").read_text(encoding="utf-8"))
GENES = re.compile(rf"(?<![\w-])(?:{'|'.join(CHOSEN['targets'])})(?![\w-])")
SOLD_AS = (rf"\t{name}\b" for name in CHOSEN["labels"])
PRODUCTS = re.compile("|".join((*map(re.escape, CHOSEN["classes"]), *SOLD_AS)), re.IGNORECASE)
HEADLESS = ("go", "reactome", "mgi", "mgi-terms")
OWN = ("hgnc", "mgi")
"""Sources whose lines are of the gene that is their first key: the others are its other names."""


def write_sample(folder: Path) -> None:
    """Write the sample anew from the files of a folder."""
    kept: dict[str, tuple[BulkFormat, dict[str, None]]] = {}

    def take(form: BulkFormat, paths: Sequence[Path], release: str) -> BulkRelease:
        found = dict.fromkeys(_passages(paths[0]) if form.documents else _lines(form, paths[0]))
        kept.setdefault(form.source, (form, {}))[1].update(found)
        return BulkRelease(form.source, paths[0].name, release, "", len(found))

    load_recognised(take, folder, forms=[form for form in FORMATS if form.source in CHOSEN["sources"]])
    if missing := CHOSEN["sources"].keys() - kept.keys():
        raise SystemExit(f"{folder} has no file of {', '.join(sorted(missing))}.")
    made = datetime.now(UTC).date().isoformat()
    with (FOLDER / "contents.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("source", "release", "terms", "rows", "made", "file", "page"))
        for source, (form, content) in sorted(kept.items()):
            (FOLDER / f"{source}.gz").write_bytes(gzip.compress("\n".join(content).encode(), mtime=0))
            about = (_count(form, list(content)), made, form.file, form.page)
            writer.writerow((source, *CHOSEN["sources"][source], *about))


def _count(form: BulkFormat, kept: Sequence[str]) -> int:
    """How many rows, or labels, the lines hold."""
    if form.documents:
        return len(list(form.documents(f"{line}\n" for line in kept)))
    return len({json.dumps(row) for _, row in form.parse(kept)})


def _lines(form: BulkFormat, path: Path) -> Iterator[str]:
    """The header of a file and what stands above it, if it has one, and the lines that are kept."""
    every = lines(path)
    header: list[str] = []
    while form.source not in HEADLESS and not form.fits(header):
        header.append(next(every))
    yield from header
    if form.source in ("mgi-terms", "ndc"):
        yield from (line for line in every if form.source == "mgi-terms" or PRODUCTS.search(line))
        return
    for line in filter(GENES.search, every):
        keys = [key for key, _ in form.parse([*header, line])]
        if set(keys[:1] if form.source in OWN else keys).intersection(CHOSEN["targets"]):
            yield line


def _passages(path: Path) -> Iterator[str]:
    """The passages and sections of the chosen labels as lines of JSON."""
    for label in read_labels(objects(pieces(path))):
        if label.title.casefold() in CHOSEN["labels"]:
            for section, texts in label.sections.items():
                for text in texts:
                    row = {"drug": label.title, "section": section, "text": text}
                    yield json.dumps(row, ensure_ascii=False)


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]))
