"""Entailment: whether evidence carries a claim. With a model an NLI-style judgement, without one a check of
words.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from agents.data_block import data_block
from agents.errors import ModelError
from agents.evidence.values import Evidence
from agents.ports import LanguageModel
from agents.runs.meter import fingerprint
from agents.trust.citations import exact_quote
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Verdict

__all__ = ["Judgement", "LexicalEntailment", "ModelEntailment"]


class Judgement(BaseModel):
    """What a model says about a claim."""

    model_config = ConfigDict(extra="forbid")

    verdict: Verdict
    quote: str = Field(max_length=1000, description="words of the evidence, copied exactly; empty if none")
    reason: str = Field(max_length=300, description="one short sentence")


class ModelEntailment:
    """A language model's judgement, held to the evidence: support without a verbatim quote counts as partial.

    When the model fails, the check of words takes over, and the reason says so.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._weaker = LexicalEntailment()
        self.name = f"entailment by {model.name}"

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
        """The verdict and the model's reason."""
        if not evidence:
            return Verdict.UNSUPPORTED, "There is no evidence."
        fingerprint("entail_prompt", _prompt())
        try:
            judged = await self._model.ask("entail", _prompt(), _question(claim, evidence), Judgement)
        except ModelError as error:
            verdict, reason = await self._weaker.judge(claim, evidence)
            return verdict, f"{reason} (The model gave no judgement: {error})"
        return _held_to_evidence(judged, evidence)


def _held_to_evidence(judged: Judgement, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
    if judged.verdict is Verdict.SUPPORTED and not exact_quote(judged.quote, evidence):
        return Verdict.PARTLY, f"{judged.reason} (The model's quote is not in the evidence.)"
    return judged.verdict, judged.reason


def _question(claim: str, evidence: Sequence[Evidence]) -> str:
    passages = "\n\n".join(_block(item) for item in evidence)
    return f"Claim:\n{data_block(claim, kind='claim')}\n\nEvidence:\n{passages}"


def _block(evidence: Evidence) -> str:
    read = f"{evidence.context}\n{evidence.text}" if evidence.context else evidence.text
    return data_block(read, key=evidence.key, document=evidence.title, type=evidence.document_type)


@cache
def _prompt() -> str:
    return files("agents.trust").joinpath("entail_prompt.md").read_text(encoding="utf-8")
