"""Open Targets Platform: what all of its tools share: its GraphQL service and the files of a release.

Data: CC0. What it says of drugs comes from ChEMBL.
"""

import json
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from agents.databases.bulk_format import (
    BulkFormat,
    Row,
    json_lines,
    json_under,
    table,
    under,
    with_columns,
    with_fields,
)
from agents.databases.database import database
from agents.databases.edition import Edition
from agents.databases.fields import at, cell, items, json_of, text, texts
from agents.databases.ports import Reach, Web, WebReply, WebRequest
from agents.databases.refusals import unknown_form
from agents.databases.sheet import sentence
from agents.databases.target import Target
from agents.errors import ToolFailed

API = "https://api.platform.opentargets.org/api/v4/graphql"
DOWNLOADS = "https://platform.opentargets.org/downloads"
PAGE = "https://platform.opentargets.org/"

VERSION = "query DataVersion { meta { dataVersion { year month } } }"
TARGETS, DRUGS = "opentargets", "opentargets-drugs"
MECHANISMS = "opentargets-mechanisms"
SAFETY = "opentargets-safety"


def _drugs(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in json_lines(lines):
        linked = texts(cell(row.get("linkedTargets", "")), "rows")
        yield from under(row, row.get("id", ""), *linked)


def _mechanisms(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in json_lines(lines):
        yield from under(row, *texts(cell(row.get("targets", ""))))


def _curated(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Rows of the curators' own table in the form of the release. It repeats each symptom of a review with
    every system of its target: the system is left out.
    """
    for row in table(lines, "symptom", "effect", "ensemblId", "ref", "target"):
        direction, _, dosing = row["effect"].partition("_")
        kept = {
            "event": row["symptom"].rpartition(":")[2].strip(),
            "eventId": row.get("efoId", ""),
            "datasource": row["ref"],
            "literature": row.get("pmid", ""),
            "effects": json.dumps([{"direction": direction, "dosing": dosing}]),
        }
        yield from under(kept, row["ensemblId"], row["target"])


FORMATS = (
    BulkFormat(
        TARGETS,
        "target (Parquet or JSON lines)",
        DOWNLOADS,
        '{"id": "ENSG…", "approvedSymbol": …, "homologues": …}',
        with_fields("id", "approvedSymbol", "approvedName"),
        json_under("approvedSymbol", "id"),
    ),
    BulkFormat(
        DRUGS,
        "drug_molecule (Parquet or JSON lines)",
        DOWNLOADS,
        '{"id": "CHEMBL…", "name": …, "drugType": …, "linkedTargets": …}',
        with_fields("id", "name", "drugType"),
        _drugs,
    ),
    BulkFormat(
        MECHANISMS,
        "drug_mechanism_of_action (Parquet or JSON lines)",
        DOWNLOADS,
        '{"actionType": …, "mechanismOfAction": …, "chemblIds": […], "targets": […]}',
        with_fields("actionType", "mechanismOfAction", "chemblIds", "targets"),
        _mechanisms,
    ),
    BulkFormat(
        SAFETY,
        "adverse_effects.tsv",
        "https://github.com/opentargets/curation/tree/master/target_safety",
        "symptom, biologicalSystem, effect, efoId, ensemblId, pmid, ref, target, …",
        with_columns("symptom", "effect", "ensemblId", "ref", "target"),
        _curated,
    ),
    BulkFormat(
        SAFETY,
        "target safety (JSON lines)",
        DOWNLOADS,
        '{"id": "ENSG…", "event": …, "datasource": …, "effects": …, "biosamples": …}',
        with_fields("event", "datasource", "biosamples"),
        json_under("id", "targetFromSourceId"),
    ),
)

OPEN_TARGETS = database(TARGETS, *FORMATS)
TITLE = OPEN_TARGETS.title


def page_of(target: Target) -> str:
    """The address for people of what there is on a target."""
    return f"{PAGE}target/{target.ensembl}" if target.ensembl else PAGE


async def rows_of(reach: Reach, source: str, target: Target) -> list[Row]:
    """The rows of a loaded file on a target, each once, whether it knows it by Ensembl id or by symbol."""
    keys = dict.fromkeys(filter(None, (target.ensembl, target.symbol)))
    rows = [row for key in keys for row in await reach.bulk.rows(source, key)]
    return [row for number, row in enumerate(rows) if row not in rows[:number]]


def graphql(query: str, **variables: JsonValue) -> WebRequest:
    """A request of the GraphQL service."""
    body = {"query": " ".join(query.split()), "variables": variables}
    return WebRequest(OPEN_TARGETS.name, API, body=json.dumps(body, sort_keys=True))


async def target_of(web: Web, query: str, target: Target) -> tuple[JsonValue, Edition] | None:
    """What the service says of a target; None where it does not know it.

    `query` takes `$id` and asks `target(ensemblId: $id)` for `id` and `approvedSymbol` among others. Raises
    `ToolFailed` where there is no Ensembl id to ask with, and as `target_in`.
    """
    if not target.ensembl:
        raise ToolFailed(f"{TITLE} is asked by Ensembl id, and none is known for {target.symbol}.")
    reply = await web.fetch(graphql(query, id=target.ensembl))
    if reply is None or (found := target_in(reply, target)) is None:
        return None
    return found, Edition.of_reply(OPEN_TARGETS, reply, page_of(target), await _release(web))


async def _release(web: Web) -> str:
    """The release of the data ("2026.06"), or ""."""
    try:
        reply = await web.fetch(graphql(VERSION))
        version = None if reply is None else at(data_of(reply, "meta"), "dataVersion")
    except ToolFailed:
        return ""
    year, month = text(version, "year"), text(version, "month")
    return f"{int(year) % 100 + 2000}.{int(month):02}" if year.isdecimal() and month.isdecimal() else ""


def target_in(reply: WebReply, target: Target) -> JsonValue:
    """The target in a reply; None where the service does not know it.

    Raises `ToolFailed` for an error of the service, an unknown form, or another gene than was asked for.
    """
    if (found := data_of(reply, "target")) is None:
        return None
    if text(found, "id") != target.ensembl:
        said = text(found, "approvedSymbol") or text(found, "id") or "no gene"
        raise ToolFailed(f"{TITLE} replied with {said} where {target.symbol} was asked for; it is not used.")
    return found


def data_of(reply: WebReply, name: str) -> JsonValue:
    """What was asked for by a name. Raises `ToolFailed` for the error of the service, in its words, and for
    a reply without it.
    """
    value = json_of(reply, TITLE)
    if errors := items(value, "errors"):
        said = text(errors[0], "message") or "it did not say why"
        raise ToolFailed(f"{TITLE} refused the question: {sentence(said[:300])}")
    data = at(value, "data")
    if not isinstance(data, dict) or name not in data:
        raise unknown_form(TITLE, f"no `{name}`")
    return data[name]
