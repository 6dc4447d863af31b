"""HGNC: approved, former and other symbols of human genes."""

from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.target import Target

PAGE = "https://www.genenames.org/download/"
NEEDED = ("hgnc_id", "symbol", "name", "alias_symbol", "prev_symbol")


def parse_tsv(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The rows of hgnc_complete_set.txt."""
    for row in table(lines, *NEEDED):
        names = (row["symbol"], *_listed(row["prev_symbol"]), *_listed(row["alias_symbol"]))
        ids = (row["hgnc_id"], row.get("ensembl_gene_id", ""), row.get("entrez_id", ""))
        yield from under(row, *names, *ids, *_listed(row.get("uniprot_ids", "")), row["name"])


def target_of(row: Row) -> Target:
    """The target that a row is about; one without a symbol for a symbol that is not in use."""
    if row.get("status", "approved").casefold() != "approved":  # newer files hold approved ones alone
        return Target("")
    return Target(
        row.get("symbol", ""),
        name=row.get("name", ""),
        ensembl=row.get("ensembl_gene_id", ""),
        entrez=row.get("entrez_id", ""),
        uniprot=next(iter(_listed(row.get("uniprot_ids", ""))), ""),
        aliases=_listed(row.get("alias_symbol", "")),
        previous=_listed(row.get("prev_symbol", "")),
    )


def _listed(cell: str) -> tuple[str, ...]:
    """The parts of a cell such as A|B."""
    return tuple(part.strip() for part in cell.strip().strip('"').split("|") if part.strip())


TSV = BulkFormat(
    "hgnc",
    "hgnc_complete_set.txt",
    PAGE,
    "hgnc_id, symbol, name, locus_group, …, status, …",
    with_columns(*NEEDED),
    parse_tsv,
)
DATABASE = database("hgnc", TSV)
