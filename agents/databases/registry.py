"""All databases of the house, in alphabetical order of their titles: one line each."""

from collections.abc import Sequence

from agents.databases import (
    atc,
    case_reports,
    chembl,
    clinical_trials,
    clinvar,
    drugcentral,
    gene2phenotype,
    gene_ontology,
    gnomad,
    gtex,
    gtopdb,
    gwas_catalog,
    hgnc,
    impc,
    live_identity,
    mgi,
    ncbi_gene,
    ndc,
    open_targets,
    openfda,
    prescriptions,
    protein_atlas,
    pubmed,
    pubmed_records,
    reactome,
    relatives,
    sequences,
    sider,
    uniprot,
)
from agents.databases.bulk_format import BulkFormat
from agents.databases.database import Database

DATABASES: tuple[Database, ...] = (
    atc.ATC,
    chembl.CHEMBL,
    clinical_trials.TRIALS,
    gene2phenotype.CLINGEN,
    clinvar.CLINVAR,
    drugcentral.DRUGCENTRAL,
    sequences.ENSEMBL,
    relatives.PARALOGUES,
    gene2phenotype.G2P,
    gene_ontology.GO,
    gnomad.GNOMAD,
    gtex.GTEX,
    gtopdb.GTOPDB,
    gwas_catalog.GWAS,
    hgnc.DATABASE,
    gene2phenotype.HPO,
    protein_atlas.HPA,
    impc.IMPC,
    mgi.MGI,
    live_identity.MYGENE,
    ndc.NDC,
    ncbi_gene.NCBI_GENE,
    open_targets.OPEN_TARGETS,
    openfda.OPENFDA,
    prescriptions.PRESCRIPTIONS,
    pubmed.PUBMED,
    pubmed_records.RECORDS,
    reactome.REACTOME,
    case_reports.REPORTS,
    sequences.NCBI,
    sider.SIDER,
    uniprot.UNIPROT,
)
"""Every database. A new one is one more line here and its tool one in `toolset.py`."""

FORMATS: tuple[BulkFormat, ...] = tuple(one for database in DATABASES for one in database.formats)
"""Every kind of file that can be loaded."""


def fitting(head: Sequence[str], formats: Sequence[BulkFormat] = FORMATS) -> BulkFormat | None:
    """The format of the file that begins with these lines; None for a file of another kind."""
    return next((one for one in formats if one.fits(head)), None)
