"""Databases that are asked for sequences of a target's orthologs alone (TSAssistant, section 4.2.1)."""

from agents.databases.database import Database

ENSEMBL = Database(
    name="ensembl",
    title="Ensembl",
    tells="the gene tree of the gene, with its orthologs",
    licence="open",
    page="https://www.ensembl.org",
    calls=10,
)
NCBI = Database(
    name="ncbi",
    title="NCBI RefSeq orthologs",
    tells="orthologs of the gene as NCBI lists them, with their RefSeq proteins",
    licence="public domain",
    page="https://www.ncbi.nlm.nih.gov/datasets/",
)
