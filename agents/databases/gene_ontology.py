"""The Gene Ontology: what a protein does, in which processes, and where in the cell.

Bulk: annotations with evidence (GAF), sets of genes by term (GMT), and the terms' names (OBO). Where no
file is loaded: the terms that UniProt lists.
Annotations are preferred to sets, since only they say on which evidence they rest.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.counts import number_of
from agents.databases.annotations import NOT_TOLD, Annotation, describe_annotations
from agents.databases.bulk_format import BulkFormat, Row, columns, under
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, text
from agents.databases.gene_sets import GeneSet, describe_sets, read_sets, set_row, sets_of
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.databases.uniprot import UNIPROT, uniprot_entry

TITLE = "Gene Ontology"
PAGE = "https://geneontology.org/docs/downloads/"
TERM = re.compile(r"\((GO:\d{7})\)$")
GAF = (
    "Database",
    "Accession",
    "Symbol",
    "Qualifier",
    "GO ID",
    "Reference",
    "Evidence",
    "With",
    "Aspect",
    "Name",
    "Synonyms",
    "Type",
    "Taxon",
    "Date",
    "Assigned by",
)
ASPECTS = {"F": "molecular_function", "P": "biological_process", "C": "cellular_component"}


def _sets(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Sets whose names end in the term's id, as Enrichr writes them; also under the id, for its name."""
    for name, _, genes in read_sets(lines):
        if found := TERM.search(name):
            row = set_row(name[: found.start()].strip(), found[1], genes)
            yield from under(row, found[1], *genes)


def _fits_sets(head: Sequence[str]) -> bool:
    names = [line.split("\t")[0].strip() for line in head if line.strip()]
    return bool(names) and all(TERM.search(name) for name in names)


def _annotated(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in columns((line for line in lines if not line.startswith("!")), *GAF):
        if row["GO ID"].startswith("GO:") and row["Taxon"].split("|")[0] == "taxon:9606":
            yield from under(row, row["Accession"], row["Symbol"])


def _fits_annotations(head: Sequence[str]) -> bool:
    cells = [line.split("\t") for line in head if line.strip() and not line.startswith("!")]
    return any("gaf-version" in line for line in head[:1]) or (
        bool(cells) and all(len(one) >= 15 and one[4].startswith("GO:") for one in cells)
    )


def _dated(head: Sequence[str]) -> str:
    """The day on which a file says that it was made."""
    said = (re.match(r"(?:!date-generated|data-version|!generated|date): *(\S+)", line) for line in head)
    return next((found[1].removeprefix("releases/")[:10] for found in said if found), "")


def _terms(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The [Term] stanzas of an OBO file."""
    row: dict[str, str] | None = None
    for line in (*lines, "["):
        if line.startswith("["):
            if row and row.get("ID") and not row.get("Obsolete"):
                yield row["ID"], row
            row = {} if line.strip() == "[Term]" else None
        elif row is not None:
            name, _, value = line.strip().partition(": ")
            kept = {"id": "ID", "name": "Name", "namespace": "Aspect", "is_obsolete": "Obsolete"}.get(name)
            if kept and kept not in row:
                row[kept] = value.strip()


GO = Database(
    name="go",
    title=TITLE,
    tells="functions, processes and places in the cell",
    licence="CC BY 4.0",
    page="https://geneontology.org/",
    formats=(
        BulkFormat("go", "GO_Biological_Process.gmt", PAGE, "term (GO id), gene symbols", _fits_sets, _sets),
        BulkFormat(
            "go-annotations",
            "goa_human.gaf",
            PAGE,
            "!gaf-version: 2.2",
            _fits_annotations,
            _annotated,
            _dated,
        ),
        BulkFormat(
            "go-terms",
            "go-basic.obo",
            PAGE,
            "format-version: 1.2",
            lambda head: any(line.startswith("ontology: go") for line in head),
            _terms,
            _dated,
        ),
    ),
)


async def gene_functions(reach: Reach, target: Target) -> TargetFindings:
    """The annotations of a target, else its sets, else the terms in UniProt. Raises `ToolFailed`."""
    annotated, grouped = reach.bulk.release("go-annotations"), reach.bulk.release(GO.name)
    found = await _annotations(reach, target) if annotated else []
    sets, symbol = await sets_of(reach, GO.name, target) if grouped else ((), "")
    sets = tuple(one for one in sets if one.id not in {annotation.term for annotation in found})
    if not annotated and not grouped:
        return await _of_uniprot(reach, target)
    sheets: list[Sheet] = []
    missing: list[str] = []
    if annotated and found:
        sheets.append(describe_annotations(Edition.of_bulk(GO, annotated), target, found))
        missing += _unnamed(found, target)
    if grouped and sets:
        sheets.append(_listed(Edition.of_bulk(GO, grouped), target, sets, symbol))
        missing.append(f"The gene sets of the {TITLE} do not say on which evidence an entry rests.")
    if not sheets:
        return absent(f"The {TITLE} lists no term of {target.symbol}.")
    return target_findings(sheets, nothing="", missing=missing)


async def _of_uniprot(reach: Reach, target: Target) -> TargetFindings:
    """The terms that UniProt's entry lists, each with its strongest evidence."""
    if reach.web is None and reach.bulk.release(UNIPROT.name) is None:
        return unasked(GO)
    if (entry := await uniprot_entry(reach, target)) is None:
        return absent(f"UniProt has no entry of {target.symbol} that could list terms of the {TITLE}.")
    row, edition = entry
    found = []
    for one in items(cell(row["go"])):
        term, aspect, name, evidence = (text(one, place) for place in range(4))
        found.append(Annotation(term, name, ASPECTS.get(aspect, ""), "", evidence))
    sheet = describe_annotations(replace(edition, database=f"{TITLE} in UniProt"), target, found)
    return target_findings((sheet,), nothing=f"UniProt lists no term of the {TITLE} for {target.symbol}.")


def _listed(edition: Edition, target: Target, sets: Sequence[GeneSet], symbol: str) -> Sheet:
    """The record of the terms whose sets hold the target."""
    sheet = edition.sheet(f"terms of {target.symbol}", target.symbol)
    if symbol != target.symbol:
        sheet.line(f"{target.symbol} is listed under its former symbol {symbol}")
    describe_sets(sheet, target, sets, edition, Topic.FUNCTION, ("term", "terms"))
    return sheet


def _unnamed(found: Sequence[Annotation], target: Target) -> list[str]:
    """What is said of terms whose names no loaded file knows."""
    lost = {one.term for one in found if not one.name and not one.is_not and one.term not in NOT_TOLD}
    if not lost:
        return []
    many = number_of(len(lost), "term")
    return [f"{many} of {target.symbol} cannot be told by name: the terms of the {TITLE} are not loaded."]


async def _annotations(reach: Reach, target: Target) -> list[Annotation]:
    """The annotations of the target in a loaded file."""
    rows: Sequence[Row] = ()
    for key in filter(None, (target.uniprot, target.symbol, *target.previous)):
        rows = rows or await reach.bulk.rows("go-annotations", key)
    if target.uniprot:
        rows = [row for row in rows if row["Accession"] == target.uniprot]
    names = {term: await _name(reach, term) for term in dict.fromkeys(row["GO ID"] for row in rows)}
    return [
        Annotation(
            row["GO ID"],
            names[row["GO ID"]],
            ASPECTS.get(row["Aspect"], ""),
            row["Qualifier"],
            row["Evidence"],
            row["Reference"],
        )
        for row in rows
    ]


async def _name(reach: Reach, term: str) -> str:
    """A term's name from the loaded terms or sets; "" where neither knows it."""
    for source in ("go-terms", GO.name):
        for row in await reach.bulk.rows(source, term):
            return row["Name"]
    return ""


gene_ontology_tool = TargetTool(
    "gene_functions",
    "What a target does, in which biological processes, and where in the cell (Gene Ontology).",
    GO,
    gene_functions,
    (Topic.FUNCTION, Topic.LOCATION),
)
