"""IMPC: what knockout mice of the target's ortholog show, by allele and zygosity, and when they die.

The lines of the International Mouse Phenotyping Consortium are knockouts by design, so one lost copy speaks
for loss too. The two tables of models hold only phenotypes that match a human disease: one that is not there
is not proven absent. They do not tell the sex.
"""

import re
from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Change, Topic
from agents.databases.genotypes import describe_genotypes
from agents.databases.mgi import mgi_rows, term_of
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

PAGE = "https://www.mousephenotype.org/data/release"
ZYGOSITY = {"hom": "homozygous", "hem": "hemizygous", "het": "heterozygous"}
"""From the strongest loss to the weakest."""
STAGE = {"early": "early adult", "middle": "middle-aged adult", "late": "late adult", "embryo": "embryo"}
MODEL = re.compile(r"(\S+<.+>|\S+) (hom|het|hem) (early|middle|late|embryo)")
ALLELES = ("Human gene symbol", "Mouse model description", "Matching mouse phenotypes")
MODELS = ("mouse_gene_symbol", "mouse_gene_id", "mouse_model", "mouse_phenotype")
DEATH = ("MP:0011100", "preweaning lethality, complete penetrance")
LETHAL = ("MGI_ID", "homozygosity", "viability_by_pup_numbers", "Window")


def _shown(model: str, terms: str, key: str) -> Iterator[tuple[str, Row]]:
    """A row for each phenotype of a model ("Ntrk1<tm1b(EUCOMM)Wtsi> het early")."""
    if found := MODEL.fullmatch(model):
        allele, zygosity, stage = found.groups()
        genotype = f"{allele}, {ZYGOSITY[zygosity]}, {STAGE[stage]}"
        for term in re.findall(r"MP:\d{7}", terms):
            yield from under({"Genotype": genotype, "MP ID": term}, key)


def _alleles(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, *ALLELES, separator=","):
        gene, model, terms = (row[name] for name in ALLELES)
        yield from _shown(model, terms, gene)


def _models(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Rows of models that the table names by id ("MGI:5692557#hom#early")."""
    for row in table(lines, *MODELS):
        mouse, marker, model, terms = (row[name] for name in MODELS)
        allele, *stage = model.split("#")
        known = allele if allele.startswith("MGI:") else "allele not named"
        yield from _shown(" ".join((f"{mouse}<{known}>", *stage)), terms, marker)


def _lethal(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, *LETHAL):
        if row["viability_by_pup_numbers"] == "Lethal":
            genotype = f"homozygous knockout (time of death: {row['Window']})"
            yield from under({"Genotype": genotype, "MP ID": DEATH[0]}, row["MGI_ID"])


IMPC = database(
    "impc",
    BulkFormat(
        "impc",
        "impc_phenodigm.csv",
        PAGE,
        ", ".join(ALLELES),
        with_columns(*ALLELES, separator=","),
        _alleles,
    ),
    BulkFormat(
        "impc-models", "model_phenotypes.tsv", PAGE, ", ".join(MODELS), with_columns(*MODELS), _models
    ),
    BulkFormat(
        "impc-lethality", "window_of_lethality.tsv", PAGE, ", ".join(LETHAL), with_columns(*LETHAL), _lethal
    ),
)


async def knockouts(reach: Reach, target: Target) -> TargetFindings:
    """The phenotypes of knockout mice of a target, each once, and when those without the gene die."""
    marker, mouse = "", target.symbol
    for ortholog in (await mgi_rows(reach, target))[:1]:
        marker, mouse = ortholog["MGI Marker ID"], ortholog["Mouse Gene Symbol"]
    keys = {"impc": target.symbol, "impc-models": marker, "impc-lethality": marker}
    editions = {
        name: Edition.of_bulk(IMPC, release) for name in keys if (release := reach.bulk.release(name))
    }
    if not editions:
        return unasked(IMPC)
    found = [(name, row) for name in editions for row in await reach.bulk.rows(name, keys[name])]
    found.sort(key=lambda one: [word in one[1]["Genotype"] for word in ZYGOSITY.values()], reverse=True)
    best: dict[str, tuple[str, Row]] = {}
    for name, row in found:
        best.setdefault(row["MP ID"], (name, row))
    names = {term: await term_of(reach, term) for term in best} | {DEATH[0]: (DEATH[1], "")}
    sheets = [
        describe_genotypes(edition, target.symbol, mouse, rows, names, lambda _: Change.LOSS)
        for name, edition in editions.items()
        if (rows := [row for source, row in best.values() if source == name])
    ]
    nothing = f"The loaded tables of {IMPC.title} name no knockout mouse of {target.symbol}."
    return target_findings(sheets, nothing=nothing) if sheets else absent(nothing)


mouse_knockouts_tool = TargetTool("mouse_knockouts", IMPC, knockouts, (Topic.PHENOTYPE,))
