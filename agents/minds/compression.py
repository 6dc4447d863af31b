"""Compression: what others need to know of finished work, in few sentences with keys (TSAssistant, 3.2).

Claims that are short together are their own summary. Of more, a model writes one where there is a model;
each of its sentences must cite evidence, and state no number that the evidence does not. Without a model the
claims themselves are shortened, always in the same way.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from agents.errors import ModelAnswerInvalid
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.minded import Minded, minded
from agents.minds.narrative import sentences
from agents.minds.prompts import load_prompt
from agents.minds.work import Sentence, Summary
from agents.ports import LanguageModel
from agents.trust.citations import close_citations
from agents.trust.support import check_numbers
from agents.trust.values import Claim, Verdict

SENTENCE = 300
"""Characters of a claim that its shortened form keeps."""
SUMMARY = 2000
"""Characters of all sentences that rules take over."""


async def compress(
    model: LanguageModel | None, claims: Sequence[Claim], evidence: MemoryDump
) -> Minded[Summary]:
    """The summary of claims that may be shown. A model is asked only where there is something to shorten."""

    async def shortened() -> Summary:
        return shorten(claims)

    long = sum(len(claim.text) for claim in claims) > SUMMARY
    return await minded(model if long else None, partial(_written, claims, evidence), shortened)


def shorten(claims: Sequence[Claim]) -> Summary:
    """The claims in their order: as they are if all fit, else each cut at a word, as many as fit."""
    if sum(len(claim.text) for claim in claims) <= SUMMARY:
        whole = (Sentence(" ".join(claim.text.split()), claim.keys) for claim in claims)
        return Summary(tuple(dict.fromkeys(whole)))
    short: list[Sentence] = []
    room = SUMMARY
    for claim in claims:
        sentence = Sentence(_cut(claim.text), claim.keys)
        if len(sentence.text) <= room and sentence not in short:
            short.append(sentence)
            room -= len(sentence.text)
    return Summary(tuple(short))


def _cut(text: str) -> str:
    """A text that is not longer than a sentence should be, cut between words."""
    flat = " ".join(text.split())
    return flat if len(flat) <= SENTENCE else f"{flat[: SENTENCE - 1].rsplit(' ', 1)[0]}…"


async def _written(claims: Sequence[Claim], evidence: MemoryDump, model: LanguageModel) -> Summary:
    """The model's summary. Raises `ModelError`, also where no sentence of it stands."""
    drafted = await sentences(model, load_prompt("compress", Path(__file__).parent), claims)
    memory = EvidenceMemory.load(evidence)
    closed = [close_citations(claim, memory) for claim in drafted]
    kept = [Sentence(claim.text, claim.keys) for claim in closed if claim.keys and _states(claim, memory)]
    if not kept or len(kept) < len(drafted):
        raise ModelAnswerInvalid(f"{model.name} wrote a summary that its evidence does not carry.")
    return Summary(tuple(kept), model.name)


def _states(claim: Claim, memory: EvidenceMemory) -> bool:
    """Whether the evidence states the numbers of a sentence."""
    plain = replace(claim, derived=())
    return check_numbers(plain, [memory.get(key) for key in claim.keys])[0] is Verdict.SUPPORTED
