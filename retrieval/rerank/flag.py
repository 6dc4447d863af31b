"""Loads rerankers of FlagEmbedding: bge-reranker-base, -large and -v2-m3 (DiscoVerse, section 2.2)."""

from typing import Any

from retrieval.compute.checkpoint import Checkpoint
from retrieval.compute.device import choose
from retrieval.compute.libraries import from_flag_embedding, loading
from retrieval.rerank.pairs import PairReranker


def flag_reranker(
    checkpoint: Checkpoint, *, device: str = "auto", precision: str = "auto", **options: Any
) -> PairReranker:
    """The reranker; `options` are those of `PairReranker`.

    Scores are those of FlagEmbedding's `compute_score(..., normalize=True)`. Its own loop is not used: it
    cuts each pair twice, computes the first batch twice, and does not share batches between callers
    (docs/decisions/0007).

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: FlagEmbedding cannot read the checkpoint, or it has not one output.
        DeviceError: the device or precision is not to be had.
    """
    with loading(checkpoint.name, checkpoint.folder):
        from FlagEmbedding import FlagReranker

        chosen = choose(device, precision)
        loaded = from_flag_embedding(FlagReranker, checkpoint.folder, chosen)
    return PairReranker(checkpoint, loaded.model, loaded.tokenizer, chosen, **options)
