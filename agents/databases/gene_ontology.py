"""The Gene Ontology: what a protein does, in which processes, and where in the cell.

Bulk: sets of genes by term (GMT). Where none is loaded: the terms that UniProt's entry lists, each with its
evidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.databases.annotations import Annotation, describe_annotations
from agents.databases.bulk_format import BulkFormat, Row, under
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, text
from agents.databases.gene_sets import describe_sets, read_sets, set_row, sets_of
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.databases.uniprot import UNIPROT, uniprot_entry

TITLE = "Gene Ontology"
PAGE = "https://geneontology.org/docs/downloads/"
TERM = re.compile(r"\((GO:\d{7})\)$")
ASPECTS = {"F": "molecular_function", "P": "biological_process", "C": "cellular_component"}


def _sets(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Sets whose names end in the term's id, as Enrichr writes them."""
    for name, _, genes in read_sets(lines):
        if found := TERM.search(name):
            yield from under(set_row(name[: found.start()].strip(), found[1], genes), *genes)


def _fits_sets(head: Sequence[str]) -> bool:
    names = [line.split("\t")[0].strip() for line in head if line.strip()]
    return bool(names) and all(TERM.search(name) for name in names)


GO = Database(
    name="go",
    title=TITLE,
    tells="functions, processes and places in the cell",
    licence="CC BY 4.0",
    page="https://geneontology.org/",
    formats=(
        BulkFormat("go", "GO_Biological_Process.gmt", PAGE, "term (GO id), gene symbols", _fits_sets, _sets),
    ),
)


async def gene_functions(reach: Reach, target: Target) -> TargetFindings:
    """The sets of a target, else the terms in UniProt. Raises `ToolFailed`."""
    if (loaded := reach.bulk.release(GO.name)) is None:
        return await _of_uniprot(reach, target)
    sets, note = await sets_of(reach, GO.name, target)
    if not sets:
        return absent(f"The {TITLE} lists no term of {target.symbol}.")
    missing = f"The gene sets of the {TITLE} do not say on which evidence an entry rests."
    edition = Edition.of_bulk(GO, loaded)
    sheet = describe_sets(edition, target, sets, Topic.FUNCTION, ("term", "terms"), note)
    return target_findings((sheet,), missing=(missing,))


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
        found.append(Annotation(term, name, ASPECTS.get(aspect, ""), evidence))
    sheet = describe_annotations(replace(edition, database=f"{TITLE} in UniProt"), target, found)
    return target_findings((sheet,), nothing=f"UniProt lists no term of the {TITLE} for {target.symbol}.")


gene_ontology_tool = TargetTool(
    "gene_functions",
    "What a target does, in which biological processes, and where in the cell (Gene Ontology).",
    GO,
    gene_functions,
    (Topic.FUNCTION, Topic.LOCATION),
)
