"""Monarch: phenotypes of mouse genes as MGI annotates them, over the network.

MGI itself has no service that programs are meant to ask; the Monarch Initiative serves its annotations.
"""

from pydantic import JsonValue

from agents.databases.database import Database
from agents.databases.edition import Edition
from agents.databases.fields import at, json_of, list_of, number, text, texts
from agents.databases.genotypes import Phenotype, describe_phenotypes
from agents.databases.ports import Web, WebRequest
from agents.databases.sheet import Sheet
from agents.databases.target import Target
from agents.errors import ToolFailed

TITLE = "Monarch"
API = "https://api.monarchinitiative.org/v3/api"
CATEGORY = "biolink:GeneToPhenotypicFeatureAssociation"
MOUSE = "Mus musculus"
AT_MOST = 500


async def mouse_gene(web: Web, target: Target, database: Database) -> tuple[str, str]:
    """Id and symbol of the mouse gene of the same symbol; two empty texts where there is none.

    Only the same symbol is taken: a search finds many genes, and a wrong one would speak for the target.
    """
    asked = (("q", target.symbol), ("category", "biolink:Gene"), ("in_taxon_label", MOUSE), ("limit", "20"))
    got = await web.fetch(WebRequest(database.name, f"{API}/search", asked))
    if got is None:
        return "", ""
    for one in list_of(json_of(got, TITLE), TITLE, "items"):
        key, name = text(one, "id"), text(one, "symbol") or text(one, "name")
        if key.startswith("MGI:") and name.casefold() == target.symbol.casefold():
            return key, name
    return "", ""


async def phenotype_sheet(
    web: Web, target: Target, gene: tuple[str, str], database: Database
) -> tuple[Sheet | None, tuple[str, ...]]:
    """The record of a mouse gene's phenotypes, and what was not read. None where there are none."""
    marker, mouse = gene
    asked = (("subject", marker), ("category", CATEGORY), ("limit", str(AT_MOST)))
    got = await web.fetch(WebRequest(database.name, f"{API}/association", asked))
    found, total = read_phenotypes(json_of(got, TITLE), marker) if got else ((), 0)
    if got is None or not found:
        return None, ()
    link = f"https://monarchinitiative.org/{marker}"
    edition, kinds = Edition.of_reply(database, got, link), ("phenotype", "phenotypes")
    served = f", as {TITLE} serves them"
    sheet = describe_phenotypes(edition, target.symbol, gene, found, kinds, served=served)
    cut = f"Of {total} annotations of mouse {mouse}, the first {AT_MOST} were read."
    return sheet, (cut,) if total > AT_MOST else ()


def read_phenotypes(value: JsonValue, marker: str) -> tuple[tuple[Phenotype, ...], int]:
    """Phenotypes by name, each once, and how many annotations there are in all.

    Raises `ToolFailed` for another form, and where all annotations are of other genes.
    """
    found: dict[str, Phenotype] = {}
    others = []
    for one in list_of(value, TITLE, "items"):
        if text(one, "subject") != marker:
            others.append(text(one, "subject") or "another gene")
            continue
        term, name = text(one, "object"), text(one, "object_label")
        if term.startswith("MP:") and name and at(one, "negated") is not True:
            papers = (paper for paper in texts(one, "publications") if paper.startswith("PMID:"))
            found.setdefault(term, Phenotype(term, name, paper=next(papers, "")))
    if others and not found:
        raise ToolFailed(f"{TITLE} replied with {others[0]}, not with {marker}. Go on without it.")
    ordered = tuple(sorted(found.values(), key=lambda one: one.name.casefold()))
    return ordered, int(number(value, "total") or len(ordered))
