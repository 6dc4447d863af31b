"""The values of trust: a claim, the numbers derived for it, and how far its evidence carries it."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How far the cited evidence carries a claim. Only the first two are shown as findings."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number that no passage states, with the stated numbers it was computed from."""

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
