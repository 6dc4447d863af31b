"""NCBI Gene and RefSeq: the summary of a gene.

Bulk: `gene_info` (names and kind of gene). Live: the summary, over E-utilities.
"""

import re
from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import at, json_of, text
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, sentence, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from retrieval.text.sentences import split_sentences

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi"
HUMAN = "9606"
BY = re.compile(r"\s*\[provided by [^]]*\]\.?")


def _genes(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "tax_id", "GeneID", "Symbol"):
        if row["tax_id"] == HUMAN:
            ensembl = re.search(r"Ensembl:(ENSG\d+)", row.get("dbXrefs", ""))
            names = row.get("Synonyms", "-").removeprefix("-").split("|")
            yield from under(row, row["Symbol"], row["GeneID"], ensembl[1] if ensembl else "", *names)


NCBI_GENE = Database(
    name="ncbi-gene",
    title="NCBI Gene",
    tells="summary of the gene by RefSeq, and its names",
    licence="public domain",
    page="https://www.ncbi.nlm.nih.gov/gene",
    formats=(
        BulkFormat(
            "ncbi-gene",
            "Homo_sapiens.gene_info",
            "https://ftp.ncbi.nlm.nih.gov/gene/DATA/GENE_INFO/Mammalia/",
            "#tax_id, GeneID, Symbol, LocusTag, Synonyms, dbXrefs, …",
            with_columns("tax_id", "GeneID", "Symbol", "dbXrefs"),
            _genes,
        ),
    ),
)


async def gene_summary(reach: Reach, target: Target) -> TargetFindings:
    """What NCBI Gene says of a target. Raises `ToolFailed`."""
    sheets = await _from_genes(reach, target)
    if reach.web is not None:
        return target_findings(
            [*sheets, *await _esummary(reach.web, target)], nothing=f"NCBI Gene has no {target.symbol}."
        )
    if sheets:
        missing = "The summary by RefSeq was not asked for: files hold none, and the network is not used."
        return target_findings(sheets, nothing="", missing=(missing,))
    if reach.bulk.release(NCBI_GENE.name):
        return absent(f"The loaded files of NCBI Gene have no row of {target.symbol}.")
    return unasked(NCBI_GENE)


async def _from_genes(reach: Reach, target: Target) -> list[Sheet]:
    if (loaded := reach.bulk.release(NCBI_GENE.name)) is None:
        return []
    for row in await reach.bulk.rows(NCBI_GENE.name, target.entrez or target.symbol):
        if row["GeneID"] != target.entrez and row["Symbol"] != target.symbol:
            continue
        edition = Edition.of_bulk(NCBI_GENE, loaded)
        link = f"https://www.ncbi.nlm.nih.gov/gene/{row['GeneID']}"
        sheet = Edition(edition.database, edition.release, edition.date, link).sheet(
            f"{target.symbol}, gene {row['GeneID']}", target.symbol
        )
        sheet.line(f"Gene {row['GeneID']}: {row['Symbol']}, {row.get('description', '')}")
        _kind(sheet, target.symbol, row.get("type_of_gene", ""))
        return [sheet]
    return []


async def _esummary(web: Web, target: Target) -> list[Sheet]:
    """The summary of RefSeq. Raises `ToolFailed`."""
    if not target.entrez:
        return []
    params = (("db", "gene"), ("id", target.entrez), ("retmode", "json"))
    reply = await web.fetch(WebRequest(NCBI_GENE.name, EUTILS, params))
    if reply is None:
        return []
    said = at(json_of(reply, NCBI_GENE.title), "result", target.entrez)
    symbol = text(said, "nomenclaturesymbol") or text(said, "name")
    if not symbol:
        raise unknown_form(NCBI_GENE.title, "no symbol")
    if symbol not in target.symbols or text(said, "organism", "taxid") not in ("", HUMAN):
        raise other_gene(NCBI_GENE.title, symbol, target)
    link = f"https://www.ncbi.nlm.nih.gov/gene/{target.entrez}"
    sheet = Edition.of_reply(NCBI_GENE, reply, link).sheet(f"summary of {target.symbol}", target.symbol)
    _summary(sheet, target.symbol, text(said, "summary"))
    return [sheet]


def _kind(sheet: Sheet, gene: str, kind: str) -> None:
    if kind and kind != "-":
        sheet.fact(
            Topic.FUNCTION, f"NCBI Gene lists {gene} as a {kind} gene.", sheet.line(f"Type of gene: {kind}")
        )


def _summary(sheet: Sheet, gene: str, summary: str) -> None:
    """Each sentence of the summary on a line of its own."""
    for said in split_sentences(BY.sub("", summary)):
        line = sheet.line(f"Summary of {gene}: {sentence(said)}")
        sheet.fact(Topic.FUNCTION, f"RefSeq on {gene}: {sentence(said)}", line)


ncbi_gene_tool = TargetTool(
    "gene_summary",
    "What a target's gene is, in the words of RefSeq (NCBI Gene).",
    NCBI_GENE,
    gene_summary,
    (Topic.FUNCTION,),
)
