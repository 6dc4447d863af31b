"""The Human Protein Atlas: where a protein lies in the cell, and in which tissues its RNA is enriched.

Bulk: `proteinatlas.tsv` in the forms of 2018 ("RNA TS TPM") and of later releases ("RNA tissue specificity").
Live: the same columns as JSON, and the stained tissues of the XML entry (`protein_atlas_entry`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import json_of, text, texts
from agents.databases.markup import Element, xml_root
from agents.databases.ports import Reach, Web, WebReply, WebRequest
from agents.databases.protein_atlas_row import KEPT, TITLE, from_row
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, not_asked, unasked
from agents.errors import ToolFailed


@dataclass(frozen=True, slots=True)
class Entry:
    """What is taken of an entry.

    `tissues` are tissue and level of staining ("Adipose tissue", "low"); their reliability is "enhanced",
    "supported", "approved" or "uncertain".
    """

    summary: str = ""
    reliability: str = ""
    tissues: tuple[tuple[str, str], ...] = ()


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "Gene", "Ensembl", "Protein class"):
        kept = {name: row[name].replace("<br>", ", ") for name in KEPT if row.get(name)}
        others = re.split(r"[,;]\s*", f"{row.get('Gene synonym', '')},{row.get('Uniprot', '')}")
        yield from under(kept, row["Gene"], row["Ensembl"], *others, row.get("Gene description", ""))


HPA = database(
    "hpa",
    BulkFormat(
        "hpa",
        "proteinatlas.tsv",
        "https://www.proteinatlas.org/about/download",
        "Gene, Gene synonym, Ensembl, Gene description, ...",
        with_columns("Gene", "Ensembl", "Protein class"),
        _rows,
    ),
)


async def protein_location(reach: Reach, target: Target) -> TargetFindings:
    """What the atlas says of a target: from the loaded file, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(HPA.name)
    if loaded is not None:
        for key in filter(None, (target.ensembl, *target.own_symbols)):
            for row in await reach.bulk.rows(HPA.name, key):
                if is_of(row, target):
                    return target_findings((from_row(target, row, Edition.of_bulk(HPA, loaded)),))
        if reach.web is None:
            return absent(f"The loaded file of the {TITLE} has no row of {target.symbol}.")
    return await _live(reach.web, target) if reach.web else unasked(HPA)


def is_of(row: Mapping[str, str], target: Target) -> bool:
    """Whether a row is of the target: by Ensembl id where both know one, else by symbol."""
    if target.ensembl and row.get("Ensembl"):
        return row["Ensembl"] == target.ensembl
    return row.get("Gene", "") in target.own_symbols


async def _live(web: Web, target: Target) -> TargetFindings:
    """The JSON entry, with the columns of the table, and the stained tissues of the XML entry.

    One of both is enough; raises `ToolFailed` where neither can be read.
    """
    if not target.ensembl:
        return not_asked(f"The {TITLE} is asked by Ensembl id, and none is known of {target.symbol}.")
    link = f"https://www.proteinatlas.org/{target.ensembl}"
    sheets, failures = [], []
    for suffix, read in (("json", _from_json), ("xml", _from_xml)):
        try:
            got = await web.fetch(WebRequest(HPA.name, f"{link}.{suffix}"))
            sheets += [read(target, got, Edition.of_reply(HPA, got, link))] if got else []
        except ToolFailed as error:
            failures.append(error)
    if len(failures) == 2:
        raise failures[0]
    missing = [f"A part of what the {TITLE} says is missing: {error}" for error in failures]
    return target_findings(sheets, nothing=f"The {TITLE} has no entry of {target.ensembl}.", missing=missing)


def _from_json(target: Target, got: WebReply, edition: Edition) -> Sheet:
    value = json_of(got, f"The {TITLE}")
    value = value[0] if isinstance(value, list) and value else value
    if not isinstance(value, dict) or not {"Gene", "Ensembl"} <= value.keys():
        raise unknown_form(f"The {TITLE}", "no gene")
    row = {name: cell for name in KEPT if (cell := _cell(value.get(name)))}
    if not is_of(row, target):
        raise other_gene(f"The {TITLE}", row.get("Gene", ""), target)
    return from_row(target, row, edition)


def _cell(value: JsonValue) -> str:
    """A value of the JSON entry as the table writes it: lists with commas, levels as "tissue: level"."""
    if isinstance(value, dict):
        return ";".join(f"{name}: {text(level)}" for name, level in value.items())
    return ", ".join(texts(value))


def _from_xml(target: Target, got: WebReply, edition: Edition) -> Sheet:
    return describe_entry(target, read_entry(got.text, target), edition)


protein_atlas_tool = TargetTool(
    "protein_atlas", HPA, protein_location, (Topic.EXPRESSION, Topic.LOCATION, Topic.FUNCTION)
)


def read_entry(xml: str, target: Target) -> Entry:
    """The entry of a target. Raises `ToolFailed` for what is no entry, or one of another gene."""
    try:
        root = xml_root(xml)
    except ValueError as error:
        raise unknown_form(f"The {TITLE}", "no XML") from error
    if root.tag != "entry" and root.find("entry") is None:
        raise unknown_form(f"The {TITLE}", "no entry")
    _refuse_other(root, target)
    stained = root.find(".//tissueExpression[@technology='IHC']")
    return Entry(
        summary=_text(stained, "summary"),
        reliability=_text(stained, "verification"),
        tissues=tuple(
            (_text(data, "tissue"), _text(data, "level[@type='expression']"))
            for data in (stained.findall("data") if stained is not None else ())
            if _text(data, "tissue") and _text(data, "level[@type='expression']")
        ),
    )


def _refuse_other(root: Element, target: Target) -> None:
    """Raises `ToolFailed` if the entry names another gene."""
    named = (root.findtext(".//entry/name") or root.findtext("name") or "").strip()
    ids = {one.get("id", "") for one in root.iter("identifier")}
    if not named and not ids:
        raise unknown_form(f"The {TITLE}", "an entry without a gene")
    if target.ensembl and ids and target.ensembl not in ids:
        raise other_gene(f"The {TITLE}", named or ", ".join(sorted(ids)), target)
    if named and not ids and named not in target.symbols:
        raise other_gene(f"The {TITLE}", named, target)


def _text(element: Element | None, path: str) -> str:
    found = None if element is None else element.find(path)
    return "" if found is None else " ".join("".join(found.itertext()).split())


def describe_entry(target: Target, entry: Entry, edition: Edition) -> Sheet:
    """The record of an entry: a fact a stained tissue."""
    sheet = edition.sheet(f"{target.symbol}, stained tissues", target.symbol)
    name, gene = f"the {edition.name}", target.symbol
    if entry.summary:
        sheet.line(f"Staining of tissues: {entry.summary}")
    how = f" (reliability: {entry.reliability})" if entry.reliability else ""
    for tissue, level in entry.tissues:
        line = sheet.line(f"{gene} protein in {tissue}, by antibody staining: {level}{how}")
        sheet.fact(
            Topic.EXPRESSION,
            f"By antibody staining, {name} finds the level of {gene} protein in {tissue}: {level}{how}.",
            line,
            term=tissue,
            measure="protein level",
        )
    return sheet
