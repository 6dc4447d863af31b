"""The GWAS Catalog: traits to which common variants at a gene are tied, at genome-wide significance.

Bulk: the catalog's table of associations, in the form of 2015 and in those since. Live: REST API v2.
"""

import math
import re
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from agents.databases.associations import SIGNIFICANT, Association, describe_associations
from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import at, items, json_of, number, text, texts
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

API = "https://www.ebi.ac.uk/gwas/rest/api/v2/associations"
PAGE_SIZE, PAGES = 200, 5
GENES = re.compile(r"\s-\s|\sx\s|\s*[,;]\s*")
"""What stands between genes; "x" between those of an interaction."""
BETWEEN = re.compile(r"\s-\s")
NEAR = 50_000
"""Bases from the gene within which a variant between genes is taken for one of it."""
KEPT = (
    "PUBMEDID",
    "DISEASE/TRAIT",
    "REPORTED GENE(S)",
    "MAPPED_GENE",
    "UPSTREAM_GENE_DISTANCE",
    "DOWNSTREAM_GENE_DISTANCE",
    "SNPS",
    "CONTEXT",
    "P-VALUE",
    "PVALUE_MLOG",
    "P-VALUE (TEXT)",
    "OR or BETA",
    "95% CI (TEXT)",
)


def _associations(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "MAPPED_GENE", "REPORTED GENE(S)", "P-VALUE", "SNPS"):
        kept = {name: row[name] for name in KEPT if row.get(name)}
        genes = GENES.split(row["MAPPED_GENE"]) + GENES.split(row["REPORTED GENE(S)"])
        yield from under(kept, *(gene for gene in genes if gene not in ("NR", "intergenic", "NA")))


GWAS = database(
    "gwas",
    BulkFormat(
        "gwas",
        "gwas_catalog_associations.tsv",
        "https://www.ebi.ac.uk/gwas/docs/file-downloads",
        "DATE ADDED TO CATALOG, PUBMEDID, FIRST AUTHOR, ...",
        with_columns("MAPPED_GENE", "REPORTED GENE(S)", "P-VALUE", "SNPS"),
        _associations,
    ),
)
TITLE = GWAS.title


async def common_variant_traits(reach: Reach, target: Target) -> TargetFindings:
    """The traits of a target: from the loaded table, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(GWAS.name)
    if loaded is None:
        return await _live(reach.web, target) if reach.web else unasked(GWAS)
    rows = [
        row
        for symbol in (target.symbol, *target.previous)
        for row in await reach.bulk.rows(GWAS.name, symbol)
    ]
    found = [made for row in rows if (made := from_row(row, target))]
    return _from_associations(target, found, Edition.of_bulk(GWAS, loaded))


def _from_associations(
    target: Target, found: list[Association], edition: Edition, missing: tuple[str, ...] = ()
) -> TargetFindings:
    if not found:
        return absent(f"The {TITLE} holds no association with {target.symbol}.")
    sheet = describe_associations(edition, target, found)
    if not sheet.facts:
        return absent(
            f"The {TITLE} holds associations with {target.symbol}, none of them at genome-wide significance "
            f"(p at most {SIGNIFICANT})."
        )
    return target_findings((sheet,), missing=missing)


def from_row(row: Row, target: Target) -> Association | None:
    """The association of a row, under the trait that its study reports; None for one without a p-value.

    What the catalog maps a trait to is not read: a study of many traits is mapped to all of them in each hit.
    """
    p, place = row.get("P-VALUE", "").strip(), place_of(row, target)
    strength = strength_in(p, row.get("PVALUE_MLOG", ""))
    trait = f"{row.get('DISEASE/TRAIT', '')} {row.get('P-VALUE (TEXT)', '').strip()}".strip()
    if strength is None or not trait:
        return None
    return Association(
        trait,
        row.get("SNPS", ""),
        place,
        p,
        strength,
        effect=" ".join(filter(None, (row.get("OR or BETA", ""), row.get("95% CI (TEXT)", "")))),
        paper=row.get("PUBMEDID", ""),
        far=is_far(place),
    )


def is_far(place: str) -> bool:
    """Whether a place lies beyond `NEAR`, or is mapped to other genes, whatever the authors name."""
    apart = re.search(r", (\d+) bases from ", place)
    return ", mapped to " in place or (apart is not None and int(apart[1]) > NEAR)


def strength_in(p: str, logarithm: str) -> float | None:
    """The negative logarithm of a p-value, from how it is written: a float holds none below 1E-308.

    The catalog's own column of logarithms, which says "Infinity" there, is the second choice.
    """
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(?:[eE]([+-]?\d+))?", p):
        mantissa = float(found[1])
        return Association.strength_of(mantissa, int(found[2] or 0)) if mantissa > 0 else None
    value = number(logarithm) if p else None
    return value if value is not None and math.isfinite(value) else None


def place_of(row: Row, target: Target) -> str:
    """Where the variant lies, seen from the target."""
    mapped = row.get("MAPPED_GENE", "")
    sides = BETWEEN.split(mapped)
    symbols = {symbol.casefold() for symbol in target.symbols}
    if len(sides) == 2 and symbols & {side.strip().casefold() for side in sides}:
        upstream = sides[0].strip().casefold() in symbols
        apart = row.get("UPSTREAM_GENE_DISTANCE" if upstream else "DOWNSTREAM_GENE_DISTANCE", "")
        far = f", {apart} bases from {target.symbol}" if apart.isdigit() else ""
        return f"between {sides[0].strip()} and {sides[1].strip()}{far}"
    if symbols & {gene.strip().casefold() for gene in GENES.split(mapped)}:
        return f"at {target.symbol}"
    return f"for which the authors name {target.symbol}" + (f", mapped to {mapped}" if mapped else "")


async def _live(web: Web, target: Target) -> TargetFindings:
    """The strongest associations that are mapped to the gene."""
    found: list[Association] = []
    total, seen, first = 0, 0, None
    for page in range(PAGES):
        asked = (
            ("mapped_gene", target.symbol),
            ("page", str(page)),
            ("size", str(PAGE_SIZE)),
            ("sort", "p_value"),
            ("direction", "asc"),
        )
        got = await web.fetch(WebRequest(GWAS.name, API, asked))
        if got is None:
            break
        first = first or got
        read, total, here = read_page(json_of(got, f"The {TITLE}"), target)
        found += read
        seen += here
        if not here or seen >= total:
            break
    if first is None:
        return absent(f"The {TITLE} holds no association with {target.symbol}.")
    cut = f"Of {total} associations with {target.symbol} in the {TITLE}, the strongest {seen} were read."
    edition = Edition.of_reply(GWAS, first, f"https://www.ebi.ac.uk/gwas/genes/{target.symbol}")
    return _from_associations(target, found, edition, (cut,) if total > seen else ())


def read_page(value: JsonValue, target: Target) -> tuple[list[Association], int, int]:
    """Associations of one page that are mapped to the target, how many there are in all, and on the page.

    Raises `ToolFailed` for another form, and for a page on which all are mapped to other genes.
    """
    if not isinstance(at(value, "_embedded"), dict) and at(value, "page") is None:
        raise unknown_form(f"The {TITLE}", "no associations")
    listed = items(value, "_embedded", "associations")
    mapped = [one for one in listed if set(target.symbols) & set(texts(one, "mapped_genes"))]
    if listed and not mapped:
        named = [gene for one in listed for gene in texts(one, "mapped_genes")]
        if not named:
            raise unknown_form(f"The {TITLE}", "no mapped genes")
        raise other_gene(f"The {TITLE}", named[0], target)
    found = [made for one in mapped if (made := _read(one, target))]
    return found, int(number(value, "page", "totalElements") or len(listed)), len(listed)


def _read(one: JsonValue, target: Target) -> Association | None:
    mantissa, exponent = number(one, "pvalue_mantissa"), number(one, "pvalue_exponent")
    reported = ", ".join(texts(one, "reported_trait")) or text(one, "efo_traits", 0, "efo_trait")
    if mantissa is None or exponent is None or mantissa <= 0 or not reported:
        return None
    genes = texts(one, "mapped_genes")
    variants = [text(allele, "rs_id") for allele in items(one, "snp_allele")]
    return Association(
        reported,
        ", ".join(filter(None, variants)) or ", ".join(texts(one, "snp_effect_allele")),
        f"at {target.symbol}" if len(genes) == 1 else f"mapped to {', '.join(genes)}",
        f"{mantissa:g}E{exponent:g}",
        Association.strength_of(mantissa, exponent),
        effect=text(one, "range"),
        paper=text(one, "pubmed_id"),
    )


gwas_catalog_tool = TargetTool("common_variant_traits", GWAS, common_variant_traits, (Topic.ASSOCIATION,))
