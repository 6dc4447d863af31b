"""Models of the extra `models` for tests, made once, or a skip where they or their weights are not there."""

import importlib.util
import os
from functools import cache

from retrieval.compute.checkpoint import find
from retrieval.embed.sentence_transformer import SentenceTransformerEncoder
from retrieval.embed.weights import locate
from retrieval.rerank.pairs import PairReranker
from tests.retrieval.minilm import minilm
from tests.support import tiny
from tests.support.services import missing, shared

os.environ["HF_HUB_OFFLINE"] = "1"
LIBRARIES = ("torch", "sentence_transformers", "FlagEmbedding")


def libraries() -> None:
    """Skip the test where the extra is not installed."""
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            missing("models", f"{name} is missing: pip install torch, then the extra `models`")


@cache
def minilm_in_torch() -> SentenceTransformerEncoder:
    libraries()
    minilm()
    return SentenceTransformerEncoder(find(str(locate().folder)), device="cpu")


@cache
def bge_small() -> SentenceTransformerEncoder:
    libraries()
    return SentenceTransformerEncoder(find(str(shared("tools/models/bge-small-en-v1.5"))), device="cpu")


@cache
def tiny_cross_encoder() -> PairReranker:
    libraries()
    return PairReranker(find(str(tiny.reranker())), device="cpu")


@cache
def tiny_flag_reranker() -> PairReranker:
    libraries()
    return PairReranker(find(str(tiny.reranker())), "FlagEmbedding", device="cpu")
