"""Databases that are asked for sequences of a target's orthologs alone (TSAssistant, section 4.2.1)."""

from agents.databases.database import database

ENSEMBL = database("ensembl")
NCBI = database("ncbi")
