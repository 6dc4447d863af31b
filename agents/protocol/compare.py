"""Protocols beside their plainest peer, one prompt over the objective and the abstracts that were found. The
same judges score both by the measures of BioResearcher (`rubric`), neither named.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from agents.data_block import data_block
from agents.ports import LanguageModel
from agents.protocol.markdown import markdown_of
from agents.protocol.minds import asked, told
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools, protocol
from agents.protocol.report import report
from agents.protocol.revise import FOUND
from agents.protocol.rubric import Judged, Proxies, measures, numbered, proxies
from agents.protocol.search import kept_articles
from agents.protocol.values import Objective, Order, Search
from agents.protocol.writer import Written
from agents.reports.gate import gated
from agents.reports.origins import with_origin
from agents.runs.memory import trial_run
from agents.runs.records import Budget, RunRecord

CITED = "\n\n## Sentences of articles that are cited\n\n"
"""Over what is no step of a protocol."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two protocols for an objective, ours and the peer's, and notes of the run that made ours."""

    objective: Objective
    ours: str
    peer: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A protocol's measures, the mean of its judges, and what each judge found, by the judge's name."""

    proxies: Proxies
    measures: dict[str, float]
    judges: dict[str, Judged]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two protocols with their scores."""

    pair: Pair
    ours: Scored
    peer: Scored


async def written(tools: Tools, model: LanguageModel, objective: Objective) -> Pair:
    """Both protocols for an objective. Raises `ModelError`."""
    order = Order(objective=objective, review=False, programs=False)
    run = await trial_run(RunRecord("trial", "trial", "null", "trial", budget=Budget(seconds=None)))
    made = await protocol(replace(tools, model=model), run, order)
    shown = (told(objective), *_abstracts(made.search))
    plain = (await asked(model, "peer", shown, Written)).protocol
    return Pair(objective, text_in(made), plain, made.protocol.notes)


async def compared(models: Sequence[LanguageModel], pairs: Sequence[Pair]) -> list[Compared]:
    """Protocols scored, each in one call by each judge, in an order that does not tell whose they are.
    Raises `ModelError`.
    """
    texts = {text: one.objective for one in pairs for text in (one.ours, one.peer)}
    order = sorted(texts, key=hash)
    scored = await asyncio.gather(*(_scored(models, texts[one], one) for one in order))
    found = dict(zip(order, scored, strict=True))
    return [Compared(one, found[one.ours], found[one.peer]) for one in pairs]


async def _scored(models: Sequence[LanguageModel], objective: Objective, text: str) -> Scored:
    steps, head, cited = text.partition(CITED)
    shown = (told(objective), data_block(f"{numbered(steps)}{head}{cited}", kind="protocol"))
    judged = await asyncio.gather(*(asked(one, "score", shown, Judged) for one in models))
    counted = proxies(steps)
    each = [measures(counted, one) for one in judged]
    means = {name: fmean(one[name] for one in each) for name in each[0]}
    return Scored(counted, means, {one.name: found for one, found in zip(models, judged, strict=True)})


def text_in(made: ProtocolOutcome) -> str:
    """A protocol as a reader has it, without what was searched and read."""
    shown = gated(report(made)).sections
    own = [one for one in shown if one.id not in FOUND]
    parts = (f"## {one.title}\n{markdown_of(with_origin(each)[0] for each in one.blocks)}" for one in own)
    cited = {one.number: f"{one.title}: “{one.quote}”" for each in own for one in each.citations}
    last = "\n".join(f"[{number}] {cited[number]}" for number in sorted(cited))
    return "\n\n".join(parts) + (f"{CITED}{last}" if last else "")


def _abstracts(search: Search) -> list[str]:
    """What the peer is given of the articles that the protocol was written over."""
    kept = [one.article for one in kept_articles(search)]
    return [data_block(f"{one.title}\n{one.abstract}", article=one.id) for one in kept]
