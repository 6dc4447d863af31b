"""The Guide to Pharmacology: ligands of targets with their structures and the papers that report them."""

import csv
from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat, Row, with_columns
from agents.databases.database import Database

NEEDED = ("target_gene_symbol", "ligand", "smiles", "pubmed_id")


def _ligands(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Each ligand under its gene, its own name, and the ids of its papers."""
    for row in csv.DictReader(lines):
        kept = {name: text for name, text in row.items() if text}
        if row["smiles"]:
            papers = (f"pmid {one}" for one in row["pubmed_id"].split("|") if one.strip().isdigit())
            for key in (row["target_gene_symbol"], f"ligand {row['ligand']}", *papers):
                yield key, kept


GTOPDB = Database(
    name="gtopdb",
    title="Guide to Pharmacology",
    tells="ligands of a target with structures and papers, for molecule design",
    licence="ODbL; contents CC BY-SA 4.0",
    page="https://www.guidetopharmacology.org/",
    live=False,
    formats=(
        BulkFormat(
            "gtopdb",
            "ligands by target and PubMed id (CSV)",
            "https://www.guidetopharmacology.org/download.jsp",
            ",".join(NEEDED),
            with_columns(*NEEDED, separator=","),
            _ligands,
        ),
    ),
)
