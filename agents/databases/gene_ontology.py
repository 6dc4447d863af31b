"""The Gene Ontology: what a protein does, in which processes, and where in the cell.

Bulk: sets of genes by term (GMT). Where none is loaded: the terms that UniProt's entry lists, each with its
evidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agents.counts import number_of
from agents.databases.bulk_format import BulkFormat, Row, under
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, text
from agents.databases.gene_sets import describe_sets, read_sets, set_row, sets_of
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.databases.uniprot import UNIPROT, uniprot_entry

EXPERIMENT = frozenset(["EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "HTP", "HDA", "HMP", "HGI", "HEP"])
AUTHOR = frozenset(["TAS", "NAS", "IC"])
GROUPS = (
    "experiment",
    "statement of an author or curator",
    "comparison of sequences or families",
    "electronic",
)
NOT_TOLD = frozenset(("GO:0005515", "GO:0003674", "GO:0008150", "GO:0005575"))
""" "Protein binding" and the three roots: they say nothing."""
BY_ASPECT = {
    "molecular_function": "has the function",
    "biological_process": "is involved in",
    "cellular_component": "is located in",
}
PAGE = "https://geneontology.org/docs/downloads/"
TERM = re.compile(r"\((GO:\d{7})\)$")
ASPECTS = {"F": "molecular_function", "P": "biological_process", "C": "cellular_component"}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation. `aspect` is "molecular_function", "biological_process" or "cellular_component",
    `evidence` a three-letter code ("IDA").
    """

    term: str
    name: str
    aspect: str
    evidence: str

    @property
    def group(self) -> int:
        """Place of the evidence in `GROUPS`, the strongest first."""
        if self.evidence in EXPERIMENT:
            return 0
        if self.evidence in AUTHOR:
            return 1
        return 3 if self.evidence in ("IEA", "ND") else 2

    @property
    def relation(self) -> str:
        """What the protein has to do with the term, in words."""
        return BY_ASPECT.get(self.aspect, "is annotated with")


def _sets(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Sets whose names end in the term's id, as Enrichr writes them."""
    for name, _, genes in read_sets(lines):
        if found := TERM.search(name):
            yield from under(set_row(name[: found.start()].strip(), found[1], genes), *genes)


def _fits_sets(head: Sequence[str]) -> bool:
    names = [line.split("\t")[0].strip() for line in head if line.strip()]
    return bool(names) and all(TERM.search(name) for name in names)


GO = database(
    "go", BulkFormat("go", "GO_Biological_Process.gmt", PAGE, "term (GO id), gene symbols", _fits_sets, _sets)
)
TITLE = GO.title


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


gene_ontology_tool = TargetTool("gene_functions", GO, gene_functions, (Topic.FUNCTION, Topic.LOCATION))


def describe_annotations(edition: Edition, target: Target, found: Iterable[Annotation]) -> Sheet:
    """The record: each term once, with its strongest evidence; experiments first."""
    gene = target.symbol
    sheet = edition.sheet(f"functions, processes and places of {gene}", gene)
    best: dict[str, Annotation] = {}
    for one in sorted(found, key=lambda one: (one.group, one.evidence)):
        best.setdefault(one.term, one)
    told = sorted(
        (one for one in best.values() if one.name and one.term not in NOT_TOLD),
        key=lambda one: (one.group, one.aspect, one.name.casefold()),
    )
    tested = [one for one in told if one.group == 0]
    if told:
        sheet.fact(
            Topic.FUNCTION,
            f"The {edition.name} annotates {gene} with {number_of(len(told), 'term')}, {len(tested)} of them "
            "on the evidence of an experiment.",
            sheet.line(
                f"Terms of {gene}: {len(told)}, of them on the evidence of an experiment: {len(tested)}"
            ),
            measure="number of terms",
            value=len(told),
        )
    for one in told:
        _tell(sheet, gene, one, edition)
    return sheet


def _tell(sheet: Sheet, gene: str, one: Annotation, edition: Edition) -> None:
    line = sheet.line(f"{gene} {one.relation} {one.name} ({one.term}); evidence: {_evidence(one)}")
    sheet.fact(
        Topic.LOCATION if one.aspect == "cellular_component" else Topic.FUNCTION,
        f"By the {edition.name}, {gene} {one.relation} {one.name} ({one.term}; evidence: {_evidence(one)}).",
        line,
        term=one.name,
        id=one.term,
    )


def _evidence(one: Annotation) -> str:
    return f"{GROUPS[one.group]}, {one.evidence}"
