"""A short narrative over several findings (DiscoVerse, section 2.2), written by a model and checked sentence
by sentence.

Without a model the findings stand under their subheadings as they are, which is what the method does by
default.
"""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.archive.prompts import load_prompt
from agents.data_block import data_block
from agents.evidence.memory import EvidenceMemory
from agents.minds.minded import Minded, minded
from agents.ports import Entailment, LanguageModel
from agents.trust.check import SHOWN, check_claims
from agents.trust.values import Claim


class NarrativeSentence(BaseModel):
    """A sentence and the keys of the evidence that it rests on."""

    text: str
    keys: list[str]


class Narrative(BaseModel):
    """What a language model returns."""

    sentences: list[NarrativeSentence]


async def narrate(
    model: LanguageModel | None,
    question: str,
    claims: Sequence[Claim],
    memory: EvidenceMemory,
    check: Entailment,
) -> Minded[tuple[Claim, ...]]:
    """Sentences that their evidence carries; none without a model, or with nothing to connect."""

    async def told(model: LanguageModel) -> tuple[Claim, ...]:
        drafted = await sentences(model, question, claims)
        checked = await check_claims(drafted, memory, check)
        return tuple(claim for claim in checked if claim.verdict in SHOWN)

    async def nothing() -> tuple[Claim, ...]:
        return ()

    return await minded(model if len(claims) > 1 else None, told, nothing)


async def sentences(model: LanguageModel, question: str, claims: Sequence[Claim]) -> list[Claim]:
    """What the model writes, with the keys of the claims given and no others. Raises `ModelError`."""
    prompt = load_prompt("supervisor")
    listing = "\n".join(data_block(claim.text, keys=" ".join(claim.keys)) for claim in claims)
    user = f"Question: {question}\n\nClaims:\n{listing}"
    given = await model.ask(prompt.role, prompt.render(), user, Narrative)
    allowed = {key for claim in claims for key in claim.keys}
    return [Claim(s.text, tuple(key for key in s.keys if key in allowed)) for s in given.sentences]
