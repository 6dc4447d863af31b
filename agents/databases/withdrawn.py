"""Symbols that HGNC took back, and what took their place."""

import re

from agents.databases.ports import Bulk

SOURCES = ("hgnc-withdrawn", "hgnc")
MERGED = re.compile(r"HGNC:\d+\|([^|,]+)\|Approved", re.IGNORECASE)


async def withdrawn(bulk: Bulk, name: str) -> tuple[str, tuple[str, ...]]:
    """A sentence on a symbol that was withdrawn, and the genes in its place; "" if it was not withdrawn."""
    for source in SOURCES:
        for row in await bulk.rows(source, name):
            symbol = row.get("WITHDRAWN_SYMBOL") or row.get("symbol", "")
            status = (row.get("STATUS") or row.get("status", "")).casefold()
            if symbol.casefold() != name.casefold() or status in ("", "approved"):
                continue
            report = next((said for column, said in row.items() if column.startswith("MERGED_INTO")), "")
            successors = tuple(dict.fromkeys(MERGED.findall(report)))
            into = f" and merged into {', '.join(successors)}" if successors else ""
            return f"The symbol {symbol} was withdrawn by HGNC{into}.", successors
    return "", ()
