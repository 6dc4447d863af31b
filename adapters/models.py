"""Which encoder and which reranker are in use: this process's own, or those of the model workers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from adapters.errors import SettingsError
from adapters.model_sections import CheckpointSettings, EncoderSettings, RerankerSettings
from adapters.settings import Settings
from retrieval.compute.checkpoint import Checkpoint, find
from retrieval.embed.minilm import THRESHOLD as MINILM_THRESHOLD
from retrieval.embed.minilm import MiniLM
from retrieval.embed.sentence_transformer import SentenceTransformerEncoder
from retrieval.ports import Encoder, Reranker
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.rerank.pairs import Library, PairReranker

if TYPE_CHECKING:
    from workers.models.client import ModelClient

USUAL = {
    "sentence-transformers": "intfloat/multilingual-e5-large-instruct",
    "cross-encoder": "BAAI/bge-reranker-v2-m3",
    "flag": "BAAI/bge-reranker-v2-m3",
}
"""The model of a kind if none is named: those of DiscoVerse (section 2.2, Appendix A.4)."""
INSTRUCTIONS = frozenset({"question_instruction", "text_instruction"})
TORCH = frozenset(CheckpointSettings.model_fields)
HEEDED: Mapping[str, frozenset[str]] = {
    "minilm": frozenset({"threshold"}),
    "sentence-transformers": TORCH | INSTRUCTIONS,
    "late-interaction": frozenset({"threshold"}),
    "cross-encoder": TORCH,
    "flag": TORCH,
}
"""The settings that a kind of model heeds; another one that is set is a mistake."""


@dataclass(frozen=True, slots=True)
class Models:
    """What searches compute with."""

    encoder: Encoder
    reranker: Reranker
    report: str
    """Their names, and the devices and precisions that were chosen."""


def models_here(settings: Settings) -> Models:
    """Models that this process loads.

    Raises `WeightsError`, `ModelsMissing`, `DeviceError`; `SettingsError` for models that do not fit.
    """
    _check_heeded("reranker", settings.reranker)
    encoder = encoder_here(settings)
    reranker = _reranker(settings, encoder)
    report = f"{_where(encoder)} and {_where(reranker)}"
    return Models(encoder, reranker, report)


def models_elsewhere(client: "ModelClient") -> Models:
    """The models of the workers that the client asks. Raises `ModelsUnavailable`."""
    from workers.models.remote import RemoteEncoder, RemoteReranker  # they load the client of Redis

    encoder, reranker = RemoteEncoder(client), RemoteReranker(client)
    report = f"{encoder.name} and {reranker.name}, elsewhere"
    return Models(encoder, reranker, report)


def _check_heeded(section: str, chosen: EncoderSettings | RerankerSettings) -> None:
    """Raises `SettingsError` for a setting that would be passed over in silence."""
    heeded = HEEDED[chosen.kind] | {"kind"}
    for name, field in type(chosen).model_fields.items():
        if name not in heeded and getattr(chosen, name) != field.default:
            variable = f"PESTLE_{section}_".upper()
            others = ", ".join(
                kind for kind, names in HEEDED.items() if name in names and kind in _kinds(chosen)
            )
            raise SettingsError(
                f"{variable}{name.upper()} has no effect on the kind {chosen.kind}. Take it out, or set "
                f"{variable}KIND to {others}."
            )


def _kinds(chosen: EncoderSettings | RerankerSettings) -> tuple[str, ...]:
    return get_args(type(chosen).model_fields["kind"].annotation)


def encoder_here(settings: Settings) -> MiniLM | SentenceTransformerEncoder:
    """The encoder alone, loaded by this process. Raises as `models_here`."""
    _check_heeded("encoder", settings.encoder)
    chosen = settings.encoder
    if chosen.kind == "sentence-transformers":
        return SentenceTransformerEncoder(
            _checkpoint(chosen, settings.home),
            question_instruction=chosen.question_instruction,
            text_instruction=chosen.text_instruction,
            **_running(chosen),
        )
    weights = settings.index.weights
    threshold = MINILM_THRESHOLD if chosen.threshold is None else chosen.threshold
    return MiniLM(Path(weights) if weights else None, settings.home, threshold)


def _reranker(settings: Settings, encoder: MiniLM | SentenceTransformerEncoder) -> Reranker:
    chosen = settings.reranker
    if chosen.kind == "late-interaction":
        return LateInteraction(encoder, chosen.threshold)
    library: Library = "FlagEmbedding" if chosen.kind == "flag" else "sentence-transformers"
    return PairReranker(_checkpoint(chosen, settings.home), library, **_running(chosen))


def _checkpoint(chosen: EncoderSettings | RerankerSettings, home: Path) -> Checkpoint:
    model = chosen.model or USUAL[chosen.kind]
    return find(model, chosen.revision, chosen.sha256, home, pickles=chosen.pickles)


def _running(chosen: EncoderSettings | RerankerSettings) -> dict[str, Any]:
    """How a torch model runs: the options that all of them have."""
    names = {"device", "precision", "max_length", "batch_pieces", "threshold", "waiting"}
    return chosen.model_dump(include=names)


def _where(model: Encoder | Reranker) -> str:
    """A model's name and where it runs; what works over another model runs where that does."""
    device = getattr(model, "device", None)
    return f"{model.name} ({device})" if device else model.name
