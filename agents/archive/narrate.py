"""A short narrative over several findings (DiscoVerse, section 2.2), written by a model and checked sentence
by sentence.

Without a model the findings stand under their subheadings as they are, which is what the method does by
default.
"""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.archive.prompts import load_prompt
from agents.data_block import data_block
from agents.errors import ModelError
from agents.evidence.memory import EvidenceMemory
from agents.ports import Entailment, LanguageModel
from agents.trust.check import SHOWN, check_claim
from agents.trust.values import Claim


class Sentence(BaseModel):
    """A sentence and the keys of the evidence that it rests on."""

    text: str
    keys: list[str]


class Narrative(BaseModel):
    """What a language model returns."""

    sentences: list[Sentence]


async def narrate(
    model: LanguageModel | None,
    question: str,
    claims: Sequence[Claim],
    memory: EvidenceMemory,
    check: Entailment,
) -> tuple[Claim, ...]:
    """Sentences that their evidence carries; none without a model, or with nothing to connect."""
    if model is None or len(claims) < 2:
        return ()
    prompt = load_prompt("supervisor")
    listing = "\n".join(data_block(claim.text, keys=" ".join(claim.keys)) for claim in claims)
    user = f"Question: {question}\n\nClaims:\n{listing}"
    try:
        given = await model.ask(prompt.role, prompt.render(), user, Narrative)
    except ModelError:
        return ()
    allowed = {key for claim in claims for key in claim.keys}
    drafted = [Claim(s.text, tuple(key for key in s.keys if key in allowed)) for s in given.sentences]
    checked = [await check_claim(claim, memory, check) for claim in drafted]
    return tuple(claim for claim in checked if claim.verdict in SHOWN)
