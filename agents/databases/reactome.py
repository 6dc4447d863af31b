"""Reactome: the pathways of a protein. Bulk: `ReactomePathways.gmt`. Live: the content service."""

from collections.abc import Iterable, Iterator
from functools import partial

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, under
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import items, json_of, text
from agents.databases.gene_sets import GeneSet, describe_sets, read_sets, set_row, sets_of
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import unknown_form
from agents.databases.sheet import Sheet, told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, not_asked, target_tool, unasked
from agents.databases.targets import Targets
from agents.databases.written import plain_text
from agents.errors import ToolFailed
from agents.tools.tool import Tool

TITLE = "Reactome"
API = "https://reactome.org/ContentService/data"
SUMMED = 3
"""Pathways whose summary is read over the network: the first ones of the list."""
HUMAN = "Homo sapiens"


def _pathways(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for name, key, genes in read_sets(lines):
        yield from under(set_row(name, key, genes), *genes)


def _fits(head: Iterable[str]) -> bool:
    cells = [line.split("\t") for line in head if line.strip()]
    return bool(cells) and all(len(one) > 2 and one[1].startswith("R-") for one in cells)


REACTOME = Database(
    name="reactome",
    title=TITLE,
    tells="pathways of the protein",
    licence="CC0 1.0",
    page="https://reactome.org/",
    formats=(
        BulkFormat(
            "reactome",
            "ReactomePathways.gmt",
            "https://reactome.org/download-data",
            "pathway, id, gene symbols",
            _fits,
            _pathways,
        ),
    ),
)


def reactome_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool."""
    return target_tool(
        "pathways",
        "Which pathways a target takes part in, the narrowest first (Reactome).",
        REACTOME,
        reach,
        targets,
        partial(pathways, reach),
        (Topic.PATHWAY, Topic.FUNCTION),
    )


async def pathways(reach: Reach, target: Target) -> Told:
    """The pathways of a target: from the loaded file, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(REACTOME.name)
    if loaded is None:
        return await _live(reach.web, target) if reach.web else unasked(REACTOME)
    sets, symbol = await sets_of(reach, REACTOME.name, target)
    none = f"{TITLE} lists no pathway of {target.symbol}."
    if not sets:
        return absent(none)
    edition = Edition.of_bulk(REACTOME, loaded)
    sheet = edition.sheet(f"pathways of {target.symbol}", target.symbol)
    if symbol != target.symbol:
        sheet.line(f"{target.symbol} is listed under its former symbol {symbol}")
    describe_sets(sheet, target, sets, edition, Topic.PATHWAY, ("pathway", "pathways"))
    return told((sheet,), nothing=none)


async def _live(web: Web, target: Target) -> Told:
    """The pathways of the protein, and what Reactome writes of the first of them."""
    if not target.uniprot:
        return not_asked(f"{TITLE} is asked by UniProt accession, and none is known of {target.symbol}.")
    url = f"{API}/mapping/UniProt/{target.uniprot}/pathways"
    got = await web.fetch(WebRequest(REACTOME.name, url, (("species", "9606"),)))
    found = listed_pathways(json_of(got, TITLE)) if got else ()
    if not got or not found:
        return absent(f"{TITLE} lists no pathway of {target.symbol}.")
    link = f"https://reactome.org/content/query?q={target.uniprot}&species=Homo+sapiens"
    edition = Edition.of_reply(REACTOME, got, link)
    sheet = edition.sheet(f"pathways of {target.symbol}", target.symbol)
    sheet.line(f"Protein: {target.symbol} ({target.uniprot})")
    describe_sets(sheet, target, found, edition, Topic.PATHWAY, ("pathway", "pathways"))
    sheets, missing = [sheet], []
    for one in found[:SUMMED]:
        try:
            summed = await _summary(web, target, one)
        except ToolFailed as error:
            missing.append(f"What {TITLE} writes of {one.name} is missing: {error}")
        else:
            sheets += [summed] if summed else []
    return told(sheets, nothing="", missing=missing)


async def _summary(web: Web, target: Target, pathway: GeneSet) -> Sheet | None:
    """The record of one pathway: its first sentences. None where Reactome writes none."""
    got = await web.fetch(WebRequest(REACTOME.name, f"{API}/query/{pathway.id}"))
    written = summary_of(json_of(got, TITLE), pathway.id) if got else ""
    if not got or not written:
        return None
    link = f"https://reactome.org/content/detail/{pathway.id}"
    sheet = Edition.of_reply(REACTOME, got, link).sheet(
        f"{pathway.name}, a pathway of {target.symbol}", pathway.id
    )
    lines = [sheet.line(sentence) for sentence in plain_text(written)]
    sheet.fact(
        Topic.FUNCTION,
        f"{TITLE} writes of {pathway.name}, a pathway of {target.symbol}: “{lines[0].removeprefix('- ')}”.",
        lines[0],
        term=pathway.name,
        id=pathway.id,
    )
    return sheet


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


def summary_of(value: JsonValue, pathway: str) -> str:
    """What Reactome writes of a pathway. Raises `ToolFailed` for the reply on another one."""
    found = text(value, "stId")
    if found != pathway:
        raise ToolFailed(f"{TITLE} replied with {found or 'another pathway'}, not with {pathway}.")
    return next((text(one, "text") for one in items(value, "summation")), "")
