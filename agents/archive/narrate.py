"""A short narrative over several findings (DiscoVerse, section 2.2), written by a model and checked sentence
by sentence.

Without a model the findings stand under their subheadings as they are, which is what the method does by
default.
"""

from collections.abc import Sequence

from agents.archive.prompts import load_prompt
from agents.evidence.memory import EvidenceMemory
from agents.minds.minded import Minded, minded
from agents.minds.narrative import sentences
from agents.ports import Entailment, LanguageModel
from agents.trust.check import check_claims, shown
from agents.trust.values import Claim


async def narrate(
    model: LanguageModel | None,
    question: str,
    claims: Sequence[Claim],
    memory: EvidenceMemory,
    check: Entailment,
) -> Minded[tuple[Claim, ...]]:
    """Sentences that their evidence carries; none without a model, or with nothing to connect."""

    async def told(model: LanguageModel) -> tuple[Claim, ...]:
        drafted = await sentences(model, load_prompt("supervisor"), claims, f"Question: {question}\n\n")
        return shown(await check_claims(drafted, memory, check))

    async def nothing() -> tuple[Claim, ...]:
        return ()

    return await minded(model if len(claims) > 1 else None, told, nothing)
