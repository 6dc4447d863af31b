"""One evaluation: a collection in a fresh index, every query searched once, every configuration scored."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.calibration import Calibration
from retrieval.errors import ArchiveNotFound, JudgementsError
from retrieval.evaluate.beir import Collection
from retrieval.evaluate.fill import Progress, fill
from retrieval.evaluate.metrics import mean
from retrieval.evaluate.rerank import rerank
from retrieval.evaluate.significance import Comparison, compare
from retrieval.evaluate.systems import IN_USE, LEARNT, MEANING, WORDS, System, passing, systems
from retrieval.ports import Encoder, Index, Reranker
from retrieval.search import with_sparse_ranking
from retrieval.sparse import SparseRanker
from retrieval.values import Candidates, SearchRequest

AT_ONCE = 64
"""Queries encoded together."""
COMPARED = ((IN_USE, WORDS), (IN_USE, MEANING), (LEARNT, WORDS), (LEARNT, MEANING), (LEARNT, "rrf"))
"""Pairs that are always compared."""


@dataclass(frozen=True, slots=True)
class RetrievalEvaluation:
    """What was measured on what, with which parts."""

    collection: Collection
    index: str
    encoder: str
    depth: int
    systems: tuple[System, ...]

    def system(self, name: str) -> System:
        """The configuration of that name. Raises KeyError."""
        return {system.name: system for system in self.systems}[name]

    def compared(self, first: str, second: str) -> Comparison:
        """nDCG@10 of two configurations, query by query. Raises KeyError."""
        return compare(first, ndcg(self.system(first)), second, ndcg(self.system(second)))

    def as_json(self, comparisons: Sequence[Comparison]) -> str:
        """Everything, per query too."""
        about = {
            "collection": self.collection.name,
            "split": self.collection.split,
            "sha256": self.collection.sha256,
            "documents": len(self.collection.articles),
            "queries": len(self.collection.queries),
            "judgements": self.collection.judgements,
            "index": self.index,
            "encoder": self.encoder,
            "depth": self.depth,
        }
        found = [
            {
                "name": system.name,
                "note": system.note,
                "mean": asdict(mean(system.scores)),
                "queries": {name: asdict(scores) for name, scores in system.scores.items()},
            }
            for system in self.systems
        ]
        return json.dumps(
            {**about, "systems": found, "comparisons": list(map(asdict, comparisons))}, indent=1
        )


def read_earlier(path: Path) -> dict[str, dict[str, float]]:
    """nDCG@10 by query of each configuration that an earlier run wrote as JSON.

    Raises `ArchiveNotFound`, `JudgementsError`.
    """
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
        return {
            system["name"]: {name: one["ndcg"] for name, one in system["queries"].items()}
            for system in written["systems"]
        }
    except OSError as error:
        raise ArchiveNotFound(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JudgementsError(f"{path} was not written by `pestle eval retrieval --json`.") from error


def against(result: RetrievalEvaluation, earlier: Mapping[str, Mapping[str, float]]) -> list[Comparison]:
    """Each configuration against that of the same name in an earlier run.

    Raises `JudgementsError` if that one was on other queries.
    """
    both = [system for system in result.systems if system.name in earlier]
    try:
        return [compare(system.name, ndcg(system), "earlier", earlier[system.name]) for system in both]
    except ValueError as error:
        raise JudgementsError(f"The earlier run cannot be compared: {error}.") from error


def ndcg(system: System) -> dict[str, float]:
    """nDCG@10 by query."""
    return {name: scores.ndcg for name, scores in system.scores.items()}


async def evaluate(
    collection: Collection,
    index: Index,
    encoder: Encoder,
    in_use: Calibration,
    *,
    index_name: str,
    depth: int,
    progress: Progress,
    reranker: Reranker | None = None,
    reranked: int = 0,
    sparse: SparseRanker | None = None,
) -> RetrievalEvaluation:
    """Fill the index, which should be empty, and score every configuration on the collection's queries.

    With a reranker the best `reranked` documents of each query are also put into its order. The configuration
    in use has the `sparse` ranking where the encoder gives sparse weights.
    """
    await fill(collection, index, encoder, progress)
    found = await search_all(collection, index, encoder, depth, progress)
    progress("scoring", 0, 1)
    near = passing(found, in_use, encoder.threshold)
    used = near
    if sparse:
        used = {
            name: await with_sparse_ranking(one, collection.queries[name], in_use.fusion, index, sparse)
            for name, one in near.items()
        }
    scored = await asyncio.to_thread(systems, collection.grades, found, near, used, in_use)
    progress("scoring", 1, 1)
    if reranker is not None and reranked:
        fused = {name: in_use.fusion.fuse(one) for name, one in used.items()}
        scored.append(await rerank(collection, fused, index, reranker, reranked, progress))
    return RetrievalEvaluation(collection, index_name, encoder.name, depth, tuple(scored))


async def search_all(
    collection: Collection, index: Index, encoder: Encoder, depth: int, progress: Progress
) -> dict[str, Candidates]:
    """What both searches find for each query: `depth` chunks each."""
    names = list(collection.queries)
    found: dict[str, Candidates] = {}
    for first in range(0, len(names), AT_ONCE):
        batch = [collection.queries[name] for name in names[first : first + AT_ONCE]]
        vectors = await encoder.encode_questions(batch)
        for name, text, vector in zip(names[first:], batch, vectors, strict=False):
            found[name] = await index.candidates(SearchRequest(text, limit=depth), vector)
        progress("searching", len(found), len(names))
    return found
