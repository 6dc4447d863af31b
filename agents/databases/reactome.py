"""Reactome: the pathways of a protein. Bulk: `ReactomePathways.gmt`. Live: the content service."""

from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, under
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import json_of, text
from agents.databases.gene_sets import GeneSet, describe_sets, read_sets, set_row, sets_of
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import unknown_form
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, not_asked, unasked

API = "https://reactome.org/ContentService/data"
HUMAN = "Homo sapiens"


def _pathways(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for name, key, genes in read_sets(lines):
        yield from under(set_row(name, key, genes), *genes)


def _fits(head: Iterable[str]) -> bool:
    cells = [line.split("\t") for line in head if line.strip()]
    return bool(cells) and all(len(one) > 2 and one[1].startswith("R-") for one in cells)


REACTOME = database(
    "reactome",
    BulkFormat(
        "reactome",
        "ReactomePathways.gmt",
        "https://reactome.org/download-data",
        "pathway, id, gene symbols",
        _fits,
        _pathways,
    ),
)
TITLE = REACTOME.title


async def pathways(reach: Reach, target: Target) -> TargetFindings:
    """The pathways of a target: from the loaded file, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(REACTOME.name)
    if loaded is None:
        return await _live(reach.web, target) if reach.web else unasked(REACTOME)
    return _told(Edition.of_bulk(REACTOME, loaded), target, *await sets_of(reach, REACTOME.name, target))


def _told(edition: Edition, target: Target, sets: Sequence[GeneSet], note: str) -> TargetFindings:
    if not sets:
        return absent(f"{TITLE} lists no pathway of {target.symbol}.")
    sheet = describe_sets(edition, target, sets, Topic.PATHWAY, ("pathway", "pathways"), note)
    return target_findings((sheet,))


async def _live(web: Web, target: Target) -> TargetFindings:
    """The pathways of the protein."""
    if not target.uniprot:
        return not_asked(f"{TITLE} is asked by UniProt accession, and none is known of {target.symbol}.")
    url = f"{API}/mapping/UniProt/{target.uniprot}/pathways"
    got = await web.fetch(WebRequest(REACTOME.name, url, (("species", "9606"),)))
    if got is None:
        return absent(f"{TITLE} lists no pathway of {target.symbol}.")
    link = f"https://reactome.org/content/query?q={target.uniprot}&species=Homo+sapiens"
    note = f"Protein: {target.symbol} ({target.uniprot})"
    return _told(Edition.of_reply(REACTOME, got, link), target, listed_pathways(json_of(got, TITLE)), note)


def listed_pathways(value: JsonValue) -> tuple[GeneSet, ...]:
    """Human pathways of a reply of `mapping`, by name. Raises `ToolFailed` for another form."""
    if not isinstance(value, list):
        raise unknown_form(TITLE, "no list of pathways")
    found = {
        key: GeneSet(name, key)
        for one in value
        if (key := text(one, "stId")) and (name := text(one, "displayName"))
        if text(one, "speciesName") in ("", HUMAN)
    }
    if value and not found:
        raise unknown_form(TITLE, "no human pathway in a list of them")
    return tuple(sorted(found.values(), key=lambda one: one.name.casefold()))


reactome_tool = TargetTool("pathways", REACTOME, pathways, (Topic.PATHWAY,))
