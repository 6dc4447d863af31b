"""How good the check of claims is: with a judge that approves of everything, and with one that denies it."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar, cast

from pydantic import BaseModel

from agents.evidence.memory import EvidenceMemory
from agents.ports import Entailment, LanguageModel
from agents.trust.check import SHOWN, check_claims
from agents.trust.entail import ModelEntailment
from agents.trust.values import Claim, Standing
from retrieval.values import DocumentRecord, Passage

T = TypeVar("T", bound=BaseModel)
CONFIRMED, MARKED, STRUCK = "confirmed", "marked", "struck"
"""What becomes of a claim: the words of its passages confirm it, it is shown with a sign that they do not, or
it is not shown.
"""


class GoldPassage(BaseModel):
    """A passage that a claim cites."""

    title: str
    text: str


class GoldClaim(BaseModel):
    """A claim with its passages, whether they support it, and of what kind it is."""

    id: str
    claim: str
    passages: tuple[GoldPassage, ...]
    supported: bool
    kind: str = ""


class _Judge:
    """A model that gives every claim one verdict, and quotes the evidence for it where that is support."""

    name = "judge"

    def __init__(self, verdict: str) -> None:
        self._verdict = verdict

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """See `LanguageModel`."""
        evidence = user.rsplit("</data>", 1)[0].rsplit("\n", 2)[-2]
        quote = evidence.split(". ")[0][:900] if self._verdict == "supported" else ""
        return schema.model_validate({"verdict": self._verdict, "quote": quote, "reason": ""})


def checks() -> dict[str, Entailment]:
    """The checks that are measured."""
    return {
        f"a judge that {does} all": ModelEntailment(cast(LanguageModel, _Judge(verdict)))
        for does, verdict in (("approves of", "supported"), ("denies", "unsupported"))
    }


async def shown_as(gold: Sequence[GoldClaim], check: Entailment) -> list[str]:
    """What becomes of each claim, written and judged by the same model. A true one of which a part was cut
    off is struck.
    """
    return [await _shown(one, check) for one in gold]


async def _shown(one: GoldClaim, check: Entailment) -> str:
    memory = EvidenceMemory()
    keys = tuple(_remembered(memory, f"{one.id}/{n}", passage) for n, passage in enumerate(one.passages))
    [claim] = await check_claims([Claim(one.claim, keys)], memory, check)
    if claim.verdict not in SHOWN or (one.supported and claim.text != one.claim):
        return STRUCK
    return CONFIRMED if claim.standing is Standing.CONFIRMED else MARKED


def _remembered(memory: EvidenceMemory, doc_id: str, passage: GoldPassage) -> str:
    record = DocumentRecord(doc_id, path="", sha256=doc_id, format="", title=passage.title)
    return memory.add(Passage(doc_id, 0, len(passage.text), passage.text), record).key


def counted(gold: Sequence[GoldClaim], shown: Sequence[str]) -> dict[tuple[bool, str], Counter[str]]:
    """What readers see of true and of false claims of each kind."""
    counts: dict[tuple[bool, str], Counter[str]] = {}
    for one, seen in zip(gold, shown, strict=True):
        counts.setdefault((one.supported, one.kind), Counter())[seen] += 1
    return counts
