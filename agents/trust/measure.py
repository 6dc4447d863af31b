"""How good the check of claims is: without a model, and with one that approves of everything."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from agents.evidence.memory import EvidenceMemory
from agents.ports import Entailment
from agents.scripted import Call, ScriptedModel
from agents.trust.check import check_claims
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Claim, Verdict
from retrieval.values import DocumentRecord, Passage

SUPPORTED, PARTLY, STRUCK = "supported", "partly", "struck"


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


def checks() -> dict[str, Entailment]:
    """The checks that are measured."""
    return {
        "without a model": LexicalEntailment(),
        "a judge that approves of all": ModelEntailment(ScriptedModel({"entail": _approve})),
    }


def _approve(call: Call) -> dict[str, Any]:
    """Calls a claim supported, and quotes the evidence for it."""
    evidence = call.user.rsplit("</data>", 1)[0].rsplit("\n", 2)[-2]
    return {"verdict": "supported", "quote": evidence.split(". ")[0][:900], "reason": ""}


async def shown_as(gold: Sequence[GoldClaim], check: Entailment) -> list[str]:
    """What a reader sees of each claim: it stands as supported, or as carried in part, or is struck. A true
    one of which a part was cut off is struck.
    """
    return [await _shown(one, check) for one in gold]


async def _shown(one: GoldClaim, check: Entailment) -> str:
    memory = EvidenceMemory()
    keys = tuple(_remembered(memory, f"{one.id}/{n}", passage) for n, passage in enumerate(one.passages))
    [claim] = await check_claims([Claim(one.claim, keys)], memory, check)
    if one.supported and claim.text != one.claim:
        return STRUCK
    return {Verdict.SUPPORTED: SUPPORTED, Verdict.PARTLY: PARTLY}.get(claim.verdict, STRUCK)


def _remembered(memory: EvidenceMemory, doc_id: str, passage: GoldPassage) -> str:
    record = DocumentRecord(doc_id, path="", sha256=doc_id, format="", title=passage.title)
    return memory.add(Passage(doc_id, 0, len(passage.text), passage.text), record).key


def counted(gold: Sequence[GoldClaim], shown: Sequence[str]) -> dict[tuple[bool, str], Counter[str]]:
    """What readers see of true and of false claims of each kind."""
    counts: dict[tuple[bool, str], Counter[str]] = {}
    for one, seen in zip(gold, shown, strict=True):
        counts.setdefault((one.supported, one.kind), Counter())[seen] += 1
    return counts
