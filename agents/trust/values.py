"""The values of trust: a claim, the numbers derived for it, and how far its evidence carries it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How far the cited evidence carries a claim. Only the first two are shown as findings."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


VERBATIM = "The evidence says it word for word."
IN_ITS_WORDS = "All its words, numbers and names stand in the passage it cites."
BY_WORDS = "By words alone"
"""Reasons of verdicts without a model; the last is how those of the weaker check begin."""
WRITER = "the model that also wrote"
COUNT = "count"
"""The formula of a number of things: its inputs are the things counted, each by its name."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number that no passage states, with the stated numbers it was computed from.

    A count has the formula `COUNT` and the names of what was counted as its inputs.
    """

    value: str
    formula: str
    inputs: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer, and the keys of the evidence that carries it."""

    text: str
    keys: tuple[str, ...]
    quotes: tuple[str, ...] = ()
    verdict: Verdict = Verdict.UNSUPPORTED
    reason: str = ""
    checked_by: str = ""
    derived: tuple[Derivation, ...] = ()


def only_by_writer(claims: Sequence[Claim]) -> bool:
    """Whether nobody but the model that wrote some claims judged any of them."""
    return bool(claims) and all(one.checked_by.endswith(WRITER) for one in claims)
