"""Expression Atlas: baseline expression of a gene across tissues, from one RNA-seq experiment.

Bulk: an experiment's table of TPM (`E-MTAB-5214-query-results.tpms.tsv`). Live: the same experiment as JSON.
A cell that is empty lies below the atlas's cutoff and counts as not expressed.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.expression import Profile, describe
from agents.databases.facts import Topic
from agents.databases.fields import at, items, json_of, number, text
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, not_asked, target_tool, unasked
from agents.databases.targets import Targets
from agents.tools.tool import Tool

TITLE = "Expression Atlas"
API = "https://www.ebi.ac.uk/gxa/json/experiments"
EXPERIMENT = "E-MTAB-5214"
"""RNA-seq of 53 human tissues of the GTEx project, as the atlas analysed it."""
IDS = ("Gene ID", "Gene Name")


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(_uncommented(lines), *IDS):
        yield from under(row, row["Gene ID"].split(".")[0], row["Gene Name"])


def _uncommented(lines: Iterable[str]) -> Iterator[str]:
    return (line for line in lines if not line.startswith("#"))


def _experiment(head: Sequence[str]) -> str:
    """The experiment that the comments above a table name."""
    found = (re.search(r"\bE-[A-Z]+-\d+\b", line) for line in head if line.startswith("#"))
    return next((one[0] for one in found if one), "")


ATLAS = Database(
    name="expression-atlas",
    title=TITLE,
    tells="baseline expression across tissues",
    licence="CC BY-NC 4.0",
    page="https://www.ebi.ac.uk/gxa/",
    formats=(
        BulkFormat(
            "expression-atlas",
            "E-MTAB-5214-query-results.tpms.tsv",
            f"https://www.ebi.ac.uk/gxa/experiments/{EXPERIMENT}/Downloads",
            "Gene ID, Gene Name, one column a tissue",
            with_columns(*IDS),
            _rows,
            _experiment,
        ),
    ),
)


def expression_atlas_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool."""
    return target_tool(
        "baseline_expression",
        "Baseline expression of a target across human tissues in TPM (Expression Atlas).",
        ATLAS,
        reach,
        targets,
        partial(baseline_expression, reach),
        (Topic.EXPRESSION,),
    )


async def baseline_expression(reach: Reach, target: Target) -> Told:
    """The profile of a target: from the loaded table, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(ATLAS.name)
    if loaded is not None:
        for key in filter(None, (target.ensembl, target.symbol, *target.previous)):
            for row in await reach.bulk.rows(ATLAS.name, key):
                if not target.ensembl or row["Gene ID"].split(".")[0] == target.ensembl:
                    cells = ((tissue, cell) for tissue, cell in row.items() if tissue not in IDS)
                    return _told(target, tuple(_values(cells)), Edition.of_bulk(ATLAS, loaded))
        if reach.web is None:
            return absent(f"The loaded table of the {TITLE} has no row of {target.symbol}.")
    return await _live(reach.web, target) if reach.web else unasked(ATLAS)


def _values(cells: Iterable[tuple[str, str]]) -> Iterator[tuple[str, float]]:
    """Tissues and TPM: an empty cell is 0, what is no number is left out."""
    for tissue, cell in cells:
        value = 0.0 if not cell.strip() else number(cell)
        if tissue and value is not None and value >= 0:
            yield tissue, value


def _told(target: Target, values: Sequence[tuple[str, float]], edition: Edition) -> Told:
    if len(values) < 2:
        raise unknown_form(f"The {TITLE}", f"values of {len(values)} tissues only")
    gene = target.symbol
    sheet = edition.sheet(f"baseline expression of {gene} in {len(values)} human tissues", gene)
    profile = Profile(gene, tuple(values), "median expression", "TPM", logarithms=False)
    describe(sheet, profile, f"the {edition.name}")
    return told((sheet,), nothing="")


async def _live(web: Web, target: Target) -> Told:
    """The row of the gene in one experiment."""
    if not target.ensembl:
        return not_asked(f"The {TITLE} is asked by Ensembl id, and none is known of {target.symbol}.")
    query = json.dumps([{"value": target.ensembl}], separators=(",", ":"))
    asked = (("geneQuery", query), ("specific", "false"))
    got = await web.fetch(WebRequest(ATLAS.name, f"{API}/{EXPERIMENT}", asked))
    values = read_profile(json_of(got, f"The {TITLE}"), target) if got else ()
    if not got or not values:
        return absent(f"The {TITLE} has no expression of {target.symbol} in {EXPERIMENT}.")
    link = f"https://www.ebi.ac.uk/gxa/genes/{target.ensembl}"
    return _told(target, values, Edition.of_reply(ATLAS, got, link, EXPERIMENT))


def read_profile(value: JsonValue, target: Target) -> tuple[tuple[str, float], ...]:
    """Tissues and TPM of a reply; empty where it has no row. Raises `ToolFailed` for another gene or form."""
    if not isinstance(at(value, "columnHeaders"), list) or not isinstance(at(value, "profiles"), dict):
        raise unknown_form(f"The {TITLE}", "no table")
    tissues = [text(one, "factorValue") or text(one, "name") for one in items(value, "columnHeaders")]
    rows = items(value, "profiles", "rows")
    if not rows:
        return ()
    row = next((one for one in rows if text(one, "id") == target.ensembl), None)
    if row is None:
        raise other_gene(f"The {TITLE}", text(rows[0], "id") or text(rows[0], "name"), target)
    if (unit := text(row, "expressionUnit")) not in ("", "TPM"):
        raise unknown_form(f"The {TITLE}", f"the unit {unit}, not TPM")
    cells = [text(one, "value") for one in items(row, "expressions")]
    if len(cells) != len(tissues):
        raise unknown_form(f"The {TITLE}", f"{len(cells)} values for {len(tissues)} tissues")
    return tuple(_values(zip(tissues, cells, strict=True)))
