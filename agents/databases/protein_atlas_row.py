"""A row of the Human Protein Atlas as a record: places in the cell, tissue category, raised tissues."""

import re
from collections.abc import Mapping

from agents.counts import listed
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.refusals import unknown_form
from agents.databases.sheet import Sheet
from agents.databases.target import Target

TITLE = "Human Protein Atlas"
CATEGORY = ("RNA tissue specificity", "RNA tissue category")
ENRICHED = ("RNA tissue specific nTPM", "RNA tissue specific NX", "RNA TS TPM")
HIGHEST = "TPM max in non-specific"
UNRAISED = "highest RNA level of tissues that do not differ"
"""Measure of a tissue of `HIGHEST`: it is the highest of many alike, and raised in none."""
LOCATIONS = ("Subcellular location", "Subcellular main location")
"""All places, else the main ones."""
KEPT = (
    "Gene",
    "Gene synonym",
    "Ensembl",
    "Uniprot",
    "Gene description",
    "Protein class",
    "Evidence",
    "Reliability (IH)",
    "Reliability (IF)",
    *LOCATIONS,
    "Secretome location",
    *CATEGORY,
    "RNA tissue distribution",
    *ENRICHED,
    HIGHEST,
    "RNA single cell type specificity",
    "RNA single cell type specific nTPM",
    "RNA blood cell specificity",
    "RNA blood cell specific nTPM",
)
"""Columns that are kept of a file: the others are of cancers and cell lines."""
LISTS = re.compile(
    r"^(?:Predicted|Potential|Candidate|Human disease)\b|\b(?:related genes|drug targets)$"
    r"|^(?:Plasma proteins|Essential proteins|Transporters)$",
    re.IGNORECASE,
)
"""Classes that are lists of genes and no kind of protein ("FDA approved drug targets"). That of transporters
also holds receptors and secreted peptides.
"""
PREDICTED = re.compile(r"Predicted (\w+) proteins", re.IGNORECASE)
MEANS = {
    "tissue enriched": "much more in one tissue than in any other",
    "group enriched": "much more in a small group of tissues than in all others",
    "tissue enhanced": "more in one or a few tissues than the mean of all",
}
"""What the atlas's categories mean, in short."""


def from_row(target: Target, row: Mapping[str, str], edition: Edition) -> Sheet:
    """The record of a row of the table. Raises `ToolFailed` for a row without location and tissues."""
    sheet = edition.sheet(f"{target.symbol}, protein and RNA", target.symbol)
    lines = {name: sheet.line(_written(name, row[name])) for name in KEPT if row.get(name)}
    name = f"the {edition.name}"
    _location(sheet, name, target.symbol, row, lines)
    _tissues(sheet, name, target.symbol, row, lines)
    if not sheet.facts:
        raise unknown_form(f"The {TITLE}", "neither a location nor a tissue category")
    _classes(sheet, name, target.symbol, row, lines)
    return sheet


def _written(name: str, value: str) -> str:
    """A column as a line; a category with what it means."""
    meaning = MEANS.get(value.casefold(), "") if name in CATEGORY else ""
    return f"{name}: {value}, which means {meaning}" if meaning else f"{name}: {value}"


def _classes(sheet: Sheet, name: str, gene: str, row: Mapping[str, str], lines: Mapping[str, str]) -> None:
    """What the protein is called and counted among, without lists that say nothing of what it does; and
    where it is predicted to be.
    """
    classes = _parts(row.get("Protein class", ""), ",")
    telling = [one for one in classes if not LISTS.search(one)]
    called = row.get("Gene description", "")
    if called or telling:
        stands = f"{gene} stands for {called}" if called else ""
        among = f"{name} counts {'it' if called else gene} among: {listed(telling)}" if telling else ""
        says = "; ".join(filter(None, (stands, among)))
        kept = [lines[column] for column in ("Gene description", "Protein class") if column in lines]
        sheet.fact(Topic.FUNCTION, f"{says[:1].upper()}{says[1:]}.", *kept)
    predicted = [found[1] for one in classes if (found := PREDICTED.fullmatch(one))]
    if predicted:
        says = f"By its sequence, {name} predicts the {gene} protein to be: {listed(predicted)}."
        sheet.fact(Topic.LOCATION, says, lines["Protein class"], term=f"Predicted {predicted[0]} proteins")


def _location(sheet: Sheet, name: str, gene: str, row: Mapping[str, str], lines: Mapping[str, str]) -> None:
    """The places in the cell, each with how reliable the staining is."""
    column = next((column for column in LOCATIONS if row.get(column)), "")
    reliability = row.get("Reliability (IF)", "")
    if places := _parts(row.get(column, ""), ",;"):
        sheet.fact(
            Topic.LOCATION,
            f"In the cell, {name} locates the {gene} protein at: {listed(places)}"
            f"{f' (reliability of the staining: {reliability})' if reliability else ''}.",
            lines[column],
            *([lines["Reliability (IF)"]] if reliability else []),
            term=places[0],
        )
    for place in _parts(row.get("Secretome location", ""), ";"):
        sheet.fact(
            Topic.LOCATION,
            f"As the secretome location of {gene}, {name} gives: {place}.",
            lines["Secretome location"],
            term=place,
        )


def _tissues(sheet: Sheet, name: str, gene: str, row: Mapping[str, str], lines: Mapping[str, str]) -> None:
    """The category of tissue specificity, then a fact for each tissue that is named for it."""
    category = next((column for column in CATEGORY if row.get(column)), "")
    if category:
        meaning = MEANS.get(row[category].casefold(), "")
        spread = row.get("RNA tissue distribution", "")
        sheet.fact(
            Topic.EXPRESSION,
            f"The tissue category of {gene} RNA in {name} is “{row[category]}”"
            f"{f', which means {meaning}' if meaning else ''}"
            f"{f'; its distribution is “{spread}”' if spread else ''}.",
            lines[category],
            *([lines["RNA tissue distribution"]] if spread else []),
            measure="tissue category",
        )
    raised = False
    for column in (*ENRICHED, HIGHEST):
        for tissue, level, unit in levels(column, row.get(column, "")):
            how, measure = ("raised", "RNA level") if column in ENRICHED else ("highest", UNRAISED)
            other = "outside these tissues, " if how == "highest" and raised else ""
            raised = raised or how == "raised"
            sheet.fact(
                Topic.EXPRESSION,
                f"In {name}, {other}the RNA of {gene} is {how} in {tissue} ({level} {unit}).",
                lines[column],
                term=tissue,
                measure=measure,
                value=float(level),
                unit=unit,
            )


def levels(column: str, cell: str) -> list[tuple[str, str, str]]:
    """Tissue, level as written and unit, of a cell like "lung: 16.3;liver,testis: 2.0". What is no number is
    left out.
    """
    unit = "TPM" if column == HIGHEST else column.rpartition(" ")[2]
    found = (part.rpartition(":") for part in _parts(cell, ";"))
    return [
        (tissue.strip(), level.strip(), unit)
        for tissues, _, level in found
        if re.fullmatch(r"\d+(\.\d+)?", level.strip())
        for tissue in re.split(r",(?! )", tissues)  # "cervix, uterine" is one tissue
        if tissue.strip()
    ]


def _parts(cell: str, separators: str) -> list[str]:
    return [part.strip() for part in re.split(f"[{separators}]", cell) if part.strip()]
