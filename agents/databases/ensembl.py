"""Ensembl: where a gene lies, its canonical transcript and protein, and the protein's domains.

Bulk: GFF3 of Ensembl or GENCODE; where it is not loaded, the target file of Open Targets has gene and
transcript. Live: the REST service.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.ensembl_gff import gff_release, looks_like_gff, rows_of_gff
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, json_of, text
from agents.databases.ports import Reach, Web, WebReply, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, target_tool, unasked
from agents.databases.targets import Targets
from agents.errors import ToolFailed
from agents.tools.tool import Tool

API = "https://rest.ensembl.org"
AS_JSON = ("content-type", "application/json")
OPEN_TARGETS = "opentargets"
COLUMNS = (
    "gene",
    "symbol",
    "chromosome",
    "start",
    "end",
    "strand",
    "biotype",
    "transcript",
    "protein",
)
"""Columns of a loaded file, in the order of the fields of `Gene`."""

ENSEMBL = Database(
    name="ensembl",
    title="Ensembl",
    tells="place of the gene, canonical transcript and protein, domains",
    licence="open",
    page="https://www.ensembl.org",
    calls=10,
    formats=(
        BulkFormat(
            "ensembl",
            "Homo_sapiens.GRCh38.gff3 or gencode.annotation.gff3",
            "https://www.ensembl.org/info/data/ftp/index.html",
            "##gff-version 3 …",
            looks_like_gff,
            rows_of_gff,
            gff_release,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Gene:
    """A gene with its canonical transcript. `strand` is "+" or "-"; what is not known is ""."""

    id: str
    symbol: str
    chromosome: str
    start: str
    end: str
    strand: str
    biotype: str = ""
    transcript: str = ""
    protein: str = ""
    length: str = ""


def ensembl_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool."""

    async def ask(target: Target) -> Told:
        return await gene(reach, target)

    return target_tool(
        "gene_and_transcript",
        "Where a target's gene lies, its canonical transcript and protein, and the domains (Ensembl).",
        ENSEMBL,
        reach,
        targets,
        ask,
        (Topic.FUNCTION, Topic.LOCATION),
    )


async def gene(reach: Reach, target: Target) -> Told:
    """What Ensembl says of a target's gene. Raises `ToolFailed`."""
    if (loaded := reach.bulk.release(ENSEMBL.name)) is not None:
        for row in await reach.bulk.rows(ENSEMBL.name, target.ensembl or target.symbol):
            found = Gene(*(row.get(name, "") for name in COLUMNS))
            return told((_described(target, found, Edition.of_bulk(ENSEMBL, loaded), ()),), nothing="")
    if reach.web is not None:
        return await _live(reach.web, target)
    if (other := await _from_open_targets(reach, target)) is not None:
        return other
    return absent(f"The loaded file of Ensembl has no {target.symbol}.") if loaded else unasked(ENSEMBL)


async def _from_open_targets(reach: Reach, target: Target) -> Told | None:
    """The gene as Open Targets took it from Ensembl."""
    if (loaded := reach.bulk.release(OPEN_TARGETS)) is None:
        return None
    for row in await reach.bulk.rows(OPEN_TARGETS, target.ensembl or target.symbol):
        place, transcript = cell(row.get("genomicLocation", "")), cell(row.get("canonicalTranscript", ""))
        found = Gene(
            row.get("id", ""),
            row.get("approvedSymbol", ""),
            text(place, "chromosome"),
            text(place, "start"),
            text(place, "end"),
            _strand(text(place, "strand")),
            row.get("biotype", ""),
            text(transcript, "id"),
        )
        edition = Edition(
            "Ensembl, as in Open Targets", loaded.release, "" if loaded.release else loaded.loaded
        )
        return told((_described(target, found, edition, ()),), nothing="")
    return None


async def _live(web: Web, target: Target) -> Told:
    place = f"id/{target.ensembl}" if target.ensembl else f"symbol/homo_sapiens/{target.symbol}"
    reply = await web.fetch(WebRequest(ENSEMBL.name, f"{API}/lookup/{place}", (("expand", "1"), AS_JSON)))
    if reply is None:
        return absent(f"Ensembl has no gene {target.ensembl or target.symbol}.")
    found, protein = _gene_of(json_of(reply, ENSEMBL.title), target)
    domains: tuple[JsonValue, ...] = ()
    missing: tuple[str, ...] = ()
    if protein:
        try:
            domains = await _domains(web, protein)
        except ToolFailed as failed:
            missing = (f"Ensembl's domains of {target.symbol} are missing: {failed}",)
    link = f"https://www.ensembl.org/Homo_sapiens/Gene/Summary?g={found.id}"
    edition = Edition.of_reply(ENSEMBL, reply, link)
    return told((_described(target, found, edition, domains),), nothing="", missing=missing)


def _gene_of(said: JsonValue, target: Target) -> tuple[Gene, str]:
    """The gene in a reply, and the id of its canonical protein. Raises `ToolFailed` for another gene."""
    id_, symbol = text(said, "id"), text(said, "display_name")
    if not id_ or not text(said, "seq_region_name"):
        raise unknown_form(ENSEMBL.title, "no gene with a place")
    if text(said, "species") not in ("", "homo_sapiens"):
        raise other_gene(ENSEMBL.title, f"a gene of {text(said, 'species')}", target)
    if (target.ensembl and id_ != target.ensembl) or (not target.ensembl and symbol not in target.symbols):
        raise other_gene(ENSEMBL.title, symbol or id_, target)
    canonical = next((one for one in items(said, "Transcript") if text(one, "is_canonical") == "1"), None)
    protein = text(canonical, "Translation", "id")
    transcript = text(canonical, "id") or text(said, "canonical_transcript").partition(".")[0]
    found = Gene(
        id_,
        symbol,
        text(said, "seq_region_name"),
        text(said, "start"),
        text(said, "end"),
        _strand(text(said, "strand")),
        text(said, "biotype"),
        transcript,
        protein,
        text(canonical, "Translation", "length"),
    )
    return found, protein


async def _domains(web: Web, protein: str) -> tuple[JsonValue, ...]:
    """The Pfam domains of a protein."""
    params = (("feature", "protein_feature"), ("type", "Pfam"), AS_JSON)
    reply: WebReply | None = await web.fetch(
        WebRequest(ENSEMBL.name, f"{API}/overlap/translation/{protein}", params)
    )
    return tuple(items(json_of(reply, ENSEMBL.title))) if reply else ()


def _described(target: Target, found: Gene, edition: Edition, domains: tuple[JsonValue, ...]) -> Sheet:
    """The record. Raises `ToolFailed` for a row of another gene."""
    if found.symbol and found.symbol not in target.symbols and found.id != target.ensembl:
        raise other_gene(edition.database, found.symbol, target)
    symbol = target.symbol
    sheet = edition.sheet(f"gene, transcript and protein of {symbol}", symbol)
    sheet.line(f"Gene {found.id} ({found.symbol or symbol})")
    if found.chromosome and found.start and found.end:
        span = f"chromosome {found.chromosome}, {found.start} to {found.end}, strand {found.strand}"
        line = sheet.line(f"Place: {span}")
        sheet.fact(Topic.LOCATION, f"The gene {symbol} lies on {span}.", line, measure="locus")
    if found.biotype:
        kind = found.biotype.replace("_", " ")
        line = sheet.line(f"Type of gene: {kind}")
        sheet.fact(Topic.FUNCTION, f"Ensembl lists {symbol} as a {kind} gene.", line)
    if found.transcript:
        of = f", with protein {found.protein}" if found.protein else ""
        size = f" of {found.length} amino acids" if found.protein and found.length else ""
        line = sheet.line(f"Canonical transcript: {found.transcript}{of}{size}")
        said = f"The canonical transcript of {symbol} is {found.transcript}{of}{size}."
        sheet.fact(Topic.FUNCTION, said, line, id=found.protein or found.transcript)
    for one in domains:
        _domain(sheet, symbol, one)
    return sheet


def _domain(sheet: Sheet, symbol: str, one: JsonValue) -> None:
    name, start, end = text(one, "description") or text(one, "id"), text(one, "start"), text(one, "end")
    if name and start and end:
        line = sheet.line(f"Domain (Pfam {text(one, 'id')}): {name}, residues {start} to {end}")
        said = f"By Pfam, the protein of {symbol} has at residues {start} to {end}: {name}."
        sheet.fact(Topic.FUNCTION, said, line, term=name, id=text(one, "id"))


def _strand(written: str) -> str:
    return {"1": "+", "-1": "-"}.get(written, written)
