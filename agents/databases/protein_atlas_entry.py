"""The stained tissues of an entry of the Human Protein Atlas, which its XML alone tells."""

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

    `tissues` are tissue and level of staining ("Adipose tissue", "low"); their reliability is "enhanced",
    "supported", "approved" or "uncertain".
    """

    summary: str = ""
    reliability: str = ""
    tissues: tuple[tuple[str, str], ...] = ()


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
        raise unknown_form(TITLE, "an entry without a gene")
    if target.ensembl and ids and target.ensembl not in ids:
        raise other_gene(TITLE, named or ", ".join(sorted(ids)), target)
    if named and not ids and named not in target.symbols:
        raise other_gene(TITLE, named, target)


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
