"""An entry of the Human Protein Atlas as XML: stained tissues, places in the cell, RNA specificity."""

from dataclasses import dataclass

from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.markup import Element, xml_root
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet
from agents.databases.target import Target

TITLE = "The Human Protein Atlas"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is taken of an entry.

    `tissues` are tissue and level of staining ("Adipose tissue", "low"); `places` are place in the cell, its
    GO id and status ("main", "additional"). A reliability is "enhanced", "supported", "approved" or
    "uncertain".
    """

    summary: str = ""
    tissue_reliability: str = ""
    tissues: tuple[tuple[str, str], ...] = ()
    cell_reliability: str = ""
    places: tuple[tuple[str, str, str], ...] = ()
    specificity: str = ""
    distribution: str = ""


def read_entry(xml: str, target: Target) -> Entry:
    """The entry of a target. Raises `ToolFailed` for what is no entry, or one of another gene."""
    try:
        root = xml_root(xml)
    except ValueError as error:
        raise unknown_form(TITLE, "no XML") from error
    if root.tag != "entry" and root.find("entry") is None:
        raise unknown_form(TITLE, "no entry")
    _refuse_other(root, target)
    stained = root.find(".//tissueExpression[@technology='IHC']")
    cell = root.find(".//cellExpression")
    rna = root.find(".//rnaExpression[@assayType='consensusTissue']/rnaSpecificity")
    spread = root.find(".//rnaExpression[@assayType='consensusTissue']/rnaDistribution")
    return Entry(
        summary=_text(stained, "summary"),
        tissue_reliability=_text(stained, "verification"),
        tissues=tuple(
            (_text(data, "tissue"), _text(data, "level[@type='expression']"))
            for data in (stained.findall("data") if stained is not None else ())
            if _text(data, "tissue") and _text(data, "level[@type='expression']")
        ),
        cell_reliability=_text(cell, "verification"),
        places=tuple(
            ((place.text or "").strip(), place.get("GOId", ""), place.get("status", ""))
            for place in (cell.iterfind("data/location") if cell is not None else ())
            if (place.text or "").strip()
        ),
        specificity="" if rna is None else rna.get("specificity", ""),
        distribution="" if spread is None else " ".join((spread.text or "").split()),
    )


def _refuse_other(root: Element, target: Target) -> None:
    """Raises `ToolFailed` if the entry names another gene."""
    named = (root.findtext(".//entry/name") or root.findtext("name") or "").strip()
    ids = {one.get("id", "") for one in root.iter("identifier")}
    if not named and not ids:
        raise unknown_form(TITLE, "an entry without a gene")
    if target.ensembl and ids and target.ensembl not in ids:
        raise other_gene(TITLE, named or ", ".join(sorted(ids)), target)
    if named and not ids and named not in target.symbols:
        raise other_gene(TITLE, named, target)


def _text(element: Element | None, path: str) -> str:
    found = None if element is None else element.find(path)
    return "" if found is None else " ".join("".join(found.itertext()).split())


def describe_entry(target: Target, entry: Entry, edition: Edition) -> Sheet:
    """The record of an entry: a fact a stained tissue, and a fact a place in the cell."""
    sheet = edition.sheet(f"{target.symbol}, stained tissues and cells", target.symbol)
    name, gene = f"the {edition.name}", target.symbol
    if entry.specificity:
        spread = f"; distribution: {entry.distribution}" if entry.distribution else ""
        line = sheet.line(f"RNA of {gene}: {entry.specificity}{spread}")
        sheet.fact(
            Topic.EXPRESSION,
            f"The tissue category of {gene} RNA in {name} is “{entry.specificity}”"
            f"{f'; its distribution is “{entry.distribution}”' if entry.distribution else ''}.",
            line,
            measure="tissue category",
        )
    if entry.summary:
        sheet.line(f"Staining of tissues: {entry.summary}")
    how = f" (reliability: {entry.tissue_reliability})" if entry.tissue_reliability else ""
    for tissue, level in entry.tissues:
        line = sheet.line(f"{gene} protein in {tissue}, by antibody staining: {level}{how}")
        sheet.fact(
            Topic.EXPRESSION,
            f"By antibody staining, {name} finds the level of {gene} protein in {tissue}: {level}{how}.",
            line,
            term=tissue,
            measure="protein level",
        )
    how = f", reliability: {entry.cell_reliability}" if entry.cell_reliability else ""
    for place, go, status in entry.places:
        kind = f"{status} location" if status else "location"
        line = sheet.line(f"{kind.capitalize()} of {gene} protein in the cell: {place} ({go}{how})")
        sheet.fact(
            Topic.LOCATION,
            f"In the cell, {name} gives {place} as {kind} of the {gene} protein ({go}{how}).",
            line,
            term=place,
            id=go,
        )
    return sheet
