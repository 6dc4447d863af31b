"""Every tool over the real files of the databases, for the development targets and others."""

import csv
import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.databases.bulk_format import HEAD_LINES
from agents.databases.facts import Facts
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.registry import fitting
from agents.databases.target_tool import TargetFindings
from agents.databases.toolset import database_tools
from tests.agents.databases.standing import assert_stands, run
from tests.support.services import shared

pytestmark = pytest.mark.service("shared")
FILES = {
    "drug_target/drugcentral_target.tsv.gz": "drugcentral",
    "gene_disease/g2p.csv.gz": "gene2phenotype",
    "go/GO_Biological_Process_2021.gmt": "go",
    "gtex/expression-SMTSD.tsv.gz": "gtex",
    "gwas/gwas_catalog_v1.0.1-downloaded_2015-06-08.tsv.gz": "gwas",
    "hpa/proteinatlas.tsv.zip": "hpa",
    "mgi/HMD_HumanPhenotype.rpt": "mgi",
    "mgi/VOC_MammalianPhenotype.rpt": "mgi-terms",
    "ot_fixtures/gnomad_lof.csv": "gnomad",
    "reactome/ReactomePathways.gmt": "reactome",
}
TOOLS = (
    "gene_functions",
    "pathways",
    "tissue_expression",
    "protein_atlas",
    "genetic_constraint",
    "common_variant_traits",
    "drug_mechanisms",
    "disease_mechanisms",
    "mouse_phenotypes",
)
OTHERS = ("EGFR", "PCSK9", "BRAF", "TTR", "SCN5A", "KCNH2", "LMNA", "TP53", "APOB", "ENSG00000169252")


def opened(path: Path) -> Iterator[str]:
    if path.suffix == ".zip":
        archive = zipfile.ZipFile(path)
        return iter(io.TextIOWrapper(archive.open(archive.namelist()[0]), encoding="utf-8"))
    if path.suffix == ".gz":
        return iter(gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n").readlines())
    return iter(path.read_text(encoding="utf-8", errors="replace").splitlines())


@pytest.fixture(scope="module")
def bulk() -> MemoryBulk:
    bulk = MemoryBulk()
    for name, source in FILES.items():
        lines = list(opened(shared(f"data/tsa/{name}")))
        form = fitting([line.rstrip("\r\n") for line in lines[:HEAD_LINES]])
        assert form is not None, f"{name} is not recognised"
        assert form.source == source
        bulk.load(form, lines)
    return bulk


def symbols() -> list[str]:
    path = shared("data/tsa/safety_curation/targets.tsv")
    with path.open() as lines:
        return [row["target"] for row in csv.DictReader(lines, delimiter="\t")]


@pytest.mark.parametrize("tool", TOOLS)
def test_each_sentence_stands_on_its_record(bulk: MemoryBulk, tool: str) -> None:
    tools = database_tools(Reach(bulk))
    silent = 0
    for symbol in (*symbols(), *OTHERS):
        reply = run(tools.call(tool, f'{{"target": "{symbol}"}}'))
        facts = Facts.model_validate(reply.data)
        assert_stands(TargetFindings(tuple(record.source for record in reply.records), facts.facts))
        assert facts.facts or facts.missing
        silent += not facts.facts
    most = {
        "common_variant_traits": 35,
        "tissue_expression": 6,
        "genetic_constraint": 50,
        "drug_mechanisms": 7,
        "disease_mechanisms": 34,
    }
    assert silent <= most.get(tool, 0)
