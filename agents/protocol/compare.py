"""Protocols beside their plainest peer, one prompt over the objective and the abstracts that were found. The
same judge scores both by the rubric of BioResearcher (section 5.4), neither named.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from agents.data_block import data_block
from agents.ports import LanguageModel
from agents.protocol.markdown import markdown_of
from agents.protocol.minds import Score, asked, told
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools, protocol
from agents.protocol.report import report
from agents.protocol.revise import FOUND
from agents.protocol.search import kept_articles
from agents.protocol.values import Objective, Order, Search
from agents.protocol.writer import Written
from agents.reports.gate import gated
from agents.reports.origins import with_origin
from agents.runs.memory import trial_run
from agents.runs.records import Budget, RunRecord


class Plain(Written):
    """What the peer writes."""


class Scores(BaseModel):
    """The rubric, 1 to 5 each, and why."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    completeness: Score
    detail: Score
    correctness: Score
    logic: Score
    reason: str = ""

    @property
    def overall(self) -> float:
        """Their mean."""
        return (self.completeness + self.detail + self.correctness + self.logic) / 4


@dataclass(frozen=True, slots=True)
class Pair:
    """Two protocols for an objective, ours and the peer's, and notes of the run that made ours."""

    objective: Objective
    ours: str
    peer: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two protocols with their scores."""

    pair: Pair
    ours: Scores
    peer: Scores


async def written(tools: Tools, model: LanguageModel, objective: Objective) -> Pair:
    """Both protocols for an objective. Raises `ModelError`."""
    order = Order(objective=objective, review=False, programs=False)
    run = await trial_run(RunRecord("trial", "trial", "null", "trial", budget=Budget(seconds=None)))
    made = await protocol(replace(tools, model=model), run, order)
    shown = (told(objective), *_abstracts(made.search))
    plain = (await asked(model, "peer", shown, Plain)).protocol
    return Pair(objective, text_in(made), plain, made.protocol.notes)


async def compared(model: LanguageModel, pairs: Sequence[Pair]) -> list[Compared]:
    """Protocols scored, each asked for alone, in the order of their hashes: it does not tell whose they are.
    Raises `ModelError`.
    """
    texts = {text: one.objective for one in pairs for text in (one.ours, one.peer)}
    scores = {
        text: await asked(model, "score", (told(texts[text]), data_block(text, kind="protocol")), Scores)
        for text in sorted(texts, key=_hash)
    }
    return [Compared(one, scores[one.ours], scores[one.peer]) for one in pairs]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def text_in(made: ProtocolOutcome) -> str:
    """A protocol as a reader has it, without what was searched and read."""
    shown = gated(report(made)).sections
    own = [one for one in shown if one.id not in FOUND]
    parts = (f"## {one.title}\n{markdown_of(with_origin(each)[0] for each in one.blocks)}" for one in own)
    marks = {f"[{each.number}]": each.title for one in own for each in one.citations}
    cited = (f"{''.join(key for key in marks if marks[key] == one)} {one}" for one in {*marks.values()})
    last = ("## Articles that are cited", *sorted(cited)) if marks else ()
    return "\n\n".join((*parts, *last))


def _abstracts(search: Search) -> list[str]:
    """What the peer is given of the articles that the protocol was written over."""
    kept = [one.article for one in kept_articles(search)]
    return [data_block(f"{one.title}\n{one.abstract}", article=one.id) for one in kept]
