"""GTEx: the expression of a gene in the tissues of post-mortem donors.

Two bulk forms: a matrix of means of log2(1 + RPKM) by NCBI Gene id (53 tissues, GTEx v4), and the portal's
GCT file of median TPM by Ensembl id (v7 and later). Live: the portal's API v2, median TPM.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.expression import CULTURED, Profile, describe, organ_of
from agents.databases.facts import Topic
from agents.databases.fields import json_of, list_of, number, text
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

PAGE = "https://gtexportal.org/home/downloads/adult-gtex"
API = "https://gtexportal.org/api/v2"
DATASET = "gtex_v8"
IDS = ("GeneID", "Name", "Description")
"""Columns that are no tissue."""
SITE = re.compile(
    r"^(Adipose|Artery|Brain|Breast|Cells|Cervix|Colon|Esophagus|Heart|Kidney|Muscle|Nerve|Skin|Small_Intestine)_"
)
"""Organs that the API writes before a site ("Brain_Cortex")."""
FEWEST = 5
"""A profile of fewer tissues is a table of another schema."""


def _means(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "GeneID"):
        yield from under(row, row["GeneID"])


def _medians(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "Name", "Description"):
        yield from under(row, row["Name"].split(".")[0], row["Description"])


FORMATS = (
    BulkFormat(
        "gtex",
        "expression-SMTSD.tsv",
        "https://github.com/dhimmel/gtex",
        "GeneID and one column a tissue, means of log2(1 + RPKM)",
        with_columns("GeneID", "Liver"),
        _means,
    ),
    BulkFormat(
        "gtex",
        "gene_median_tpm.gct",
        PAGE,
        "Name, Description and one column a tissue, medians of TPM",
        with_columns("Name", "Description", "Liver"),
        _medians,
    ),
)
GTEX = database("gtex", *FORMATS)
TITLE = GTEX.title


async def tissue_expression(reach: Reach, target: Target) -> TargetFindings:
    """The profile of a target: from the loaded file, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release("gtex")
    if loaded is not None:
        for key in (target.entrez, target.ensembl, *target.own_symbols):
            if key and (rows := await reach.bulk.rows("gtex", key)):
                return from_row(target, rows[0], Edition.of_bulk(GTEX, loaded))
        if reach.web is None:
            return absent(_without_row(target))
    return await _live(reach.web, target) if reach.web else unasked(GTEX)


def _without_row(target: Target) -> str:
    if target.entrez:
        return f"The loaded file of {TITLE} has no row of {target.symbol}."
    return (
        f"The loaded file of {TITLE} has no row of this symbol, and no loaded file tells the NCBI gene id of "
        f"{target.symbol}, by which it may have one."
    )


def from_row(target: Target, row: Mapping[str, str], edition: Edition) -> TargetFindings:
    """The reply that a row of a bulk file gives. Raises `ToolFailed` if it is another gene or schema."""
    if target.entrez and row.get("GeneID") not in (None, "", target.entrez):
        raise other_gene(TITLE, f"NCBI Gene {row['GeneID']}", target)
    ensembl = row.get("Name", "").split(".")[0]
    if target.ensembl and ensembl and ensembl != target.ensembl:
        raise other_gene(TITLE, ensembl, target)
    values = tuple(
        (tissue, value)
        for tissue, cell in row.items()
        if tissue not in IDS and (value := number(cell)) is not None and value >= 0
    )
    means = "GeneID" in row
    return _from_expression(
        target,
        values,
        edition,
        "mean expression" if means else "median expression",
        "log2(1 + RPKM)" if means else "TPM",
    )


def _from_expression(
    target: Target, values: Sequence[tuple[str, float]], edition: Edition, measure: str, unit: str
) -> TargetFindings:
    if len(values) < FEWEST:
        raise unknown_form(TITLE, f"values of {len(values)} tissues only")
    values = [pair for pair in values if organ_of(pair[0]) != CULTURED]
    profile = Profile(target.symbol, tuple(values), measure, unit, unit.startswith("log2"))
    sheet = edition.sheet(f"expression of {target.symbol} in {len(values)} human tissues", target.symbol)
    describe(sheet, profile, edition.name)
    return target_findings((sheet,))


async def _live(web: Web, target: Target) -> TargetFindings:
    """Two requests: the versioned GENCODE id, then the medians."""
    asked = target.ensembl or target.symbol
    found = await web.fetch(WebRequest("gtex", f"{API}/reference/gene", (("geneId", asked),)))
    gencode = gencode_id(json_of(found, TITLE), target) if found else ""
    if not gencode:
        return absent(f"{TITLE} knows no gene {asked}.")
    params = (("gencodeId", gencode), ("datasetId", DATASET), ("itemsPerPage", "1000"))
    got = await web.fetch(WebRequest("gtex", f"{API}/expression/medianGeneExpression", params))
    if got is None:
        return absent(f"{TITLE} has no expression of {target.symbol} ({gencode}).")
    link = f"https://gtexportal.org/home/gene/{target.symbol}"
    release = DATASET.removeprefix("gtex_")
    return _from_expression(
        target,
        medians(json_of(got, TITLE), gencode, target),
        Edition.of_reply(GTEX, got, link, release),
        "median expression",
        "TPM",
    )


def gencode_id(value: JsonValue, target: Target) -> str:
    """The versioned id in the reply of `reference/gene`; "" if there is none.

    Raises `ToolFailed` if the reply speaks of other genes alone, or is none of this service.
    """
    found = [(text(one, "gencodeId"), text(one, "geneSymbol")) for one in list_of(value, TITLE, "data")]
    found = [one for one in found if one[0]]
    for gencode, symbol in found:
        same = gencode.split(".")[0] == target.ensembl if target.ensembl else symbol in target.symbols
        if same and re.fullmatch(r"ENSG\d{11}(\.\d+)?(_PAR_Y)?", gencode):
            return gencode
    if found:
        raise other_gene(TITLE, found[0][0], target)
    return ""


def medians(value: JsonValue, gencode: str, target: Target) -> tuple[tuple[str, float], ...]:
    """Tissue and median TPM; entries without one of both are passed over.

    Raises `ToolFailed` where an entry is of another gene or in another unit.
    """
    found = []
    for one in list_of(value, TITLE, "data"):
        other, unit = text(one, "gencodeId"), text(one, "unit")
        if other and other.split(".")[0] != gencode.split(".")[0]:
            raise other_gene(TITLE, other, target)
        if unit and unit.upper() != "TPM":
            raise unknown_form(TITLE, f"the unit {unit}, not TPM")
        tissue, median = text(one, "tissueSiteDetailId"), number(one, "median")
        if tissue and median is not None and median >= 0:
            found.append((SITE.sub(r"\1 - ", tissue).replace("_", " "), median))
    return tuple(found)


gtex_tool = TargetTool("tissue_expression", GTEX, tissue_expression, (Topic.EXPRESSION,))
