"""The values of trust: a claim, the numbers derived for it, and how far its evidence carries it."""

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
TEMPLATED = "The tool made this sentence from the record, and its lines stand there."
BY_WORDS = "By words alone"
"""Reasons of verdicts without a model; the last is how those of the weaker check begin."""
WRITER, SECOND = "the model that also wrote", "not the writer"
"""How the names of checks by a model end: by the one that wrote the claim, and by another."""


class Standing(StrEnum):
    """What a shown claim rests on, as the sign at its end: nothing where the words of its passages, or rules,
    confirm it; else a model that did not write it, only the one that did, or passages that carry a part.
    """

    CONFIRMED = ""
    SECOND = "‡"
    WRITER = "†"
    PARTLY = "(the source says only a part of this)"


LEGENDS = {
    Standing.WRITER: "† Not in the words of the passage: only the model that wrote it vouches for it.",
    Standing.SECOND: "‡ Not in the words of the passage: a second model found that it carries it.",
}
"""What the signs mean, for the foot of a report."""
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

    @property
    def standing(self) -> Standing:
        """What it rests on where it is shown."""
        if self.verdict is Verdict.PARTLY:
            return Standing.PARTLY
        if self.checked_by.endswith(WRITER):
            return Standing.WRITER
        return Standing.SECOND if self.checked_by.endswith(SECOND) else Standing.CONFIRMED
