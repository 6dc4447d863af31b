"""What the name of a disease says of the change of the gene that brings it about: loss, gain, or nothing.

A recessive disease shows only where both copies are changed, which is how loss of function is inherited. A
dominant one may be either. Most names say nothing, and then nothing is read into them.
"""

import re
from collections.abc import Iterable

from agents.databases.facts import Change

LOSS = re.compile(
    r"\b(?:recessive|haploinsufficiency|loss[- ]of[- ]function|null (?:allele|variant)s?)\b",
    re.IGNORECASE,
)
GAIN = re.compile(
    r"\b(?:gain[- ]of[- ]function|activating|activated|superactivity|hyperfunction(?:ing)?"
    r"|constitutive(?:ly)?)\b",
    re.IGNORECASE,
)
READ = {
    Change.LOSS: "read as one of loss of function",
    Change.GAIN: "read as one of gain of function",
}
"""How a sentence tells a reading."""


def change_in(name: str, products: Iterable[str] = ()) -> Change:
    """Loss or gain; not told where the name says neither, or both.

    `products` are the names of the gene and its protein: a disease called the deficiency of one is its loss.
    """
    own = (f"{one.casefold()} deficiency" for one in products if one)
    loss = bool(LOSS.search(name)) or name.casefold().startswith(tuple(own))
    gain = bool(GAIN.search(name))
    return Change.NOT_TOLD if loss == gain else Change.LOSS if loss else Change.GAIN
