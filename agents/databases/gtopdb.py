"""The Guide to Pharmacology: ligands of targets, with structures, papers that report them, and names."""

from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.drugs import Drug, plain_name
from agents.databases.ports import Bulk

NAMES = "gtopdb-ligands"
NEEDED = ("target_gene_symbol", "ligand", "smiles", "pubmed_id")
NAMED = ("Ligand id", "Name", "Approved", "INN", "Synonyms")


def _ligands(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Each ligand under its gene, its own name, and the ids of its papers."""
    for row in table(lines, *NEEDED, separator=","):
        kept = {name: text for name, text in row.items() if text}
        if row["smiles"]:
            papers = (f"pmid {one}" for one in row["pubmed_id"].split("|") if one.strip().isdigit())
            for key in (row["target_gene_symbol"], f"ligand {row['ligand']}", *papers):
                yield key, kept


def _names(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """All names of each approved ligand, under each of them."""
    for row in table(lines, *NAMED, separator=","):
        if row["Approved"]:
            each = [row["Name"], row["INN"], *row["Synonyms"].split("|")]
            names = tuple(dict.fromkeys(one.strip(" ®™") for one in each if one.strip()))
            yield from under({"names": "|".join(names), "withdrawn": row.get("Withdrawn") or ""}, *names)


async def synonyms_of(bulk: Bulk, drug: Drug) -> tuple[str, ...]:
    """The other names of a drug in the loaded list of ligands ("ezogabine" and "Potiga" of retigabine)."""
    if bulk.release(NAMES) is None:
        return ()
    rows = await bulk.rows(NAMES, plain_name(drug.name))
    return tuple(name for row in rows for name in row["names"].split("|"))


async def is_withdrawn(bulk: Bulk, drug: Drug) -> bool:
    """Whether the loaded list of ligands says that an approved drug was withdrawn."""
    known = bulk.release(NAMES) is not None
    rows = await bulk.rows(NAMES, plain_name(drug.name)) if known else ()
    return any(row.get("withdrawn") for row in rows)


GTOPDB = database(
    "gtopdb",
    BulkFormat(
        "gtopdb",
        "ligands by target and PubMed id (CSV)",
        "https://www.guidetopharmacology.org/download.jsp",
        ",".join(NEEDED),
        with_columns(*NEEDED, separator=","),
        _ligands,
    ),
    BulkFormat(
        NAMES,
        "ligands.csv",
        "https://www.guidetopharmacology.org/download.jsp",
        "Ligand id,Name,Type,Approved,…,INN,Synonyms,…",
        with_columns(*NAMED, separator=","),
        _names,
    ),
)
