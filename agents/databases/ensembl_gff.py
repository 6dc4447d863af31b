"""Genes with their canonical transcripts from a GFF3 file of Ensembl or GENCODE."""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from agents.databases.bulk_format import Row, under

GENES = frozenset(("gene", "ncRNA_gene", "pseudogene"))
PASSED_OVER = frozenset(
    (
        "exon",
        "five_prime_UTR",
        "three_prime_UTR",
        "start_codon",
        "stop_codon",
        "stop_codon_redefined_as_selenocysteine",
        "biological_region",
    )
)
"""Kinds of most lines, which say nothing that is asked here."""
CELLS = 9


def rows_of_gff(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """A row a gene, under symbol and Ensembl id: place, kind, and its canonical transcript and protein."""
    gene: dict[str, str] = {}
    for line in lines:
        cells = line.split("\t")
        if line.startswith("#") or len(cells) != CELLS or cells[2] in PASSED_OVER:
            continue
        kind, fields = cells[2], _fields(cells[8])
        if kind in GENES:
            yield from _finished(gene)
            gene = _gene(cells, fields)
        elif gene and "Ensembl_canonical" in fields.get("tag", "").split(","):
            gene["transcript"] = gene["transcript"] or _bare(fields.get("transcript_id", ""))
        if kind == "CDS" and gene and _of(fields, gene["transcript"]):
            gene["protein"] = _bare(fields.get("protein_id", "")) or gene["protein"]
    yield from _finished(gene)


def looks_like_gff(head: Sequence[str]) -> bool:
    """Whether a GFF3 file of a genome begins so."""
    return bool(head) and head[0].startswith("##gff-version") and any(_is_ensembl(line) for line in head)


def _is_ensembl(line: str) -> bool:
    return any(name in line for name in ("GRCh", "ENSG", "GENCODE", "genome-build", "sequence-region"))


def gff_release(head: Sequence[str]) -> str:
    """The release that GENCODE writes above its rows ("version 49 (Ensembl 115)"); "" for Ensembl's files."""
    described = (line for line in head if line.startswith("#description:") and "version" in line)
    return next(described, "").partition("version")[2].partition("- produced")[0].strip(" ,")


def _gene(cells: Sequence[str], fields: dict[str, str]) -> dict[str, str]:
    return {
        "gene": _bare(fields.get("gene_id", "")),
        "symbol": fields.get("Name") or fields.get("gene_name", ""),
        "chromosome": cells[0].removeprefix("chr"),
        "start": cells[3],
        "end": cells[4],
        "strand": cells[6],
        "biotype": fields.get("biotype") or fields.get("gene_type", ""),
        "transcript": "",
        "protein": "",
    }


def _finished(gene: dict[str, str]) -> Iterator[tuple[str, Row]]:
    if gene.get("gene"):
        yield from under(gene, gene["symbol"], gene["gene"])


def _fields(cell: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in cell.strip().split(";") if part)
    return {name: unquote(value) for name, _, value in pairs}


def _of(fields: dict[str, str], transcript: str) -> bool:
    """Whether a row is a part of a transcript."""
    parent = fields.get("transcript_id") or fields.get("Parent", "")
    return bool(transcript) and _bare(parent.removeprefix("transcript:")) == transcript


def _bare(name: str) -> str:
    """An identifier without its version."""
    return name.partition(".")[0]
