"""Loads rerankers that sentence-transformers reads as `CrossEncoder`."""

from typing import Any

from retrieval.compute.checkpoint import Checkpoint
from retrieval.compute.device import choose
from retrieval.compute.libraries import from_sentence_transformers, loading
from retrieval.rerank.pairs import PairReranker


def cross_encoder(
    checkpoint: Checkpoint, *, device: str = "auto", precision: str = "auto", **options: Any
) -> PairReranker:
    """The reranker; `options` are those of `PairReranker`.

    The score is the logistic function of the model's output, also for models whose files name no such
    function: scores of a reranker are comparable, and lie in [0, 1].

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: sentence-transformers cannot read the checkpoint, or it has not one output.
        DeviceError: the device or precision is not to be had.
    """
    with loading(checkpoint.name, checkpoint.folder):
        from sentence_transformers import CrossEncoder

        chosen = choose(device, precision)
        loaded = from_sentence_transformers(CrossEncoder, checkpoint.folder, chosen)
        model: Any = loaded.model
        tokenizer: Any = loaded.tokenizer
    return PairReranker(checkpoint, model.eval(), tokenizer, chosen, **options)
