"""KEGG: pathways, diseases and drugs of a gene, over its REST service.

KEGG's data may not be passed on, so there is no bulk form. Its flat file names a field in the first twelve
columns of a line and leaves them blank where the field goes on.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from agents.counts import number_of
from agents.databases.database import Database
from agents.databases.edition import Edition, absent, listed
from agents.databases.facts import Topic
from agents.databases.ports import Reach, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, not_asked, target_tool, unasked
from agents.databases.targets import Targets
from agents.tools.tool import Tool

TITLE = "KEGG"
API = "https://rest.kegg.jp/get"
WIDTH = 12
CODED = re.compile(r"(?P<id>[a-z]{2,4}\d{5}|[HN]\d{5})\s+(?P<name>\S.*)")
DRUG = re.compile(r"(?P<name>[^:]+):\s*(?P<ids>D\d{5}.*)")
SUMMED = 5
KEGG = Database(
    name="kegg",
    title=TITLE,
    tells="pathways, diseases and drugs of the gene",
    licence="free to academic users at the service, not to be passed on",
    page="https://www.kegg.jp/",
)


def kegg_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool."""
    return target_tool(
        "kegg_gene",
        "Pathways, diseases and drugs of a target in KEGG.",
        KEGG,
        reach,
        targets,
        partial(kegg_gene, reach),
        (Topic.PATHWAY, Topic.DISEASE, Topic.DRUG),
    )


async def kegg_gene(reach: Reach, target: Target) -> Told:
    """What KEGG says of a target. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(KEGG)
    if not target.entrez:
        return not_asked(f"{TITLE} is asked by NCBI Gene id, and none is known of {target.symbol}.")
    got = await reach.web.fetch(WebRequest(KEGG.name, f"{API}/hsa:{target.entrez}"))
    if got is None or not got.text.strip():
        return absent(f"{TITLE} has no entry of {target.symbol} (hsa:{target.entrez}).")
    fields = entry_of(got.text, target)
    link = f"https://www.kegg.jp/entry/hsa:{target.entrez}"
    sheet = describe_entry(fields, target, Edition.of_reply(KEGG, got, link))
    return told((sheet,), nothing=f"{TITLE} lists neither pathway nor disease of {target.symbol}.")


def read_flat(text: str) -> dict[str, list[str]]:
    """The lines of each field of the first entry, in order, without the names of fields."""
    fields: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("///"):
            break
        name = line[:WIDTH].strip() or name
        if name and (content := line[WIDTH:].strip()):
            fields.setdefault(name, []).append(content)
    return fields


def entry_of(text: str, target: Target) -> dict[str, list[str]]:
    """The fields of the target's entry. Raises `ToolFailed` for another form, or another gene."""
    fields = read_flat(text)
    entry = next(iter(fields.get("ENTRY", ())), "").split()
    if not entry:
        raise unknown_form(TITLE, "no ENTRY")
    if entry[0] != target.entrez:
        raise other_gene(TITLE, f"the entry of gene {entry[0]}", target)
    return fields


def describe_entry(fields: Mapping[str, Sequence[str]], target: Target, edition: Edition) -> Sheet:
    """The record: a line and a fact for each pathway, disease and drug."""
    gene = target.symbol
    sheet = edition.sheet(f"{gene} (hsa:{target.entrez})", f"hsa:{target.entrez}")
    for name in ("NAME", "ORTHOLOGY"):
        for line in fields.get(name, ()):
            sheet.line(f"{name.capitalize()}: {line}")
    _coded(sheet, edition, gene, fields.get("PATHWAY", ()), Topic.PATHWAY, ("pathway", "pathways"))
    _coded(sheet, edition, gene, fields.get("DISEASE", ()), Topic.DISEASE, ("disease", "diseases"))
    _drugs(sheet, edition, gene, fields.get("DRUG_TARGET", ()))
    return sheet


def _coded(
    sheet: Sheet, edition: Edition, gene: str, lines: Sequence[str], topic: Topic, what: tuple[str, str]
) -> None:
    found = [match for line in lines if (match := CODED.fullmatch(line))]
    if not found:
        return
    among = ", among them" if len(found) > SUMMED else ":"
    named = listed([one["name"] for one in found[:SUMMED]])
    sheet.fact(
        topic,
        f"{edition.name} lists {number_of(len(found), *what)} of {gene}{among} {named}.",
        sheet.line(f"{what[1].capitalize()} of {gene}: {len(found)}{among} {named}"),
        measure=f"number of {what[1]}",
        value=len(found),
    )
    for one in found:
        sheet.fact(
            topic,
            f"{edition.name} lists {gene} with the {what[0]} {one['name']} ({one['id']}).",
            sheet.line(f"{what[0].capitalize()}: {one['name']} ({one['id']})"),
            term=one["name"],
            id=one["id"],
        )


def _drugs(sheet: Sheet, edition: Edition, gene: str, lines: Sequence[str]) -> None:
    for line in lines:
        if match := DRUG.fullmatch(line):
            key = match["ids"].split()[0].split("<")[0]
            written = sheet.line(f"Drug with the target {gene}: {match['name'].strip()} ({key})")
            sheet.fact(
                Topic.DRUG,
                f"{edition.name} lists {match['name'].strip()} ({key}) as a drug with the target {gene}.",
                written,
                term=match["name"].strip(),
                id=key,
            )
