"""ClinVar: diseases that are tied to variants of a gene, and live its pathogenic variants.

Bulk: a gene-phenotype table in two forms (`clinvar_genes_phenos.txt`, in which blanks are dots, and NCBI's
`gene_condition_source_id`). Neither says how many variants there are, or what they do to the gene.
"""

import re
from collections.abc import Iterable, Iterator

from agents.counts import number_of
from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.change import READ, change_in
from agents.databases.clinvar_live import pathogenic_variants
from agents.databases.database import Database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

NO_DISEASE = re.compile(r"not (provided|specified)|see cases|all highly penetrant", re.IGNORECASE)
"""Names that ClinVar gives where a submitter named no disease."""
NO_EFFECT = (
    "The gene-disease table of ClinVar says neither what the variants do to the gene nor how many they are."
)


IDS = 3
"""From so many ids of MedGen on, a name stands for diseases that are not one: the file is wrong there."""
UNCERTAIN = "name of the disease not certain"


def undotted(name: str) -> str:
    """A phenotype whose blanks are written as dots; a dot between digits stays ("22q13.3 deletion")."""
    name = re.sub(r"(?<!\d)\.|\.(?!\d)", " ", name)
    return " ".join(name.split())


def _dotted(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    yield from _marked(
        {
            "GeneID": row.get("EntrezID", ""),
            "Symbol": row["GeneSymbol"],
            "MedGen": row["MedGenID"],
            "Disease": undotted(row["Phenotype"]),
        }
        for row in table(lines, "GeneSymbol", "MedGenID", "Phenotype")
    )


def _conditions(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    yield from _marked(
        {
            "GeneID": row["GeneID"],
            "Symbol": row.get("AssociatedGenes") or row.get("RelatedGenes") or row.get("GeneSymbol", ""),
            "MedGen": row["ConceptID"],
            "Disease": row["DiseaseName"],
        }
        for row in table(lines, "GeneID", "ConceptID", "DiseaseName")
    )


def _marked(rows: Iterable[dict[str, str]]) -> Iterator[tuple[str, Row]]:
    """The rows under their genes, each with how many ids of MedGen the file gives its disease's name."""
    every = list(rows)
    ids: dict[str, set[str]] = {}
    for row in every:
        ids.setdefault(row["Disease"].casefold(), set()).add(row["MedGen"])
    for row in every:
        yield from under({**row, "Ids": str(len(ids[row["Disease"].casefold()]))}, row["Symbol"])


CLINVAR = Database(
    name="clinvar",
    title="ClinVar",
    tells="diseases tied to variants of the gene, and its pathogenic variants",
    licence="public domain",
    page="https://www.ncbi.nlm.nih.gov/clinvar/",
    formats=(
        BulkFormat(
            "clinvar",
            "clinvar_genes_phenos.txt",
            "https://www.ncbi.nlm.nih.gov/clinvar/",
            "GeneSymbol, EntrezID, MedGenID, Phenotype, Grouped",
            with_columns("GeneSymbol", "MedGenID", "Phenotype"),
            _dotted,
        ),
        BulkFormat(
            "clinvar",
            "gene_condition_source_id",
            "https://ftp.ncbi.nlm.nih.gov/pub/clinvar/",
            "#GeneID, AssociatedGenes, RelatedGenes, ConceptID, DiseaseName, ...",
            with_columns("GeneID", "ConceptID", "DiseaseName"),
            _conditions,
        ),
    ),
)


async def rare_variant_diseases(reach: Reach, target: Target) -> TargetFindings:
    """The diseases of a target: from the loaded table, else live. Raises `ToolFailed`."""
    loaded = reach.bulk.release(CLINVAR.name)
    if loaded is None:
        if reach.web is None:
            return unasked(CLINVAR)
        return await pathogenic_variants(reach.web, target, CLINVAR)
    for symbol in target.own_symbols:
        rows = [row for row in await reach.bulk.rows(CLINVAR.name, symbol) if _is_of(row, target)]
        if rows:
            sheet = from_rows(target, rows, Edition.of_bulk(CLINVAR, loaded))
            none = f"ClinVar names no disease of {target.symbol}."
            return target_findings((sheet,), nothing=none, missing=(NO_EFFECT,) if sheet.facts else ())
    return absent(f"The loaded table of ClinVar ties no disease to {target.symbol}.")


def _is_of(row: Row, target: Target) -> bool:
    return not target.entrez or row["GeneID"] in ("", target.entrez)


def from_rows(target: Target, rows: Iterable[Row], edition: Edition) -> Sheet:
    """The record of a gene's diseases, each once."""
    gene = target.symbol
    sheet = edition.sheet(f"diseases tied to variants of {gene}", gene)
    diseases = {row["Disease"].casefold(): row for row in rows if not NO_DISEASE.search(row["Disease"])}
    if not diseases:
        return sheet
    ordered = [diseases[name] for name in sorted(diseases)]
    count = sheet.line(f"Diseases tied to variants of {gene}: {len(ordered)}")
    many = number_of(len(ordered), "disease or trait", "diseases or traits")
    lines = [sheet.line(_line(row)) for row in ordered]
    sheet.fact(
        Topic.DISEASE,
        f"{edition.name} ties variants of {gene} to {many}.",
        count,
        measure="number of diseases",
        value=len(ordered),
    )
    for row, line in zip(ordered, lines, strict=True):
        _tell(sheet, target, row, line, edition)
    return sheet


def _line(row: Row) -> str:
    ids = row.get("Ids", "")
    doubt = f"; the file gives this name to {ids} ids" if ids.isdecimal() and int(ids) >= IDS else ""
    return f"{row['Disease']} (MedGen {row['MedGen']}){doubt}"


def _tell(sheet: Sheet, target: Target, row: Row, line: str, edition: Edition) -> None:
    """A disease; one whose name stands for several is told by its id, and not asserted."""
    gene, name, key, ids = target.symbol, row["Disease"], row["MedGen"], row.get("Ids", "")
    if ids.isdecimal() and int(ids) >= IDS:
        sheet.fact(
            Topic.DISEASE,
            f"{edition.name} ties variants of {gene} to MedGen {key}, under a name that the same file gives "
            f"to {ids} different ids (“{name}”): which disease is meant is not certain.",
            line,
            id=f"MedGen:{key}",
            measure=UNCERTAIN,
        )
        return
    change = change_in(name, (target.name, *target.own_symbols))
    read = f"; by its name, {READ[change]}" if change else ""
    sheet.fact(
        Topic.DISEASE,
        f"{edition.name} ties variants of {gene} to: {name} (MedGen {key}{read}).",
        line,
        term=name,
        id=f"MedGen:{key}",
        change=change,
    )


clinvar_tool = TargetTool(
    "rare_variant_diseases",
    "Which diseases are tied to rare variants of a target, and which of its variants are pathogenic "
    "(ClinVar).",
    CLINVAR,
    rare_variant_diseases,
    (Topic.DISEASE, Topic.VARIANT),
)
