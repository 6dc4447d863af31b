"""Gene sets in GMT form: a name, a second cell, and the symbols of the genes, with tabs between."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.counts import number_of
from agents.databases.bulk_format import Row
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet
from agents.databases.target import Target

NARROWEST = 5
"""How many of the smallest sets the summing sentence names."""
DISTURBED = re.compile(
    r"\b(?:mutants?|mutations?|variants?|resist\w*|defective|defects?|aberrant|oncogenic|disease|diseases|infection"
    r"|infections|infectious|cancer|deficien\w+)\b|\b(?:SARS-CoV|HIV|HCMV|Leishmania|Influenza)",
    re.IGNORECASE,
)
"""Names of pathways that are of a disease, a mutant or a germ."""


@dataclass(frozen=True, slots=True)
class GeneSet:
    """A set that holds the target. `genes` is how many genes it has; 0 where that is not known."""

    name: str
    id: str
    genes: int = 0


def read_sets(lines: Iterable[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, second cell and genes of each set. A weight behind a gene ("TP53,1.0") is cut off."""
    for line in lines:
        name, _, rest = line.rstrip("\r\n").partition("\t")
        second, *genes = rest.split("\t")
        found = tuple(dict.fromkeys(gene.split(",")[0].strip() for gene in genes if gene.strip()))
        if name.strip() and found:
            yield " ".join(name.split()), second.strip(), found


def set_row(name: str, key: str, genes: Sequence[str]) -> Row:
    """A set as a row that is kept under each of its genes."""
    return {"Name": name, "ID": key, "Genes": str(len(genes))}


async def sets_of(reach: Reach, source: str, target: Target) -> tuple[tuple[GeneSet, ...], str]:
    """The sets of a target in a loaded file, the smallest first, and a note if it has them by another symbol.

    A former symbol is asked where the approved one has none: sets of several years are not harmonised.
    Aliases are not: one gene's alias is often another gene's symbol.
    """
    for symbol in (target.symbol, *target.previous):
        if rows := await reach.bulk.rows(source, symbol):
            found = {row["ID"]: _set(row) for row in rows}
            note = f"{target.symbol} is listed under its former symbol {symbol}"
            return tuple(sorted(found.values(), key=_order)), note if symbol != target.symbol else ""
    return (), ""


def _order(one: GeneSet) -> tuple[bool, int, str]:
    """Normal function first, then what mutants, drugs and germs do to it; the narrowest of each first."""
    return bool(DISTURBED.search(one.name)), one.genes, one.name.casefold()


def _set(row: Mapping[str, str]) -> GeneSet:
    return GeneSet(row["Name"], row["ID"], int(row["Genes"]) if row.get("Genes", "").isdigit() else 0)


def describe_sets(
    edition: Edition, target: Target, sets: Sequence[GeneSet], topic: Topic, what: tuple[str, str], note: str
) -> Sheet:
    """The record of the sets: a fact that sums up, and a fact a set.

    `what` is what the database calls a set, one and several ("pathway", "pathways"); `note` is its first
    line, "" for none.
    """
    gene = target.symbol
    sheet = edition.sheet(f"{what[1]} of {gene}", gene)
    if note:
        sheet.line(note)
    narrow = "; ".join(one.name for one in sets[:NARROWEST])  # a name may hold commas
    among = ", the narrowest of which are:" if len(sets) > NARROWEST else ":"
    count = sheet.line(f"{what[1].capitalize()} of {gene}: {len(sets)}{among} {narrow}")
    lines = [
        sheet.line(f"{one.name} ({one.id})" + (f", {number_of(one.genes, 'gene')}" if one.genes else ""))
        for one in sets
    ]
    sheet.fact(
        topic,
        f"{edition.name} lists {number_of(len(sets), *what)} of {gene}{among} {narrow}.",
        count,
        measure=f"number of {what[1]}",
        value=len(sets),
    )
    for one, line in zip(sets, lines, strict=True):
        sheet.fact(
            topic,
            f"{edition.name} lists {gene} under the {what[0]} “{one.name}” ({one.id}).",
            line,
            term=one.name,
            id=one.id,
        )
    return sheet
