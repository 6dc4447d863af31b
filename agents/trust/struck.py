"""Of the statements that a model wrote for answers, how many true ones the check of claims struck or marked.

A person or a model says which statements their passages carry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from agents.evidence.memory import EvidenceMemory
from agents.ports import LanguageModel
from agents.trust.entail import judgement
from agents.trust.measure import CONFIRMED, MARKED, STRUCK
from agents.trust.values import Verdict
from retrieval.values import DocumentRecord, Passage

ANEW = "A check doubted this claim, perhaps wrongly. Judge it anew, as an expert who read this alone."
"""A rule of the judge: the question of the check itself would get the answer that it got before."""
Z = 1.96
"""Of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Written:
    """A statement as a model wrote it, what became of it, and the passages that it cites."""

    id: str
    text: str
    became: str
    passages: tuple[Passage, ...]


async def judged(
    model: LanguageModel, written: Sequence[Written], records: Mapping[str, DocumentRecord]
) -> dict[str, bool]:
    """Whether the passages of each statement that was struck or marked carry it, as a model says.

    Raises `ModelError`. One whose document is gone is not judged.
    """
    verdicts: dict[str, bool] = {}
    for one in written:
        if one.became == CONFIRMED or not all(passage.doc_id in records for passage in one.passages):
            continue
        memory = EvidenceMemory()
        cited = [memory.add(passage, records[passage.doc_id]) for passage in one.passages]
        said = await judgement(model, one.text, cited, ANEW)
        verdicts[one.id] = said.verdict is Verdict.SUPPORTED
    return verdicts


@dataclass(frozen=True, slots=True)
class Shares:
    """Of how many true statements so many were struck and marked, and how many nobody judged.

    Confirmed ones count as true without a judge: rules found them in the words of their passages.
    """

    true: int
    struck: int
    marked: int
    unjudged: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share struck (Wilson)."""
        if not self.true:
            return 0.0, 1.0
        n, p = self.true, self.struck / self.true
        middle, half = p + Z * Z / (2 * n), Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + Z * Z / n)), min(1.0, (middle + half) / (1 + Z * Z / n))


def shares(written: Sequence[Written], verdicts: Mapping[str, bool]) -> Shares:
    """The shares by verdicts under the ids of statements."""
    true = [one.became for one in written if verdicts.get(one.id, one.became == CONFIRMED)]
    open_ones = sum(one.became != CONFIRMED and one.id not in verdicts for one in written)
    return Shares(len(true), true.count(STRUCK), true.count(MARKED), open_ones)
