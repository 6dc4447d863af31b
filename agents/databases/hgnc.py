"""HGNC: approved, former and other symbols of human genes."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agents.databases.bulk_format import BulkFormat, Row, json_lines, table, under, with_columns, with_fields
from agents.databases.database import Database
from agents.databases.target import Target

PAGE = "https://www.genenames.org/download/"
WITHDRAWN = ("HGNC_ID", "STATUS", "WITHDRAWN_SYMBOL")
NEEDED = ("hgnc_id", "symbol", "name", "status")


def parse_tsv(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The rows of hgnc_complete_set.txt, and of the file of withdrawn symbols."""
    for row in table(lines, *NEEDED):
        yield from _keyed(row, {name: _listed(row.get(name, "")) for name in ("alias_symbol", "prev_symbol")})


def parse_json(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The rows of the same set as lines of JSON, as pipelines of Open Targets write it."""
    for row in json_lines(lines):
        if row.get("symbol"):
            lists = {name: _json_list(row.get(name, "")) for name in ("alias_symbol", "prev_symbol")}
            uniprot = "|".join(_json_list(row.get("uniprot_ids", "")))
            flat = {**row, **{name: "|".join(values) for name, values in lists.items()}}
            yield from _keyed({**flat, "uniprot_ids": uniprot}, lists)


def parse_withdrawn(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The rows of withdrawn.txt, under the symbols that were taken back."""
    for row in table(lines, *WITHDRAWN):
        yield from under(row, row["WITHDRAWN_SYMBOL"])


def target_of(row: Row) -> Target:
    """The target that a row is about; one without a symbol for a symbol that is not in use."""
    if row.get("status", "").casefold() != "approved":
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


def _keyed(row: Row, lists: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, Row]]:
    names = (row.get("symbol", ""), *lists["prev_symbol"], *lists["alias_symbol"])
    ids = (row.get("hgnc_id", ""), row.get("ensembl_gene_id", ""), row.get("entrez_id", ""))
    yield from under(row, *names, *ids, *_listed(row.get("uniprot_ids", "")), row.get("name", ""))


def _listed(cell: str) -> tuple[str, ...]:
    """The parts of a cell such as A|B."""
    return tuple(part.strip() for part in cell.strip().strip('"').split("|") if part.strip())


def _json_list(cell: str) -> tuple[str, ...]:
    try:
        value = json.loads(cell) if cell else []
    except ValueError:
        return _listed(cell)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


TSV = BulkFormat(
    "hgnc",
    "hgnc_complete_set.txt",
    PAGE,
    "hgnc_id, symbol, name, locus_group, …, status, …",
    with_columns(*NEEDED, "alias_symbol", "prev_symbol"),
    parse_tsv,
)
JSON = replace(TSV, file="hgnc_complete_set.jsonl", fits=with_fields(*NEEDED), parse=parse_json)
GONE = BulkFormat(
    "hgnc-withdrawn",
    "withdrawn.txt",
    PAGE,
    "HGNC_ID, STATUS, WITHDRAWN_SYMBOL, MERGED_INTO_REPORT(S)",
    with_columns(*WITHDRAWN),
    parse_withdrawn,
)

DATABASE = Database(
    "hgnc",
    "HGNC",
    "approved, former and other symbols of genes",
    "CC0",
    "https://www.genenames.org",
    live=False,
    formats=(TSV, JSON, GONE),
)
