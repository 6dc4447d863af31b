"""Whom a name means, as mygene.info says over the network."""

import re

from pydantic import JsonValue

from agents.databases.database import database
from agents.databases.fields import items, json_of, list_of, text, texts
from agents.databases.naming import ACCESSION
from agents.databases.ports import Web, WebRequest
from agents.databases.target import Target

MYGENE = database("mygene")
MYGENE_FIELDS = "symbol,name,alias,entrezgene,ensembl.gene,uniprot.Swiss-Prot,type_of_gene"
ENSEMBL_ID = re.compile(r"ENSG\d{11}", re.IGNORECASE)
SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')


async def live_targets(web: Web, name: str) -> tuple[Target, ...]:
    """Human genes that may be meant by a name, an identifier or an accession; none if it is unknown.

    Raises `ToolFailed`.
    """
    params = (("q", mygene_query(name)), ("species", "human"), ("fields", MYGENE_FIELDS), ("size", "20"))
    reply = await web.fetch(WebRequest("mygene", "https://mygene.info/v3/query", params))
    if reply is None:
        return ()
    hits = list_of(json_of(reply, MYGENE.title), MYGENE.title, "hits")
    return tuple(of_mygene(hit) for hit in hits if text(hit, "symbol"))


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


def of_mygene(hit: JsonValue) -> Target:
    """The target of a hit."""
    genes = [text(one, "gene") for one in items(hit, "ensembl")]
    return Target(
        text(hit, "symbol"),
        name=text(hit, "name"),
        ensembl=next((gene for gene in genes if ENSEMBL_ID.fullmatch(gene)), ""),
        entrez=text(hit, "entrezgene") or text(hit, "_id"),
        uniprot=next(iter(texts(hit, "uniprot", "Swiss-Prot")), ""),
        aliases=texts(hit, "alias"),
    )
