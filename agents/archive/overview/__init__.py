"""Questions over the whole archive, from records: counts, lists, ranks, tables, status, timelines, dossiers.

A count is a count of records and never a number read from a text; what was counted is cited, one by one.
"""

from agents.archive.overview.answer import answer_from_records
from agents.archive.overview.asked import asked_over_archive
from agents.archive.overview.structure import asks_for_structure, structure_answer

__all__ = ["answer_from_records", "asked_over_archive", "asks_for_structure", "structure_answer"]
