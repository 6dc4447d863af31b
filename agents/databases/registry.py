"""All databases of the house, in alphabetical order of their titles: one line each."""

from collections.abc import Sequence

from agents.databases import (
    adis_insight,
    atc,
    case_reports,
    chembl,
    clinical_trials,
    clinvar,
    dgidb,
    ensembl,
    expression_atlas,
    gene_ontology,
    gnomad,
    gtex,
    gwas_catalog,
    hgnc,
    kegg,
    live_identity,
    mgi,
    ncbi_gene,
    ndc,
    open_targets,
    openfda,
    prescriptions,
    protein_atlas,
    pubmed,
    reactome,
    sequences,
    uniprot,
)
from agents.databases.bulk_format import BulkFormat
from agents.databases.database import Database

DATABASES: tuple[Database, ...] = (
    adis_insight.ADIS,
    atc.ATC,
    chembl.CHEMBL,
    clinical_trials.TRIALS,
    clinvar.CLINVAR,
    dgidb.DGIDB,
    ensembl.ENSEMBL,
    expression_atlas.ATLAS,
    gene_ontology.GO,
    gnomad.GNOMAD,
    gtex.GTEX,
    gwas_catalog.GWAS,
    hgnc.DATABASE,
    protein_atlas.HPA,
    kegg.KEGG,
    mgi.MGI,
    live_identity.MYGENE,
    ndc.NDC,
    ncbi_gene.NCBI_GENE,
    open_targets.OPEN_TARGETS,
    openfda.OPENFDA,
    prescriptions.PRESCRIPTIONS,
    pubmed.PUBMED,
    pubmed.EUROPE_PMC,
    reactome.REACTOME,
    case_reports.REPORTS,
    sequences.NCBI,
    sequences.ORTHODB,
    uniprot.UNIPROT,
)
"""Every database. A new one is one more line here and its tool one in `toolset.py`."""

FORMATS: tuple[BulkFormat, ...] = tuple(one for database in DATABASES for one in database.formats)
"""Every kind of file that can be loaded."""


def fitting(head: Sequence[str], formats: Sequence[BulkFormat] = FORMATS) -> BulkFormat | None:
    """The format of the file that begins with these lines; None for a file of another kind."""
    return next((one for one in formats if one.fits(head)), None)
