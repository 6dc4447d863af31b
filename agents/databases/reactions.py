"""Which terms of spontaneous reports (FAERS) tell of a reaction, and from how many reports on they count."""

import re

FEWEST = 3
"""Reports from which a reaction may be a signal (Evans 2001)."""
LEFT_OUT = (
    "Left out are terms of fewer than 3 reports, of neoplasms (mostly the disease that was treated), and of "
    "how the drug was used"
)
NO_REACTIONS = frozenset(
    (
        "condition aggravated",
        "death",
        "disease progression",
        "disease recurrence",
        "drug dose omission",
        "drug ineffective",
        "drug interaction",
        "incorrect dose administered",
        "no adverse event",
        "off label use",
        "product dose omission issue",
        "product use in unapproved indication",
        "product use issue",
        "therapeutic product effect incomplete",
        "therapy non-responder",
        "wrong technique in product usage process",
    )
)
NEOPLASM = re.compile(
    r"neoplasm|carcinoma|cancer|tumou?r|metasta|lymphoma|leuk(?:a)?emia|melanoma|myeloma|sarcoma",
    re.IGNORECASE,
)


def is_reaction(term: str, reports: int) -> bool:
    """Whether so many reports of a term may tell of a reaction to the drug."""
    return reports >= FEWEST and term.lower() not in NO_REACTIONS and not NEOPLASM.search(term)
