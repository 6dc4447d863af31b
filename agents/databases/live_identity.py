"""Whom a name means, as databases say over the network: mygene.info, else UniProt, else Ensembl."""

import re
from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from agents.databases.database import Database
from agents.databases.fields import cell, items, json_of, text, texts
from agents.databases.naming import ACCESSION, quoted
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.target import Target
from agents.databases.uniprot_entry import HUMAN, row_of_json
from agents.errors import ToolFailed

MYGENE = Database(
    "mygene",
    "mygene.info",
    "identifiers and other names of genes",
    "CC0 (data of NCBI Gene, Ensembl and UniProt)",
    "https://mygene.info",
    calls=5,
)
MYGENE_FIELDS = "symbol,name,alias,entrezgene,ensembl.gene,uniprot.Swiss-Prot,type_of_gene"
ENSEMBL_ID = re.compile(r"ENSG\d{11}", re.IGNORECASE)
SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
ENSEMBL_URL = "https://rest.ensembl.org/lookup"
UNIPROT_URL = "https://rest.uniprot.org/uniprotkb/search"
JSON = ("content-type", "application/json")


async def live_targets(web: Web, name: str) -> tuple[Target, ...]:
    """Human genes that may be meant by a name, an identifier or an accession; none if it is unknown.

    Raises `ToolFailed` if none of the databases can be asked.
    """
    failed: ToolFailed | None = None
    asks: tuple[Callable[[Web, str], Awaitable[tuple[Target, ...]]], ...] = (_mygene, _uniprot, _ensembl)
    for ask in asks:
        try:
            return await ask(web, name)
        except ToolFailed as error:
            failed = failed or error
    raise failed or ToolFailed("No database of genes can be asked.")


async def _mygene(web: Web, name: str) -> tuple[Target, ...]:
    params = (("q", mygene_query(name)), ("species", "human"), ("fields", MYGENE_FIELDS), ("size", "20"))
    reply = await web.fetch(WebRequest("mygene", "https://mygene.info/v3/query", params))
    if reply is None:
        return ()
    said = json_of(reply, MYGENE.title)
    if not isinstance(said, dict) or not isinstance(said.get("hits"), list):
        raise ToolFailed("mygene.info replied in a form that is not known here.")
    found = (of_mygene(hit, reply) for hit in items(said, "hits"))
    return tuple(target for target in found if target is not None)


def mygene_query(name: str) -> str:
    """The query for a name: by identifier where it is one, else by symbol and alias."""
    if ENSEMBL_ID.fullmatch(name):
        return f"ensembl.gene:{name.upper()}"
    if re.fullmatch(r"\d+", name):
        return f"entrezgene:{name}"
    if hgnc := re.fullmatch(r"HGNC:(\d+)", name, re.IGNORECASE):
        return f"HGNC:{hgnc[1]}"
    quoted = '"' + SPECIAL.sub(r"\\\1", name) + '"'
    accession = f" OR uniprot:{name.upper()}" if ACCESSION.fullmatch(name) else ""
    return f"symbol:{quoted} OR alias:{quoted}{accession}"


def of_mygene(hit: JsonValue, reply: WebReply) -> Target | None:
    """The target of a hit; None for one without a symbol."""
    if not (symbol := text(hit, "symbol")):
        return None
    genes = [text(one, "gene") for one in items(hit, "ensembl")]
    return Target(
        symbol,
        name=text(hit, "name"),
        ensembl=next((gene for gene in genes if ENSEMBL_ID.fullmatch(gene)), ""),
        entrez=text(hit, "entrezgene") or text(hit, "_id"),
        uniprot=next(iter(texts(hit, "uniprot", "Swiss-Prot")), ""),
        aliases=texts(hit, "alias"),
        sources=(f"mygene.info {reply.date}",),
    )


async def _uniprot(web: Web, name: str) -> tuple[Target, ...]:
    exact = f"accession:{name.upper()}" if ACCESSION.fullmatch(name) else f"gene_exact:{quoted(name)}"
    query = f"({exact}) AND organism_id:{HUMAN} AND reviewed:true"
    params = (("query", query), ("format", "json"), ("size", "10"))
    reply = await web.fetch(WebRequest("uniprot", UNIPROT_URL, params))
    found = items(json_of(reply, "UniProt"), "results") if reply else []
    return tuple(target for one in found if reply and (target := of_uniprot(one, reply)) is not None)


def of_uniprot(value: JsonValue, reply: WebReply) -> Target | None:
    """The target of an entry; None for one of another species or without a symbol."""
    row = row_of_json(value)
    if row["taxon"] != HUMAN or not row["symbol"]:
        return None
    return Target(
        row["symbol"],
        name=row["name"],
        ensembl=row["ensembl"],
        entrez=row["entrez"],
        uniprot=row["accession"],
        aliases=texts(cell(row["synonyms"])),
        sources=(f"UniProt {reply.release or reply.date}",),
    )


async def _ensembl(web: Web, name: str) -> tuple[Target, ...]:
    by_id = bool(ENSEMBL_ID.fullmatch(name))
    if not by_id and not re.fullmatch(r"[A-Za-z0-9._-]+", name):
        return ()
    place = f"id/{name.upper()}" if by_id else f"symbol/homo_sapiens/{name}"
    reply = await web.fetch(WebRequest("ensembl", f"{ENSEMBL_URL}/{place}", (JSON,)))
    said = json_of(reply, "Ensembl") if reply else None
    symbol, gene = text(said, "display_name"), text(said, "id")
    if reply is None or not symbol or not ENSEMBL_ID.fullmatch(gene):
        return ()
    described = text(said, "description").partition(" [Source:")[0]
    aliases = () if by_id or symbol.casefold() == name.casefold() else (name,)
    return (Target(symbol, described, gene, aliases=aliases, sources=(f"Ensembl {reply.date}",)),)
