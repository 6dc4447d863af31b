"""Entailment: whether evidence carries a claim. With a model an NLI-style judgement, without one a check of
words.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from agents.data_block import data_block, with_data_rule
from agents.errors import ModelAnswerInvalid, ModelError
from agents.evidence.values import Evidence
from agents.ports import Judged, LanguageModel, Pair
from agents.runs.meter import fingerprint
from agents.text.rows import row_in_words
from agents.trust.citations import exact_quote, find_quote
from agents.trust.laid_out import blocks_of
from agents.trust.lexical import LexicalEntailment, contradicted
from agents.trust.reworded import says_in_its_words
from agents.trust.support import check_numbers
from agents.trust.values import IN_ITS_WORDS, SECOND, VERBATIM, WRITER, Claim, Verdict

__all__ = ["Judgement", "Judgements", "LexicalEntailment", "ModelEntailment"]

BATCH = 20
"""Claims that a model judges in one call."""
BATCH_CHARACTERS = 24_000
"""Evidence that it reads for them, unless one claim alone has more."""

_ENDS = re.compile(r"[.!?]\s+\Z|\n\s*\Z|\A\s*\Z")
_BEGINS = re.compile(r"[.!?]?\s*\Z|[.!?]\s|\n")


class Judgement(BaseModel):
    """What a model says about a claim."""

    model_config = ConfigDict(extra="forbid")

    verdict: Verdict
    quote: str = Field(max_length=1000)
    reason: str = Field(max_length=300)


class KeyedJudgement(Judgement):
    """What a model says about one of several claims."""

    claim: str


class Judgements(BaseModel):
    """What a model says about several claims."""

    judgements: list[KeyedJudgement]


class ModelEntailment:
    """A language model's judgement, held to the evidence: support without a verbatim quote counts as partial.

    Claims are judged in batches, and one that the evidence says word for word costs no call. A claim that a
    batch leaves out is judged alone. When the model fails, the check of words takes over, and the reason says
    so. `judge` names the model that the endpoint asks, where it is another than the one that writes.
    """

    def __init__(self, model: LanguageModel, rule: str = "", judge: str = "") -> None:
        self._model, self._rule, self._judge = model, rule, judge
        self._weaker = LexicalEntailment()
        other = judge not in ("", model.name)
        self.name = f"entailment by {judge}, {SECOND}" if other else f"entailment by {model.name}, {WRITER}"

    def asking(self, model: LanguageModel) -> "ModelEntailment":
        """The same judgement by another model."""
        return ModelEntailment(model, self._rule, self._judge)

    def ruled(self, rule: str) -> "ModelEntailment":
        """The same judgement with one more rule, such as what counts for conclusions."""
        return ModelEntailment(self._model, rule, self._judge)

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> Judged:
        """The verdict and the model's reason."""
        return _clear(claim, evidence) or await self._alone(claim, evidence)

    async def judge_all(self, pairs: Sequence[Pair]) -> list[Judged]:
        """The verdicts and the model's reasons, in the order of the pairs."""
        judged = {place: clear for place, pair in enumerate(pairs) if (clear := _clear(*pair))}
        open_places = [place for place in range(len(pairs)) if place not in judged]
        for batch in _batches(open_places, pairs):
            verdicts = await self._together([pairs[place] for place in batch])
            judged.update(zip(batch, verdicts, strict=True))
        return [judged[place] for place in range(len(pairs))]

    async def _alone(self, claim: str, evidence: Sequence[Evidence]) -> Judged:
        try:
            judged = await judgement(self._model, claim, evidence, self._rule)
        except ModelError as error:
            return await self._by_words(claim, evidence, error)
        return _held_to_evidence(judged, claim, evidence)

    async def _together(self, pairs: Sequence[Pair]) -> list[Judged]:
        """Verdicts of one call; what it leaves out, or says twice, is judged alone."""
        if len(pairs) == 1:
            return [await self._alone(*pairs[0])]
        system = _joined(_prompt(), _batch_prompt(), self._rule)
        fingerprint("entail_batch_prompt", system)
        try:
            given = await self._model.ask("entail", with_data_rule(system), _questions(pairs), Judgements)
        except ModelAnswerInvalid:
            given = Judgements(judgements=[])
        except ModelError as error:
            return [await self._by_words(*pair, error) for pair in pairs]
        said: dict[str, list[KeyedJudgement]] = {}
        for one in given.judgements:
            said.setdefault(one.claim, []).append(one)
        judged = []
        for number, (claim, evidence) in enumerate(pairs, 1):
            own = said.get(f"C{number}", [])
            judged.append(
                _held_to_evidence(own[0], claim, evidence)
                if len(own) == 1
                else await self._alone(claim, evidence)
            )
        return judged

    async def _by_words(self, claim: str, evidence: Sequence[Evidence], error: ModelError) -> Judged:
        verdict, reason = await self._weaker.judge(claim, evidence)
        return verdict, f"{reason} (The model gave no judgement: {error})"


async def judgement(
    model: LanguageModel, claim: str, evidence: Sequence[Evidence], rule: str = ""
) -> Judgement:
    """What a model says of a claim, taken as it is. Raises `ModelError`."""
    system = _joined(_prompt(), rule)
    fingerprint("entail_prompt", system)
    return await model.ask("entail", with_data_rule(system), _question(claim, evidence), Judgement)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _clear(claim: str, evidence: Sequence[Evidence]) -> Judged | None:
    """The verdict where no judgement is needed."""
    if not evidence:
        return Verdict.UNSUPPORTED, "There is no evidence."
    evidence = [one for one in evidence if one.doc_id]
    if any(_says(item, claim) for item in evidence):
        return Verdict.SUPPORTED, VERBATIM
    stated = check_numbers(Claim(claim, tuple(item.key for item in evidence)), evidence)[0]
    said = stated is Verdict.SUPPORTED and says_in_its_words(claim, evidence)
    return (Verdict.SUPPORTED, IN_ITS_WORDS) if said else None


def _says(evidence: Evidence, claim: str) -> bool:
    """Whether the claim is whole sentences of the evidence; more words before or after could deny it.

    Of a table's row it may also be the cells behind their heads ("Dose: 5 mg; Animals: 6").
    """
    if evidence.cells and _flat(claim) == _flat(row_in_words(evidence.header, evidence.cells)):
        return True
    place = find_quote(claim, evidence)
    if place is None:
        return False
    before, after = evidence.text[: place[0] - evidence.start], evidence.text[place[1] - evidence.start :]
    whole = claim.rstrip().endswith((".", "!")) and (not after or after[0].isspace())
    return bool(_ENDS.search(before)) and (whole or bool(_BEGINS.match(after)))


def _flat(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _batches(places: Sequence[int], pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """Places of pairs that are judged together. Evidence of several claims is read once, and counts once."""
    batch: list[int] = []
    read: dict[str, int] = {}
    for place in places:
        own = {item.uid: _length(item) for item in pairs[place][1]}
        if batch and (len(batch) == BATCH or sum((read | own).values()) > BATCH_CHARACTERS):
            yield batch
            batch, read = [], {}
        batch.append(place)
        read |= own
    if batch:
        yield batch


def _length(item: Evidence) -> int:
    return len(item.text) + len(item.context) + len(item.around)


def _held_to_evidence(judged: Judgement, claim: str, evidence: Sequence[Evidence]) -> Judged:
    """The model's verdict; support is less without a verbatim quote, or where words deny it."""
    if judged.verdict is not Verdict.SUPPORTED:
        return judged.verdict, judged.reason
    if denied := contradicted(claim, evidence):
        return denied[0], f"{judged.reason} (By its words {denied[1]}.)".lstrip()
    if not exact_quote(judged.quote, evidence):
        return Verdict.PARTLY, f"{judged.reason} (The model's quote is not in the evidence.)"
    return judged.verdict, judged.reason


def _question(claim: str, evidence: Sequence[Evidence]) -> str:
    passages = "\n\n".join(blocks_of(evidence, [place.key for place in evidence], [claim] * len(evidence)))
    return f"Claim:\n{data_block(claim, kind='claim')}\n\nEvidence:\n{passages}"


def _questions(pairs: Sequence[Pair]) -> str:
    """Claims under keys of their own, and each piece of evidence once."""
    keys: dict[str, str] = {}
    items, for_claims, claims = list[Evidence](), list[str](), list[str]()
    for number, (claim, evidence) in enumerate(pairs, 1):
        for item in evidence:
            if item.uid not in keys:
                keys[item.uid] = f"P{len(keys) + 1}"
                items.append(item)
                for_claims.append(claim)
        own = " ".join(keys[item.uid] for item in evidence)
        claims.append(data_block(claim, key=f"C{number}", evidence=own))
    blocks = "\n\n".join(blocks_of(items, list(keys.values()), for_claims))
    return "Claims:\n{}\n\nEvidence:\n{}".format("\n".join(claims), blocks)


@cache
def _prompt() -> str:
    return files("agents.trust").joinpath("entail_prompt.md").read_text(encoding="utf-8")


@cache
def _batch_prompt() -> str:
    return files("agents.trust").joinpath("entail_batch_prompt.md").read_text(encoding="utf-8")
