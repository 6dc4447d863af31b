"""Descriptions of datasets, and tables of GDS, in the SOFT format of the Gene Expression Omnibus."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice

from agents.protocol.accessions import link_of
from agents.protocol.values import Dataset

HEAD_LINES = 3000
SECTIONS = ("DATASET", "SERIES", "SAMPLE", "PLATFORM")
_FIELD = re.compile(r"!(\w+?)_(\S+)\s*=\s*(.*)")
Lines = Callable[[], Iterator[str]]
Fields = Mapping[str, Sequence[str]]


def read_soft(lines: Iterable[str]) -> Dataset | None:
    """The dataset that a SOFT file begins with; None for another file."""
    heads: dict[str, tuple[str, Fields]] = {}
    for section, title, fields in _sections(lines):
        heads.setdefault(section, (title, fields))
    first = next((one for one in SECTIONS if one in heads), None)
    if first is None or not re.match(r"G(SE|DS|SM|PL)\d", heads[first][0]):
        return None
    return _dataset(first, heads)


def _sections(lines: Iterable[str]) -> Iterator[tuple[str, str, Fields]]:
    """The sections of the head: what each is, its accession, its fields."""
    section, title, fields = "", "", defaultdict[str, list[str]](list)
    for line in islice(lines, HEAD_LINES):
        if line.startswith("^"):
            yield section, title, fields
            section, _, title = (part.strip() for part in line[1:].partition("="))
            fields = defaultdict(list)
        elif found := _FIELD.match(line):
            fields[found[2]].append(found[3].strip())
        elif line.startswith("!dataset_table_begin"):
            break
    yield section, title, fields


def _dataset(first: str, heads: Mapping[str, tuple[str, Fields]]) -> Dataset:
    accession, fields = heads[first]

    def said(*names: str) -> str:
        return next((" ".join(fields[name]).strip() for name in names if fields.get(name)), "")

    named = (
        value for _, inner in heads.values() for name in inner if "organism" in name for value in inner[name]
    )
    count = said("sample_count") or str(len(fields.get("sample_id", ())) or "")
    return Dataset(
        accession,
        said("type", "technology") or first.lower(),
        said("title"),
        int(count) if count.isdigit() else None,
        next(named, ""),
        said("platform", "platform_id"),
        source="GEO",
        link=link_of(accession),
        summary=said("description", "summary", "source_name_ch1")[:1000],
    )


def gds_tables(name: str, lines: Lines) -> Mapping[str, Callable[[], Iterator[Sequence[str]]]]:
    """The tables that a GDS holds: values, samples with their groups, and symbols; none of another file.

    Probes with a missing value are left out.
    """
    if not any(line.startswith("^DATASET") for line in islice(lines(), 20)):
        return {}
    return {
        f"{name}_expression.csv": partial(_values, lines, (1,)),
        f"{name}_samples.csv": partial(_samples, lines),
        f"symbols_{name}.csv": partial(_values, lines, None),
    }


def _values(lines: Lines, without: tuple[int, ...] | None) -> Iterator[Sequence[str]]:
    """The table without some columns; with None the first two alone, as id and symbol."""
    inside = False
    for line in lines():
        if line.startswith("!dataset_table_"):
            inside = "begin" in line
        elif inside:
            cells = line.rstrip("\n").split("\t")
            if "null" in cells:
                continue
            if without is None:
                yield ("id", "symbol") if cells[0] == "ID_REF" else cells[:2]
            else:
                yield [cell for place, cell in enumerate(cells) if place not in without]


def _samples(lines: Lines) -> Iterator[Sequence[str]]:
    """A row a sample, a column for each thing in which they differ."""
    groups: dict[str, dict[str, str]] = {}
    for section, _, fields in _sections(lines()):
        for kind in fields.get("type", ()) if section == "SUBSET" else ():
            ids = chain.from_iterable(one.split(",") for one in fields["sample_id"])
            groups.setdefault(kind, {}).update(dict.fromkeys(ids, " ".join(fields["description"])))
    yield ("sample", *(kind.replace(" ", "_") for kind in groups))
    for sample in dict.fromkeys(chain.from_iterable(groups.values())):
        yield (sample, *(one.get(sample, "") for one in groups.values()))
