"""All databases of the house, in alphabetical order of their titles: one line each."""

from collections.abc import Sequence

from agents.databases import chembl, clinvar, gtex, hgnc, mgi, open_targets, protein_atlas
from agents.databases.bulk_format import BulkFormat
from agents.databases.database import Database

DATABASES: tuple[Database, ...] = (
    chembl.CHEMBL,
    clinvar.CLINVAR,
    gtex.GTEX,
    hgnc.DATABASE,
    protein_atlas.HPA,
    mgi.MGI,
    open_targets.OPEN_TARGETS,
)
"""Every database. A new one is one more line here and its tool one in `toolset.py`."""

FORMATS: tuple[BulkFormat, ...] = tuple(one for database in DATABASES for one in database.formats)
"""Every kind of file that can be loaded."""


def fitting(head: Sequence[str], formats: Sequence[BulkFormat] = FORMATS) -> BulkFormat | None:
    """The format of the file that begins with these lines; None for a file of another kind."""
    return next((one for one in formats if one.fits(head)), None)
