"""QuickGO: annotations of a protein with terms of the Gene Ontology, over the network."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.databases.annotations import Annotation, describe_annotations
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.fields import at, items, json_of, number, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import told
from agents.databases.target import Target
from agents.databases.target_tool import Told, not_asked
from agents.errors import ToolFailed

TITLE = "QuickGO"
API = "https://www.ebi.ac.uk/QuickGO/services"
PAGE_SIZE, PAGES = 100, 10
TERMS_AT_ONCE = 50


async def annotations_of(web: Web, target: Target, database: Database) -> Told:
    """All annotations of a protein, and the names of their terms. Raises `ToolFailed`."""
    if not target.uniprot:
        return not_asked(f"{TITLE} is asked by UniProt accession, and none is known of {target.symbol}.")
    found: list[Annotation] = []
    total, first = 0, None
    for page in range(1, PAGES + 1):
        got = await web.fetch(_request(database, target, page))
        if got is None:
            break
        first = first or got
        read, total, seen = read_annotations(json_of(got, TITLE), target)
        found += read
        if not seen or page * PAGE_SIZE >= total:
            break
    if first is None or not found:
        return absent(f"The Gene Ontology holds no annotation of {target.symbol} ({target.uniprot}).")
    named, missing = await _named(web, found, database)
    if total > PAGES * PAGE_SIZE:
        missing += (f"Of {total} annotations of {target.symbol}, the first {PAGES * PAGE_SIZE} were read.",)
    sheet = describe_annotations(_edition(database, target, first), target, named)
    return told((sheet,), nothing="", missing=missing)


def _request(database: Database, target: Target, page: int) -> WebRequest:
    asked = (("geneProductId", target.uniprot), ("limit", str(PAGE_SIZE)), ("page", str(page)))
    return WebRequest(database.name, f"{API}/annotation/search", asked)


def _edition(database: Database, target: Target, got: WebReply) -> Edition:
    link = f"https://www.ebi.ac.uk/QuickGO/annotations?geneProductId={target.uniprot}"
    return Edition.of_reply(database, got, link)


def read_annotations(value: JsonValue, target: Target) -> tuple[list[Annotation], int, int]:
    """Annotations of the protein on one page, how many there are in all, and how many are on the page.

    Raises `ToolFailed` where all of a page are of other proteins.
    """
    if not isinstance(at(value, "results"), list):
        raise unknown_form(TITLE, "no list `results`")
    found, others = [], []
    for one in items(value, "results"):
        product = text(one, "geneProductId").removeprefix("UniProtKB:")
        if product.split("-")[0].split(":")[0] != target.uniprot:
            others.append(product)
        elif term := text(one, "goId"):
            found.append(
                Annotation(
                    term,
                    text(one, "goName"),
                    text(one, "goAspect"),
                    text(one, "qualifier"),
                    text(one, "goEvidence"),
                    text(one, "reference"),
                )
            )
    if others and not found:
        raise other_gene(TITLE, others[0], target)
    return found, int(number(value, "numberOfHits") or len(found)), len(found) + len(others)


async def _named(
    web: Web, found: Sequence[Annotation], database: Database
) -> tuple[list[Annotation], tuple[str, ...]]:
    """The annotations with the names of their terms, and what could not be named."""
    unnamed = sorted({one.term for one in found if not one.name})
    names: dict[str, str] = {}
    missing: tuple[str, ...] = ()
    for start in range(0, len(unnamed), TERMS_AT_ONCE):
        part = unnamed[start : start + TERMS_AT_ONCE]
        try:
            got = await web.fetch(WebRequest(database.name, f"{API}/ontology/go/terms/{','.join(part)}"))
            names.update(term_names(json_of(got, TITLE)) if got else {})
        except ToolFailed as error:
            missing = (f"Some terms of the Gene Ontology have no name here: {error}",)
    return [_with_name(one, names) for one in found], missing


def _with_name(one: Annotation, names: Mapping[str, str]) -> Annotation:
    return one if one.name else replace(one, name=names.get(one.term, ""))


def term_names(value: JsonValue) -> dict[str, str]:
    """Names by id, in a reply of `ontology/go/terms`."""
    if not isinstance(at(value, "results"), list):
        raise unknown_form(TITLE, "no list `results`")
    return {text(one, "id"): text(one, "name") for one in items(value, "results") if text(one, "id")}
