"""What client and model worker say to each other. Checked on both sides; arrays travel as raw bytes."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.errors import EncoderMismatch, ModelOverloaded, RetrievalError, WeightsError

ERRORS = {kind.__name__: kind for kind in (EncoderMismatch, ModelOverloaded, RetrievalError, WeightsError)}
"""What a worker may answer with; anything else arrives as `RetrievalError`."""

Array = NDArray[np.float32]
WIRE = np.dtype("<f4")


class Kind(StrEnum):
    """The kinds of work. Each has a stream of its own, so that a question never queues behind an ingest."""

    TEXTS = "texts"
    QUESTIONS = "questions"
    WINDOWS = "windows"
    PAIRS = "pairs"


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EncoderCard(_Wire):
    """What an `Encoder` says of itself."""

    name: str
    dimension: Annotated[int, Field(gt=0)]
    threshold: float


class RerankerCard(_Wire):
    """What a `Reranker` says of itself."""

    name: str
    threshold: float


class ModelCard(_Wire):
    """The models that the workers run."""

    version: Literal[1] = 1
    encoder: EncoderCard
    reranker: RerankerCard

    def model(self, kind: Kind) -> str:
        """Name of the model that does this kind of work."""
        return self.reranker.name if kind is Kind.PAIRS else self.encoder.name


class ComputeRequest(_Wire):
    """Texts for the model of this name; PAIRS have a question beside them, WINDOWS a head for each."""

    model: str
    texts: tuple[str, ...]
    question: str = ""
    heads: tuple[str, ...] = ()

    def pack(self) -> bytes:
        """As sent."""
        return json.dumps(self.model_dump()).encode()

    @classmethod
    def unpack(cls, data: bytes) -> "ComputeRequest":
        """As received. Raises `ValueError`."""
        return cls.model_validate_json(data)


class _Head(_Wire):
    dtype: Literal["<f4"] = "<f4"
    shape: tuple[Annotated[int, Field(ge=0)], ...] = ()
    windows: tuple[tuple[str, ...], ...] = ()
    error: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ComputeReply:
    """One row for each text of a request: `array` (n, d) or (n,), or `windows`."""

    array: Array | None = None
    windows: tuple[tuple[str, ...], ...] = ()

    def pack(self) -> bytes:
        """As sent: one line of JSON, then the array."""
        raw = np.zeros(0, WIRE) if self.array is None else self.array
        head = _Head(shape=raw.shape, windows=self.windows)
        return _line(head) + np.ascontiguousarray(raw, WIRE).tobytes()

    @classmethod
    def unpack(cls, data: bytes) -> "ComputeReply":
        """As received. Raises the error that a worker answered with, and `RetrievalError` for nonsense."""
        line, _, raw = data.partition(b"\n")
        try:
            head = _Head.model_validate_json(line)
            array = None if head.error else np.frombuffer(raw, WIRE).reshape(head.shape).astype(np.float32)
        except ValueError as error:
            raise RetrievalError(
                "The model worker's answer cannot be read. Do all machines run the same version of Pestle?"
            ) from error
        if head.error:
            raise ERRORS.get(head.error, RetrievalError)(head.message)
        return cls(array, head.windows)


def pack_error(error: Exception) -> bytes:
    """An error in place of an answer. What is not ours is named, so that a log of the worker can be found."""
    if isinstance(error, RetrievalError):
        return _line(_Head(error=type(error).__name__, message=str(error)))
    message = f"The model worker failed ({type(error).__name__}: {error}). Its log shows where."
    return _line(_Head(error=RetrievalError.__name__, message=message))


def read_card(data: bytes) -> ModelCard:
    """The card that a worker wrote. Raises `RetrievalError` for one of another version."""
    try:
        return ModelCard.model_validate_json(data)
    except ValidationError as error:
        raise RetrievalError(
            "The model worker runs another version of Pestle. Install the same one on all machines."
        ) from error


def _line(head: _Head) -> bytes:
    fields: dict[str, Any] = head.model_dump(exclude_defaults=True)
    return json.dumps(fields).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Keys:
    """Names in Redis. Every key but the streams expires."""

    namespace: str = "pestle:models"

    @property
    def card(self) -> str:
        """Written by living workers again and again."""
        return f"{self.namespace}:card"

    def stream(self, kind: Kind) -> str:
        """Requests of a kind."""
        return f"{self.namespace}:{kind.value}"

    def answer(self, request_id: str) -> str:
        """The list in which an answer arrives."""
        return f"{self.namespace}:answer:{request_id}"
