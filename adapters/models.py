"""Which encoder and which reranker are in use: this process's own, or those of the model workers."""

from dataclasses import dataclass
from pathlib import Path

from adapters.settings import Settings
from retrieval.embed.minilm import MiniLM
from retrieval.ports import Encoder, Reranker
from retrieval.rerank.late_interaction import LateInteraction
from workers.models.client import ModelClient
from workers.models.remote import RemoteEncoder, RemoteReranker


@dataclass(frozen=True, slots=True)
class Models:
    """What searches compute with."""

    encoder: Encoder
    reranker: Reranker


def models_here(settings: Settings) -> Models:
    """Models that this process loads. Raises `WeightsError`."""
    weights = settings.index.weights
    encoder = MiniLM(Path(weights) if weights else None, stamps=settings.home)
    return Models(encoder, LateInteraction(encoder))


def models_elsewhere(client: ModelClient) -> Models:
    """The models of the workers that the client asks. Raises `ModelsUnavailable`."""
    return Models(RemoteEncoder(client), RemoteReranker(client))
