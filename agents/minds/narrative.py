"""Sentences that a model writes over checked claims, each with the evidence that it rests on."""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.data_block import data_block
from agents.minds.prompts import Prompt
from agents.ports import LanguageModel
from agents.trust.values import Claim


class NarrativeSentence(BaseModel):
    """A sentence and the keys of the claims that it rests on."""

    text: str
    keys: list[str]


class Narrative(BaseModel):
    """What a language model returns."""

    sentences: list[NarrativeSentence]


async def sentences(
    model: LanguageModel, prompt: Prompt, claims: Sequence[Claim], before: str = ""
) -> list[Claim]:
    """What the model writes, with the evidence of the claims that it names and no other. Raises `ModelError`.

    Claims have keys of their own ("C1"): two of them may rest on the same evidence. `before` is what it reads
    before them.
    """
    keyed = {f"C{number}": claim for number, claim in enumerate(claims, 1)}
    listing = "\n".join(data_block(claim.text, key=key) for key, claim in keyed.items())
    given = await model.ask(prompt.role, prompt.render(), f"{before}Claims:\n{listing}", Narrative)
    return [_over([keyed[key] for key in one.keys if key in keyed], one.text) for one in given.sentences]


def _over(claims: Sequence[Claim], text: str) -> Claim:
    """A sentence over some claims, with their evidence and the numbers that were derived for them."""
    keys = dict.fromkeys(key for claim in claims for key in claim.keys)
    return Claim(text, tuple(keys), derived=tuple(one for claim in claims for one in claim.derived))
