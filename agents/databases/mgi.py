"""MGI: what mice with mutations of the target's ortholog show.

Bulk: `HMD_HumanPhenotype.rpt` (human symbol, Entrez id, mouse symbol, MGI id and high-level phenotype terms)
and `VOC_MammalianPhenotype.rpt` (all terms with name and definition). The first does not say which alleles
show a phenotype; the third report, `MGI_GenePheno.rpt`, does, and is read where it is loaded. Live: single
phenotypes, over Monarch.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from pydantic import JsonValue

from agents.counts import listed
from agents.databases.bulk_format import BulkFormat, Row, columns, under
from agents.databases.database import Database, database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import at, json_of, list_of, number, text, texts
from agents.databases.genotypes import Phenotype, describe_genotypes, describe_phenotypes
from agents.databases.ports import BulkRelease, Reach, Web, WebRequest
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.errors import ToolFailed

TITLE = "Monarch"
API = "https://api.monarchinitiative.org/v3/api"
CATEGORY = "biolink:GeneToPhenotypicFeatureAssociation"
MOUSE = "Mus musculus"
AT_MOST = 500
PAGE = "https://www.informatics.jax.org/downloads/reports/"
TERM = re.compile(r"MP:\d{7}")
MARKER = re.compile(r"MGI:\d+")
NORMAL = "MP:0002873"
"""The term "normal phenotype": not a finding."""
FIRST = (
    "MP:0010768",  # mortality and ageing
    "MP:0005385",  # cardiovascular system
    "MP:0003631",  # nervous system
    "MP:0005386",  # behaviour
    "MP:0005388",  # respiratory system
    "MP:0005370",  # liver
    "MP:0005367",  # kidney
    "MP:0005397",  # blood
    "MP:0005387",  # immune system
    "MP:0005379",  # endocrine glands
    "MP:0005389",  # reproduction
    "MP:0005380",  # embryo
    "MP:0005381",  # digestive tract
)
"""Classes that a reader of a safety report looks for first: death, then organs whose failure kills."""
NO_ALLELE = (
    "What MGI lists here does not say which alleles show a phenotype; it is read as loss of function, "
    "which is what most of its alleles are."
)


def _mapped(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Rows of the human-mouse table; older and newer ones have further columns between."""
    for line in lines:
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
        marker = next((place for place, cell in enumerate(cells) if MARKER.fullmatch(cell)), 0)
        if marker < 2 or not cells[0]:
            continue
        row = {
            "Human Gene Symbol": cells[0],
            "Human Entrez Gene ID": cells[1],
            "Mouse Gene Symbol": cells[marker - 1],
            "MGI Marker ID": cells[marker],
            "MP IDs": ", ".join(TERM.findall(" ".join(cells[marker + 1 :]))),
        }
        yield from under(row, cells[0], cells[1])


def _terms(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in columns(lines, "MP ID", "Term", "Definition"):
        if TERM.fullmatch(row["MP ID"]):
            yield row["MP ID"], row


def _genotypes(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    names = ("Genotype", "Alleles", "Allele IDs", "Background", "MP ID", "PubMed ID", "MGI Marker ID")
    for row in columns(lines, *names):
        for marker in re.split(r"[|,]", row["MGI Marker ID"]):
            if MARKER.fullmatch(marker.strip()) and TERM.fullmatch(row["MP ID"]):
                yield marker.strip(), row


def _first_cells(*patterns: str) -> partial[bool]:
    return partial(_fits, tuple(map(re.compile, patterns)))


def _fits(patterns: Sequence[re.Pattern[str]], head: Sequence[str]) -> bool:
    """Whether most lines of the head match one after the other in their cells: such files have no header."""
    lines = [line for line in head if line.strip() and not line.startswith("#")]
    hits = sum(all(pattern.search(line) for pattern in patterns) for line in lines)
    return bool(lines) and hits * 2 > len(lines)


MGI = database(
    "mgi",
    BulkFormat(
        "mgi",
        "HMD_HumanPhenotype.rpt",
        PAGE,
        "human symbol, Entrez id, mouse symbol, MGI id, MP ids; no header",
        _first_cells(r"^[^\t]+\t\d+\t", r"\tMGI:\d+\t"),
        _mapped,
    ),
    BulkFormat(
        "mgi-terms",
        "VOC_MammalianPhenotype.rpt",
        PAGE,
        "MP id, term, definition; no header",
        _first_cells(r"^MP:\d{7}\t[^\t]+"),
        _terms,
    ),
    BulkFormat(
        "mgi-genotypes",
        "MGI_GenePheno.rpt",
        PAGE,
        "allelic composition, alleles, allele ids, background, MP id, PubMed id, MGI id; no header",
        _first_cells(r"^[^\t]*/[^\t]*\t", r"\tMP:\d{7}\t", r"\tMGI:\d+"),
        _genotypes,
    ),
)


async def mouse_phenotypes(reach: Reach, target: Target) -> TargetFindings:
    """The phenotypes of a target in mice: from the loaded files; what they lack, live.

    Raises `ToolFailed`.
    """
    loaded = reach.bulk.release(MGI.name)
    if loaded is None:
        return await _live(reach.web, target) if reach.web else unasked(MGI)
    rows = await mgi_rows(reach, target)
    if not rows:
        return absent(f"MGI lists no mouse ortholog of {target.symbol}.")
    sheets: list[Sheet] = []
    missing: list[str] = []
    for row in rows:
        sheets.append(await _classes(reach, target, row, loaded))
        more, lacking = await _in_detail(reach, target, row)
        sheets += more
        missing += lacking
        if not row["MP IDs"]:
            missing.append(f"MGI lists no phenotype of mouse {row['Mouse Gene Symbol']}.")
    return target_findings(sheets, nothing=f"MGI lists no phenotype of {target.symbol}.", missing=missing)


async def _in_detail(reach: Reach, target: Target, row: Row) -> tuple[list[Sheet], tuple[str, ...]]:
    """The single phenotypes behind the classes: by genotype where that is loaded, else live."""
    marker, mouse = row["MGI Marker ID"], row["Mouse Gene Symbol"]
    if (genotypes := reach.bulk.release("mgi-genotypes")) is not None:
        found = await reach.bulk.rows("mgi-genotypes", marker)
        names = {one["MP ID"]: await term_of(reach, one["MP ID"]) for one in found}
        return [describe_genotypes(Edition.of_bulk(MGI, genotypes), target.symbol, mouse, found, names)], ()
    if not row["MP IDs"]:
        return [], ()
    if reach.web is None:
        return [], (NO_ALLELE,)
    try:
        sheet, missing = await phenotype_sheet(reach.web, target, (marker, mouse), MGI)
    except ToolFailed as error:
        return [], (NO_ALLELE, f"The single phenotypes of mouse {mouse} are missing: {error}")
    return [sheet] if sheet else [], (NO_ALLELE, *missing)


async def _live(web: Web, target: Target) -> TargetFindings:
    """The phenotypes of the mouse gene of the same symbol."""
    gene = await mouse_gene(web, target, MGI)
    if not gene[0]:
        return absent(
            f"No mouse gene of the symbol {target.symbol} is known; its ortholog may have another one."
        )
    sheet, missing = await phenotype_sheet(web, target, gene, MGI)
    if sheet is None:
        return absent(f"MGI lists no phenotype of mouse {gene[1]}.")
    return target_findings((sheet,), missing=(NO_ALLELE, *missing))


async def mgi_rows(reach: Reach, target: Target) -> list[Row]:
    """The rows of the target: by symbol, and not of another gene that had the symbol. Of several genes of the
    mouse the one of the same symbol is the ortholog; the others are its relatives.
    """
    for symbol in target.own_symbols:
        rows = [
            row
            for row in await reach.bulk.rows(MGI.name, symbol)
            if not target.entrez or row["Human Entrez Gene ID"] in ("", target.entrez)
        ]
        if rows:
            same = [row for row in rows if row["Mouse Gene Symbol"].casefold() == symbol.casefold()]
            return same or rows
    return []


async def _classes(reach: Reach, target: Target, row: Row, loaded: BulkRelease) -> Sheet:
    """The record of the high-level terms, with a fact each and one that sums up."""
    mouse, marker = row["Mouse Gene Symbol"], row["MGI Marker ID"]
    edition = Edition.of_bulk(MGI, loaded, f"https://www.informatics.jax.org/marker/{marker}")
    terms = dict.fromkeys(term for term in TERM.findall(row["MP IDs"]) if term != NORMAL)
    found = [Phenotype(term, *await term_of(reach, term)) for term in terms]
    found.sort(key=lambda one: (_rank(one.id), one.name.casefold()))
    listing = f": {listed([one.name.removesuffix(' phenotype') for one in found])}"
    kinds = ("class of phenotypes", "classes of phenotypes")
    return describe_phenotypes(edition, target.symbol, (marker, mouse), found, kinds, listing=listing)


def _rank(term: str) -> int:
    """Place of a class in `FIRST`; the same for all others."""
    return FIRST.index(term) if term in FIRST else len(FIRST)


async def term_of(reach: Reach, term: str) -> tuple[str, str]:
    """A term's name and definition; its id and "" where the terms are not loaded."""
    rows = await reach.bulk.rows("mgi-terms", term)
    return (rows[0]["Term"], rows[0]["Definition"]) if rows else (term, "")


mouse_phenotypes_tool = TargetTool("mouse_phenotypes", MGI, mouse_phenotypes, (Topic.PHENOTYPE,))


async def mouse_gene(web: Web, target: Target, database: Database) -> tuple[str, str]:
    """Id and symbol of the mouse gene of the same symbol; two empty texts where there is none.

    Only the same symbol is taken: a search finds many genes, and a wrong one would speak for the target.
    """
    asked = (("q", target.symbol), ("category", "biolink:Gene"), ("in_taxon_label", MOUSE), ("limit", "20"))
    got = await web.fetch(WebRequest(database.name, f"{API}/search", asked))
    if got is None:
        return "", ""
    for one in list_of(json_of(got, TITLE), TITLE, "items"):
        key, name = text(one, "id"), text(one, "symbol") or text(one, "name")
        if key.startswith("MGI:") and name.casefold() == target.symbol.casefold():
            return key, name
    return "", ""


async def phenotype_sheet(
    web: Web, target: Target, gene: tuple[str, str], database: Database
) -> tuple[Sheet | None, tuple[str, ...]]:
    """The record of a mouse gene's phenotypes, and what was not read. None where there are none."""
    marker, mouse = gene
    asked = (("subject", marker), ("category", CATEGORY), ("limit", str(AT_MOST)))
    got = await web.fetch(WebRequest(database.name, f"{API}/association", asked))
    found, total = read_phenotypes(json_of(got, TITLE), marker) if got else ((), 0)
    if got is None or not found:
        return None, ()
    link = f"https://monarchinitiative.org/{marker}"
    edition, kinds = Edition.of_reply(database, got, link), ("phenotype", "phenotypes")
    served = f", as {TITLE} serves them"
    sheet = describe_phenotypes(edition, target.symbol, gene, found, kinds, served=served)
    cut = f"Of {total} annotations of mouse {mouse}, the first {AT_MOST} were read."
    return sheet, (cut,) if total > AT_MOST else ()


def read_phenotypes(value: JsonValue, marker: str) -> tuple[tuple[Phenotype, ...], int]:
    """Phenotypes by name, each once, and how many annotations there are in all.

    Raises `ToolFailed` for another form, and where all annotations are of other genes.
    """
    found: dict[str, Phenotype] = {}
    others = []
    for one in list_of(value, TITLE, "items"):
        if text(one, "subject") != marker:
            others.append(text(one, "subject") or "another gene")
            continue
        term, name = text(one, "object"), text(one, "object_label")
        if term.startswith("MP:") and name and at(one, "negated") is not True:
            papers = (paper for paper in texts(one, "publications") if paper.startswith("PMID:"))
            found.setdefault(term, Phenotype(term, name, paper=next(papers, "")))
    if others and not found:
        raise ToolFailed(f"{TITLE} replied with {others[0]}, not with {marker}. Go on without it.")
    ordered = tuple(sorted(found.values(), key=lambda one: one.name.casefold()))
    return ordered, int(number(value, "total") or len(ordered))
