"""Sentences that a model writes over checked claims, each with the keys of the evidence that it rests on."""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.data_block import data_block
from agents.minds.prompts import Prompt
from agents.ports import LanguageModel
from agents.trust.values import Claim


class NarrativeSentence(BaseModel):
    """A sentence and the keys of the evidence that it rests on."""

    text: str
    keys: list[str]


class Narrative(BaseModel):
    """What a language model returns."""

    sentences: list[NarrativeSentence]


async def sentences(
    model: LanguageModel, prompt: Prompt, claims: Sequence[Claim], before: str = ""
) -> list[Claim]:
    """What the model writes, with the keys of the claims given and no others. Raises `ModelError`.

    `before` is what it reads before the claims.
    """
    listing = "\n".join(data_block(claim.text, keys=" ".join(claim.keys)) for claim in claims)
    given = await model.ask(prompt.role, prompt.render(), f"{before}Claims:\n{listing}", Narrative)
    allowed = {key for claim in claims for key in claim.keys}
    return [Claim(one.text, tuple(key for key in one.keys if key in allowed)) for one in given.sentences]
