"""The Human Protein Atlas: where a protein lies in the cell, and in which tissues its RNA is enriched.

Bulk: `proteinatlas.tsv` in the forms of 2018 ("RNA TS TPM") and of later releases ("RNA tissue specificity").
Live: the same columns as JSON, and the stained tissues of the XML entry (`protein_atlas_entry`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import json_of, text, texts
from agents.databases.ports import Reach, Web, WebReply, WebRequest
from agents.databases.protein_atlas_entry import describe_entry, read_entry
from agents.databases.protein_atlas_row import KEPT, TITLE, from_row
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, not_asked, unasked
from agents.errors import ToolFailed


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "Gene", "Ensembl", "Protein class"):
        kept = {name: row[name].replace("<br>", ", ") for name in KEPT if row.get(name)}
        others = re.split(r"[,;]\s*", f"{row.get('Gene synonym', '')},{row.get('Uniprot', '')}")
        yield from under(kept, row["Gene"], row["Ensembl"], *others, row.get("Gene description", ""))


HPA = Database(
    name="hpa",
    title=TITLE,
    tells="tissues and place in the cell of the protein and its RNA",
    licence="CC BY-SA 4.0",
    page="https://www.proteinatlas.org/about/download",
    formats=(
        BulkFormat(
            "hpa",
            "proteinatlas.tsv",
            "https://www.proteinatlas.org/about/download",
            "Gene, Gene synonym, Ensembl, Gene description, ...",
            with_columns("Gene", "Ensembl", "Protein class"),
            _rows,
        ),
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
    "protein_atlas",
    "Where a target's protein lies in the cell and in which human tissues its RNA and protein are found "
    "(Human Protein Atlas).",
    HPA,
    protein_location,
    (Topic.EXPRESSION, Topic.LOCATION, Topic.FUNCTION),
)
