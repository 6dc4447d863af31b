"""NCBI Gene and RefSeq: the summary of a gene, and the accessions of its transcripts and proteins.

Bulk: `gene_info` (names, place, kind of gene) and the summary of MANE (the transcript on which RefSeq and
Ensembl agree). Live: the summary, over E-utilities.
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
MANE = "ncbi-gene-mane"
BY = re.compile(r"\s*\[provided by [^]]*\]\.?")


def _genes(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "tax_id", "GeneID", "Symbol"):
        if row["tax_id"] == HUMAN:
            ensembl = re.search(r"Ensembl:(ENSG\d+)", row.get("dbXrefs", ""))
            names = row.get("Synonyms", "-").removeprefix("-").split("|")
            yield from under(row, row["Symbol"], row["GeneID"], ensembl[1] if ensembl else "", *names)


def _mane(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "NCBI_GeneID", "symbol", "RefSeq_nuc", "MANE_status"):
        yield from under(row, row["symbol"], row["NCBI_GeneID"].removeprefix("GeneID:"))


NCBI_GENE = Database(
    name="ncbi-gene",
    title="NCBI Gene",
    tells="summary of the gene, RefSeq transcripts and proteins",
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
        BulkFormat(
            MANE,
            "MANE.GRCh38.summary.txt",
            "https://ftp.ncbi.nlm.nih.gov/refseq/MANE/MANE_human/current/",
            "#NCBI_GeneID, Ensembl_Gene, HGNC_ID, symbol, name, RefSeq_nuc, RefSeq_prot, …",
            with_columns("NCBI_GeneID", "RefSeq_nuc", "MANE_status"),
            _mane,
        ),
    ),
)


async def gene_summary(reach: Reach, target: Target) -> TargetFindings:
    """What NCBI Gene says of a target. Raises `ToolFailed`."""
    sheets = [*await _from_genes(reach, target), *await _from_mane(reach, target)]
    if reach.web is not None:
        return target_findings(
            [*sheets, *await _esummary(reach.web, target)], nothing=f"NCBI Gene has no {target.symbol}."
        )
    if sheets:
        missing = "The summary by RefSeq was not asked for: files hold none, and the network is not used."
        return target_findings(sheets, nothing="", missing=(missing,))
    if reach.bulk.release(NCBI_GENE.name) or reach.bulk.release(MANE):
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
        kind, place = row.get("type_of_gene", ""), row.get("map_location", "")
        sheet.line(f"Gene {row['GeneID']}: {row['Symbol']}, {row.get('description', '')}")
        _kind_and_place(sheet, target.symbol, kind, place)
        return [sheet]
    return []


async def _from_mane(reach: Reach, target: Target) -> list[Sheet]:
    if (loaded := reach.bulk.release(MANE)) is None:
        return []
    rows = [row for row in await reach.bulk.rows(MANE, target.symbol) if row["symbol"] == target.symbol]
    if not rows:
        return []
    sheet = Edition.of_bulk(NCBI_GENE, loaded).sheet(f"MANE transcripts of {target.symbol}", target.symbol)
    for row in rows:
        _transcript(sheet, target.symbol, row["RefSeq_nuc"], row.get("RefSeq_prot", ""), row["MANE_status"])
    return [sheet]


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
    _kind_and_place(sheet, target.symbol, "", text(said, "maplocation"))
    _summary(sheet, target.symbol, text(said, "summary"))
    return [sheet]


def _kind_and_place(sheet: Sheet, gene: str, kind: str, place: str) -> None:
    if kind and kind != "-":
        line = sheet.line(f"Type of gene: {kind}")
        sheet.fact(Topic.FUNCTION, f"NCBI Gene lists {gene} as a {kind} gene.", line)
    if place and place != "-":
        line = sheet.line(f"Map location: {place}")
        sheet.fact(Topic.LOCATION, f"The gene {gene} lies at {place}.", line, measure="locus")


def _summary(sheet: Sheet, gene: str, summary: str) -> None:
    """Each sentence of the summary on a line of its own."""
    for said in split_sentences(BY.sub("", summary)):
        line = sheet.line(f"Summary of {gene}: {sentence(said)}")
        sheet.fact(Topic.FUNCTION, f"RefSeq on {gene}: {sentence(said)}", line)


def _transcript(sheet: Sheet, gene: str, rna: str, protein: str, status: str) -> None:
    if not rna:
        return
    of = f" with protein {protein}" if protein else ""
    line = sheet.line(f"Transcript {rna}{of}{f' ({status})' if status else ''}")
    if status:
        said = f"The {status} transcript of {gene} in RefSeq is {rna}{of}."
        sheet.fact(Topic.FUNCTION, said, line, id=protein or rna)


ncbi_gene_tool = TargetTool(
    "gene_summary",
    "What a target's gene is, in the words of RefSeq, with its transcripts and proteins (NCBI Gene).",
    NCBI_GENE,
    gene_summary,
    (Topic.FUNCTION, Topic.LOCATION),
)
