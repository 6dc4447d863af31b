"""Which loaded files know genes by name, and how a row of each says which gene it is."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.databases import hgnc
from agents.databases.bulk_format import Row
from agents.databases.fields import cell, items, text, texts
from agents.databases.naming import ACCESSION
from agents.databases.target import Target

SYMBOL, ENSEMBL, NUMBER = re.compile(r"\w[\w.@~-]{0,40}"), re.compile(r"ENSG\d{11}"), re.compile(r"\d{1,12}")
"""How the identifiers of a gene look."""
SEPARATED = re.compile(r"[,;|]\s*")


@dataclass(frozen=True, slots=True)
class Knows:
    """A loaded source that knows genes: its name, its title, and the target that a row is about."""

    source: str
    title: str
    target: Callable[[Row], Target]


def merged(first: Target, other: Target) -> Target:
    """The first target, with what only the other one knows of the same gene."""
    return replace(
        first,
        name=first.name or other.name,
        ensembl=first.ensembl or other.ensembl,
        entrez=first.entrez or other.entrez,
        uniprot=first.uniprot or other.uniprot,
        aliases=first.aliases or other.aliases,
        previous=first.previous or other.previous,
    )


def sound(target: Target) -> Target:
    """The target without identifiers that are none, for they go into addresses and queries. Its symbol is ""
    if it is none.
    """
    return replace(
        target,
        symbol=target.symbol if SYMBOL.fullmatch(target.symbol) else "",
        ensembl=target.ensembl if ENSEMBL.fullmatch(target.ensembl) else "",
        entrez=target.entrez if NUMBER.fullmatch(target.entrez) else "",
        uniprot=target.uniprot if ACCESSION.fullmatch(target.uniprot) else "",
    )


def same_gene(one: Target, other: Target) -> bool:
    """Whether no identifier says that they are two genes."""
    pairs = ((one.ensembl, other.ensembl), (one.entrez, other.entrez))
    return all(not first or not second or first == second for first, second in pairs)


def _of_uniprot(row: Row) -> Target:
    return Target(
        row.get("symbol", ""),
        name=row.get("name", ""),
        ensembl=row.get("ensembl", ""),
        entrez=row.get("entrez", ""),
        uniprot=row.get("accession", ""),
        aliases=texts(cell(row.get("synonyms", ""))),
    )


def _of_open_targets(row: Row) -> Target:
    proteins = items(cell(row.get("proteinIds", "")))
    reviewed = next((text(one, "id") for one in proteins if text(one, "source") == "uniprot_swissprot"), "")
    return Target(
        row.get("approvedSymbol", ""),
        name=row.get("approvedName", ""),
        ensembl=row.get("id", ""),
        uniprot=reviewed,
        aliases=_labels(row, "symbolSynonyms"),
        previous=_labels(row, "obsoleteSymbols"),
    )


def _of_hpa(row: Row) -> Target:
    return Target(
        row.get("Gene", ""),
        name=row.get("Gene description", ""),
        ensembl=row.get("Ensembl", ""),
        uniprot=next(iter(_listed(row.get("Uniprot", ""))), ""),
        aliases=_listed(row.get("Gene synonym", "")),
    )


def _of_mgi(row: Row) -> Target:
    return Target(row.get("Human Gene Symbol", ""), entrez=row.get("Human Entrez Gene ID", ""))


def _labels(row: Row, column: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(filter(None, (text(one, "label") for one in items(cell(row.get(column, ""))))))
    )


def _listed(written: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in SEPARATED.split(written) if part.strip())


KNOWING: tuple[Knows, ...] = (
    Knows("hgnc", "HGNC", hgnc.target_of),
    Knows("opentargets", "Open Targets", _of_open_targets),
    Knows("uniprot", "UniProt", _of_uniprot),
    Knows("hpa", "Human Protein Atlas", _of_hpa),
    Knows("mgi", "MGI", _of_mgi),
)
"""In order of authority: where two differ in a symbol, the first one is followed."""
