"""Whose proposal something is."""

from agents.minds.minded import RULES
from agents.reports.values import PROPOSED, Origin

ASKER = "asker"
"""Who wrote a query that the order gave."""
_NAMES = {RULES: "the rules", ASKER: "who asked"}


def origin_of(by: str = RULES) -> Origin:
    """The origin of what the rules, who asked, or a language model by its name proposed."""
    return Origin(PROPOSED, _NAMES.get(by, "the language model"))
