"""Models that read question and text together and give one number (cross-encoders: Nogueira & Cho 2019).

sentence-transformers loads them. A pair is cut into pieces once, pairs of like
length share a batch (`retrieval.compute.engine`), and the number becomes a score by the logistic function.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from retrieval.compute.checkpoint import Checkpoint
from retrieval.compute.device import Device, choose
from retrieval.compute.engine import WAITING
from retrieval.compute.libraries import (
    from_flag_embedding,
    from_sentence_transformers,
    loading,
    reading_limit,
)
from retrieval.errors import WeightsError

LONGEST = 1024
"""Pieces of a pair at most, unless more are asked for: the length that bge-reranker-v2-m3 was tuned with."""
QUESTION_SHARE = 3 / 4
"""Share of a pair that a question may take (as in FlagEmbedding)."""
THRESHOLDS = {"bge-reranker-v2-m3": 0.7}
"""Score at or over which a text is relevant: DiscoVerse, section 2.2. Others: `THRESHOLD`."""
THRESHOLD = 0.5
"""Where the logistic function puts a pair that is as likely relevant as not."""

Library = Literal["sentence-transformers", "FlagEmbedding"]


class Pairs:
    """A tokenizer for pairs of at most `limit` pieces. A text that is longer is read in windows."""

    def __init__(self, tokenizer: Tokenizer, limit: int) -> None:
        self._pair = Tokenizer.from_str(tokenizer.to_str())
        self._pair.enable_truncation(limit, strategy="only_second")
        self._pair.no_padding()
        self._question = Tokenizer.from_str(tokenizer.to_str())
        self._question.enable_truncation(int(limit * QUESTION_SHARE))
        self._question.no_padding()

    def encode(self, question: str, texts: Sequence[str]) -> list[list[Encoding]]:
        """For each text its windows, each with the whole question before it."""
        short = self._shortened(question)
        encodings = self._pair.encode_batch([(short, text) for text in texts])
        return [[encoding, *encoding.overflowing] for encoding in encodings]

    def _shortened(self, question: str) -> str:
        """A question so long that it leaves no room for a text is cut."""
        encoding = self._question.encode(question)
        return question[: max(end for _, end in encoding.offsets)] if encoding.overflowing else question


class PairReranker:
    """`Reranker` over a model with one output; a long text is as relevant as its best window (MaxP).

    Args:
        checkpoint: the weights, for the name.
        library: what reads them. Its own loop is not used, the scores are the same (docs/decisions/0007).
        device: cpu, cuda, cuda:1, mps, or auto.
        precision: fp32, bf16, fp16, or auto (`retrieval.compute.device.choose`).
        max_length: pieces of a pair; 0: what the model was made for, at most 1024.
        batch_pieces: pieces in a batch, padding included; 0: as the device wants.
        threshold: score from which a text is relevant; None: the model's, or 0.5.
        waiting: requests that may wait; more are refused with `ModelOverloaded`.

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: the library cannot read the checkpoint, it has not one output, or it cannot
            read `max_length` pieces.
        DeviceError: the device or precision is not to be had.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        library: Library = "sentence-transformers",
        *,
        device: str = "auto",
        precision: str = "auto",
        max_length: int = 0,
        batch_pieces: int = 0,
        threshold: float | None = None,
        waiting: int = WAITING,
    ) -> None:
        model, tokenizer, self.device = _load(checkpoint, library, device, precision)
        from retrieval.compute.tensors import engine

        if model.config.num_labels != 1:
            raise WeightsError(
                f"{checkpoint.name} gives {model.config.num_labels} numbers for a pair, and a reranker gives "
                "one. Is it a model for classification?"
            )
        usual = min(tokenizer.model_max_length, LONGEST)
        limit = reading_limit(checkpoint.name, max_length, usual, model.config)
        self._model, self._filling = model, tokenizer.pad_token_id or 0
        self._types = "token_type_ids" in tokenizer.model_input_names
        self._pairs = Pairs(tokenizer.backend_tokenizer, limit)
        self.name = f"{checkpoint.label}/{limit}"
        default = THRESHOLDS.get(checkpoint.name, THRESHOLD)
        self.threshold = default if threshold is None else threshold
        first = self._pairs.encode("warm", ["up"])[0][0]
        self._engine = engine(self.name, self._forward, self.device, first, batch_pieces, waiting)

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]."""
        windows = await asyncio.to_thread(self._pairs.encode, question, texts)
        found = iter(await self._engine.run([window for parts in windows for window in parts]))
        return np.array([max(next(found) for _ in parts) for parts in windows], np.float32)

    def close(self) -> None:
        """Let the model's thread end."""
        self._engine.close()

    def _forward(self, batch: Sequence[Encoding]) -> list[float]:
        """Scores of a batch of pairs. Padding is masked, so they are independent."""
        from retrieval.compute.tensors import mask, padded

        ids = [pair.ids for pair in batch]
        inputs: dict[str, Any] = {
            "input_ids": padded(ids, self._filling, self.device),
            "attention_mask": mask(ids, self.device),
        }
        if self._types:
            inputs["token_type_ids"] = padded([pair.type_ids for pair in batch], 0, self.device)
        scores: list[float] = self._model(**inputs).logits[:, 0].float().sigmoid().tolist()
        return scores


def _load(checkpoint: Checkpoint, library: Library, device: str, precision: str) -> tuple[Any, Any, Device]:
    """The model, its tokenizer, and where it is. Raises as `PairReranker` does."""
    with loading(checkpoint.name, checkpoint.folder):
        chosen = choose(device, precision)
        loaded: Any
        if library == "FlagEmbedding":
            from FlagEmbedding import FlagReranker

            loaded = from_flag_embedding(FlagReranker, checkpoint.folder, chosen)
        else:
            from sentence_transformers import CrossEncoder

            loaded = from_sentence_transformers(CrossEncoder, checkpoint.folder, chosen)
    return loaded.model.eval(), loaded.tokenizer, chosen
