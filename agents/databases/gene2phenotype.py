"""Diseases of a gene with inheritance and mechanism, as experts judged them: Gene2Phenotype and ClinGen; and
those that need both copies of the gene, as the Human Phenotype Ontology (HPO) lists them.

Only records of definitive, strong or moderate confidence are kept. Where no mechanism is stated, a disease
that ClinGen's table of dosage ties to the loss of a copy is of loss. A product that is lost or reduced is
read as loss, one that is altered too only where loss of a copy is known to suffice. What needs both copies,
lies on the X, or is called a deficiency is read as loss as well; the facts say so.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import Database, database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Change, Topic
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

CONFIDENT = frozenset({"definitive", "strong", "moderate"})
LOST = ("absent gene product", "decreased gene product level")
READ_AS_LOSS = (*LOST, "biallelic", "monoallelic_X", "AR;", "XL;", " deficiency", " haploinsufficiency")
"""Consequences, inheritance and names ("factor XI deficiency") that are read so."""
INHERITED = {"AR": "autosomal recessive", "AD": "autosomal dominant", "XL": "X-linked", "SD": "semidominant"}
DOSAGE = "clingen-dosage"
HAPLOINSUFFICIENT = "loss of a copy suffices (ClinGen dosage)"
MECHANISMS = {
    HAPLOINSUFFICIENT: Change.LOSS,
    "loss of function": Change.LOSS,
    "dominant negative": Change.LOSS,
    "gain of function": Change.GAIN,
}
"""What a mechanism does to the target; a dominant negative product takes the others' function."""
G2P_COLUMNS = {
    "gene": "gene symbol",
    "disease": "disease name",
    "inheritance": "allelic requirement",
    "confidence": "confidence",
    "mechanism": "molecular mechanism",
    "consequence": "variant consequence",
}
REPEATS = re.compile(
    r"huntington disease|spinal and bulb|kennedy disease|myotonic dystrophy|dentatorubral|oculopharyngeal",
    re.IGNORECASE,
)
"""Diseases of a repeat that grew: its product does harm of its own, which is no loss of the target."""
DOSAGE_COLUMNS = ("Gene Symbol", "Haploinsufficiency Score", "Haploinsufficiency Disease ID")
HPO_PAGE = "https://hpo.jax.org/data/annotations"
HPO_NAMES, LISTING = "hpo-diseases", "recessive_diseases"
RECESSIVE = "HP:0000007"
MODES = {RECESSIVE, "HP:0000006", "HP:0001417", "HP:0001426", "HP:0001428", "HP:0001442", "HP:0010982"}
"""Modes of inheritance: recessive, dominant, X-linked, multifactorial, somatic, mosaic, polygenic."""
CLINGEN_COLUMNS = {
    "gene": "GENE SYMBOL",
    "disease": "DISEASE LABEL",
    "inheritance": "MOI",
    "confidence": "CLASSIFICATION",
}


def _records(columns: Mapping[str, str]) -> Callable[[Iterable[str]], Iterator[tuple[str, Row]]]:
    """A `parse` for a CSV with these columns: its confident records under their genes."""

    def parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
        for row in table(lines, *columns.values(), separator=","):
            kept = {ours: row[theirs] for ours, theirs in columns.items()}
            kept["id"] = row.get("disease MONDO") or row.get("DISEASE ID (MONDO)") or ""
            if kept["confidence"].casefold() in CONFIDENT:
                yield from under(kept, kept["gene"])

    return parse


def _dosage(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Genes of which the loss of a copy suffices for a disease, with its id."""
    for row in table(lines, *DOSAGE_COLUMNS):
        if row[DOSAGE_COLUMNS[1]] == "3":
            yield from under({"id": row[DOSAGE_COLUMNS[2]]}, row[DOSAGE_COLUMNS[0]])


def _tied(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The ids of a gene's diseases, each once: the file has a row for each symptom. Left out is what is tied
    to several genes, for its inheritance may be that of another one (Budd-Chiari syndrome).
    """
    rows = table(lines, "gene_symbol", "disease_id")
    pairs = dict.fromkeys((row["gene_symbol"], row["disease_id"]) for row in rows)
    genes = Counter(disease for _, disease in pairs)
    for gene, disease in pairs:
        if genes[disease] == 1:
            yield from under({"id": disease}, gene)


def _inherited(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The diseases that are autosomal recessive and nothing else: what lies on the X may be a gain
    (thrombophilia by factor IX), and what is dominant or somatic too may come of either change.
    """
    modes: dict[tuple[str, str], set[str]] = {}
    for row in table(lines, "database_id", "disease_name", "hpo_id"):
        if row["hpo_id"] in MODES:
            modes.setdefault((row["database_id"], row["disease_name"]), set()).add(row["hpo_id"])
    for (id_, name), found in modes.items():
        if found == {RECESSIVE}:
            yield from under(
                {"disease": name, "inheritance": "AR", "confidence": "not judged", "id": id_}, id_
            )


def _curated(name: str, page: str, file: str, columns: Mapping[str, str]) -> BulkFormat:
    header = tuple(columns.values())
    fits, parse = with_columns(*header, separator=","), _records(columns)
    return BulkFormat(name, file, page, ", ".join(header), fits, parse)


G2P = database(
    "gene2phenotype",
    _curated(
        "gene2phenotype",
        "https://www.ebi.ac.uk/gene2phenotype/download",
        "G2P_all.csv.gz",
        G2P_COLUMNS,
    ),
)
CLINGEN = database(
    "clingen",
    _curated(
        "clingen",
        "https://search.clinicalgenome.org/kb/gene-validity/download",
        "Clingen-Gene-Disease-Summary.csv",
        CLINGEN_COLUMNS,
    ),
    BulkFormat(
        DOSAGE,
        "ClinGen_gene_curation_list_GRCh38.tsv",
        "https://search.clinicalgenome.org/kb/downloads",
        ", ".join(DOSAGE_COLUMNS),
        with_columns(*DOSAGE_COLUMNS),
        _dosage,
    ),
)
HPO = database(
    "hpo",
    BulkFormat(
        "hpo",
        "genes_to_phenotype.txt",
        HPO_PAGE,
        "ncbi_gene_id, gene_symbol, hpo_id, hpo_name, frequency, disease_id",
        with_columns("gene_symbol", "hpo_id", "disease_id"),
        _tied,
    ),
    BulkFormat(
        HPO_NAMES,
        "phenotype.hpoa",
        HPO_PAGE,
        "database_id, disease_name, qualifier, hpo_id, …",
        with_columns("database_id", "disease_name", "qualifier", "hpo_id"),
        _inherited,
    ),
)


async def diseases(database: Database, reach: Reach, target: Target) -> TargetFindings:
    """The diseases of a target, each with what the variants do to it."""
    if (loaded := reach.bulk.release(database.name)) is None:
        return unasked(database)
    rows = await reach.bulk.rows(database.name, target.symbol)
    if database is HPO:
        rows = [named for row in rows for named in await reach.bulk.rows(HPO_NAMES, row["id"])]
    if not rows:
        return absent(f"The loaded table of {database.title} has no confident record of {target.symbol}.")
    sheet = Edition.of_bulk(database, loaded).sheet(f"diseases of {target.symbol}", target.symbol)
    dosed = {one["id"] for one in await reach.bulk.rows(DOSAGE, target.symbol)} - {""}
    for row in rows:
        term = row["disease"].removeprefix(f"{target.symbol}-related ").strip()
        way = row.get("mechanism") or "not stated"
        if way not in MECHANISMS and row.get("id") in dosed:
            way = HAPLOINSUFFICIENT
        grown = REPEATS.search(term)
        stated = Change.NOT_TOLD if grown else MECHANISMS.get(way, Change.NOT_TOLD)
        product = row.get("consequence", "")
        reduced = product * (bool(dosed) or "altered" not in product)
        hints = f"{row['inheritance']}; {reduced}; {term}"
        lost = not stated and not grown and any(one in hints for one in READ_AS_LOSS)
        inherited = INHERITED.get(row["inheritance"], row["inheritance"].replace("_", " "))
        how = f"inheritance: {inherited}; mechanism: {way}{', read as loss of function' if lost else ''}"
        sure = row["confidence"].casefold()
        sheet.state(
            Topic.DISEASE,
            f"{database.title} ties {target.symbol} to {term} ({how}; confidence: {sure})",
            term=term,
            id=row.get("id", ""),
            change=Change.LOSS if lost else stated,
            assumed=lost,
        )
    return target_findings((sheet,))


gene2phenotype_tool, clingen_tool, hpo_tool = (
    TargetTool(name, database, partial(diseases, database), (Topic.DISEASE,))
    for name, database in (("disease_mechanisms", G2P), ("disease_inheritance", CLINGEN), (LISTING, HPO))
)
