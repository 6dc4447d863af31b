"""Monarch: phenotypes of mouse genes as MGI annotates them, over the network.

MGI itself has no service that programs are meant to ask; the Monarch Initiative serves its annotations.
"""

from collections.abc import Sequence

from pydantic import JsonValue

from agents.counts import number_of
from agents.databases.database import Database
from agents.databases.edition import Edition
from agents.databases.facts import Change, Topic
from agents.databases.fields import at, json_of, list_of, number, text, texts
from agents.databases.ports import Web, WebRequest
from agents.databases.sheet import Sheet
from agents.databases.target import Target
from agents.errors import ToolFailed

TITLE = "Monarch"
API = "https://api.monarchinitiative.org/v3/api"
CATEGORY = "biolink:GeneToPhenotypicFeatureAssociation"
MOUSE = "Mus musculus"
AT_MOST = 500
Phenotype = tuple[str, str, tuple[str, ...]]
"""A term's id, its name, and papers."""


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
    sheet = describe_phenotypes(Edition.of_reply(database, got, link), target, gene, found)
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
            found.setdefault(term, (term, name, texts(one, "publications")))
    if others and not found:
        raise ToolFailed(f"{TITLE} replied with {others[0]}, not with {marker}. Go on without it.")
    ordered = tuple(sorted(found.values(), key=lambda one: one[1].casefold()))
    return ordered, int(number(value, "total") or len(ordered))


def describe_phenotypes(
    edition: Edition, target: Target, gene: tuple[str, str], found: Sequence[Phenotype]
) -> Sheet:
    """The record: a line and a fact a phenotype, and a fact that counts them."""
    marker, mouse = gene
    human = target.symbol
    sheet = edition.sheet(
        f"phenotypes of mice with mutations of {mouse}, ortholog of human {human}, as {TITLE} serves them",
        human,
    )
    sheet.line(f"Mouse gene: {mouse} ({marker}), ortholog of human {human}")
    sheet.fact(
        Topic.PHENOTYPE,
        f"{edition.name} lists {number_of(len(found), 'phenotype')} of mice with mutations of {mouse}, the "
        f"ortholog of "
        f"human {human}.",
        sheet.line(f"Phenotypes of mice with mutations of {mouse}: {len(found)}"),
        species="mouse",
        change=Change.LOSS,
        assumed=True,
        measure="number of phenotypes",
        value=len(found),
    )
    for term, name, papers in found:
        cited = next((paper for paper in papers if paper.startswith("PMID:")), "")
        tail = f", {cited}" if cited else ""
        sheet.fact(
            Topic.PHENOTYPE,
            f"In {edition.name}, mice with mutations of {mouse}, the ortholog of human {human}, show: {name} "
            f"({term}{tail}).",
            sheet.line(f"{name} ({term}{tail})"),
            term=name,
            id=term,
            species="mouse",
            change=Change.LOSS,
            assumed=True,
        )
    return sheet
