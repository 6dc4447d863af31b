"""DGIdb: which drugs interact with a gene and how, as other databases say it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import Database
from agents.databases.drugs import change_of, plain_name, shown_name, with_article
from agents.databases.facts import Change, Topic
from agents.databases.fields import at, items, json_of, number, text
from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.sheet import Sheet, sentence, told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, released, target_tool, unasked
from agents.databases.targets import Targets
from agents.errors import ToolFailed
from agents.tools.tool import Tool

API = "https://dgidb.org/api/graphql"
PAGE = "https://dgidb.org/"
QUERY = (
    "query Interactions($names: [String!]) { genes(names: $names) { nodes { name interactions { "
    "drug { name approved } interactionScore interactionTypes { type } sources { sourceDbName } } } } }"
)
SHOWN = 25
COLUMNS = ("gene_name", "interaction_type", "interaction_source_db_name", "drug_name", "approved")


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, *COLUMNS):
        yield from under({name: row[name] for name in (*COLUMNS, "interaction_score")}, row["gene_name"])


DGIDB = Database(
    name="dgidb",
    title="DGIdb",
    tells="drugs that interact with the gene, how, and which databases say so",
    licence="with attribution; its sources keep their own",
    page=PAGE,
    formats=(
        BulkFormat(
            "dgidb",
            "interactions.tsv",
            "https://dgidb.org/downloads",
            "gene_claim_name, …, gene_name, interaction_source_db_name, …, interaction_type, …, drug_name, …",
            with_columns(*COLUMNS, "interaction_score"),
            _rows,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Interaction:
    """A drug of a gene: how it acts ("inhibitor"), and whose data say so. `score` is DGIdb's own."""

    drug: str
    approved: bool
    types: tuple[str, ...]
    sources: tuple[str, ...]
    score: float | None

    @property
    def change(self) -> Change:
        """The direction that all its types with one agree on; not told where they do not."""
        found = {change for one in self.types if (change := change_of(one))}
        return found.pop() if len(found) == 1 else Change.NOT_TOLD


def dgidb_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool `dgidb_interactions`."""

    async def ask(target: Target) -> Told:
        return await interactions(reach, target)

    return target_tool(
        "dgidb_interactions",
        "Drugs that interact with a target, how they act on it, and which databases say so, from DGIdb.",
        DGIDB,
        reach,
        targets,
        ask,
        (Topic.DRUG,),
    )


async def interactions(reach: Reach, target: Target) -> Told:
    """The drugs of the loaded file, else of the service. Raises `ToolFailed`."""
    title = f"DGIdb: drugs that interact with {target.symbol}"
    if (loaded := reach.bulk.release(DGIDB.name)) is not None:
        rows = await reach.bulk.rows(DGIDB.name, target.symbol)
        sheet = Sheet(title, DGIDB.title, query=target.symbol, release=released(loaded), link=PAGE)
        return describe(target, joined(map(_of_row, rows)), sheet)
    if reach.web is None:
        return unasked(DGIDB)
    reply = await reach.web.fetch(request(target))
    found = () if reply is None else joined(parse_reply(reply, target))
    date = "" if reply is None else reply.date
    return describe(target, found, Sheet(title, DGIDB.title, query=target.symbol, date=date, link=PAGE))


def request(target: Target) -> WebRequest:
    """Asks for the interactions of a gene."""
    body = json.dumps({"query": QUERY, "variables": {"names": [target.symbol]}}, sort_keys=True)
    return WebRequest(DGIDB.name, API, body=body)


def parse_reply(reply: WebReply, target: Target) -> Iterator[Interaction]:
    """The interactions of the gene. Raises `ToolFailed` for an error, an unknown form or another gene."""
    value = json_of(reply, DGIDB.title)
    if errors := items(value, "errors"):
        said = sentence(text(errors[0], "message")[:300] or "it did not say why")
        raise ToolFailed(f"{DGIDB.title} refused the question: {said}")
    nodes = at(value, "data", "genes", "nodes")
    if not isinstance(nodes, list):
        raise ToolFailed(f"{DGIDB.title} replied without genes: its form has changed ({reply.url}).")
    ours = [node for node in nodes if text(node, "name") in target.symbols]
    if nodes and not ours:
        said = text(nodes[0], "name") or "no gene"
        raise ToolFailed(f"{DGIDB.title} replied with {said} where {target.symbol} was asked for; not used.")
    return (_of_node(one) for node in ours for one in items(node, "interactions"))


def joined(found: Iterable[Interaction]) -> tuple[Interaction, ...]:
    """One interaction a drug, salts counting as it: first those that are approved, then by score and name."""
    by_name: dict[str, list[Interaction]] = {}
    for one in found:
        if one.drug:
            by_name.setdefault(plain_name(one.drug).casefold(), []).append(one)
    made = [
        Interaction(
            min((one.drug for one in ours), key=lambda name: (len(name), name)),
            any(one.approved for one in ours),
            tuple(sorted({type_ for one in ours for type_ in one.types})),
            tuple(sorted({source for one in ours for source in one.sources})),
            max((one.score for one in ours if one.score is not None), default=None),
        )
        for ours in by_name.values()
    ]
    return tuple(sorted(made, key=lambda one: (not one.approved, -(one.score or 0.0), one.drug)))


def describe(target: Target, found: tuple[Interaction, ...], sheet: Sheet) -> Told:
    """The record of the interactions of which the kind is known, and a fact for each."""
    known = [one for one in found if one.types]
    for one in known[:SHOWN]:
        state = "an approved drug" if one.approved else "a drug or clinical candidate"
        acts = with_article(" and ".join(one.types))
        sheet.state(
            Topic.DRUG,
            f"{one.drug}, {state}, is {acts} of {target.symbol} by {', '.join(one.sources)} in {DGIDB.title}",
            term=one.drug,
            change=one.change,
            measure="databases that say so",
            value=len(one.sources),
        )
    missing = (
        (f"Of {len(known)} drugs in {DGIDB.title} {SHOWN} are told, approved ones first.",)
        if len(known) > SHOWN
        else ()
    )
    nothing = f"Nothing found: {DGIDB.title} knows no drug with a known action on {target.symbol}."
    return told((sheet,), nothing=nothing, missing=missing)


def _of_node(value: JsonValue) -> Interaction:
    return Interaction(
        shown_name(text(value, "drug", "name")),
        at(value, "drug", "approved") is True,
        tuple(type_.lower() for one in items(value, "interactionTypes") if (type_ := text(one, "type"))),
        tuple(name for one in items(value, "sources") if (name := text(one, "sourceDbName"))),
        number(value, "interactionScore"),
    )


def _of_row(row: Row) -> Interaction:
    kinds = row.get("interaction_type", "").lower().split(",")
    name, source = row.get("drug_name", ""), row.get("interaction_source_db_name", "")
    return Interaction(
        "" if name == "NULL" else shown_name(name),
        row.get("approved", "").lower() == "true",
        tuple(kind.strip() for kind in kinds if kind.strip() not in ("", "null", "other/unknown")),
        (source,) if source else (),
        number(dict(row), "interaction_score"),
    )
