"""BGE-M3: two views of a text (Chen et al. 2024, section 3.2; DiscoVerse, A.4).

Dense: the state of the first mark. Multi-vector: a vector for each piece, for late interaction
(`retrieval.rerank.multi_vector`).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrieval.compute.checkpoint import Checkpoint
from retrieval.compute.device import Device, choose
from retrieval.compute.engine import WAITING
from retrieval.compute.libraries import from_flag_embedding, loading, reading_limit
from retrieval.embed.pieces import Pieces
from retrieval.embed.sentence_transformer import LONGEST
from retrieval.errors import WeightsError
from retrieval.ports import Vectors

HEADS = ("colbert_linear.pt", "sparse_linear.pt")


@dataclass(frozen=True, slots=True)
class BgeM3Text:
    """The pieces of a text, and whether one vector is wanted (`pooled`) or one for each piece."""

    ids: Sequence[int]
    pooled: bool


class BgeM3:
    """`Encoder` over BGE-M3, read by FlagEmbedding; needs no instruction.

    Args:
        checkpoint: the weights, with both heads (`retrieval.compute.checkpoint.find`).
        device: cpu, cuda, cuda:1, or auto.
        precision: fp32, bf16, fp16, or auto (`retrieval.compute.device.choose`).
        max_length: pieces read of a text, up to 8192; 0: 1024, which a chunk of 512 words has not.
        batch_pieces: pieces in a batch, padding included; 0: as the device wants.
        threshold: cosine under which a text is not similar; None: 0, not known.
        waiting: requests that may wait; more are refused with `ModelOverloaded`.

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: FlagEmbedding cannot read the checkpoint, or its heads are missing.
        DeviceError: the device or precision is not to be had.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        *,
        device: str = "auto",
        precision: str = "auto",
        max_length: int = 0,
        batch_pieces: int = 0,
        threshold: float | None = None,
        waiting: int = WAITING,
    ) -> None:
        self._model, tokenizer, self.device = _load(checkpoint, device, precision)
        from retrieval.compute.tensors import engine

        usual = min(LONGEST, tokenizer.model_max_length)
        limit = reading_limit(checkpoint.name, max_length, usual, self._model.model.config)
        self._pieces = Pieces(tokenizer.backend_tokenizer, limit)
        self._filling = tokenizer.pad_token_id
        self.name = f"{checkpoint.label}/{limit}"
        self.dimension = int(self._model.model.config.hidden_size)
        self.threshold = threshold or 0.0
        first = BgeM3Text(self._pieces.encode(["warm"])[0].ids, True)
        self._engine = engine(self.name, self._forward, self.device, first, batch_pieces, waiting)

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length."""
        rows = await self._views(texts, True)
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`: this model knows no instruction."""
        return await self.encode(questions)

    async def multi_vectors(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, d) float32, rows of unit length: all pieces but the first mark."""
        return await self._views(texts, False)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """Each text in parts that are read whole, with its head before each (see `Pieces.windows`)."""
        return self._pieces.windows(texts, heads)

    def close(self) -> None:
        """Let the model's thread end."""
        self._engine.close()

    async def _views(self, texts: Sequence[str], pooled: bool) -> list[Vectors]:
        encodings = await asyncio.to_thread(self._pieces.encode, texts)
        return await self._engine.run([BgeM3Text(encoding.ids, pooled) for encoding in encodings])

    def _forward(self, batch: Sequence[BgeM3Text]) -> list[Vectors]:
        """What is wanted of each text. Padding is masked, so texts are independent."""
        from retrieval.compute.tensors import mask, padded, unit

        ids = [text.ids for text in batch]
        states = self._model.model(
            input_ids=padded(ids, self._filling, self.device), attention_mask=mask(ids, self.device)
        ).last_hidden_state
        return [
            unit(states[i, 0] if text.pooled else self._model.colbert_linear(states[i, 1 : len(text.ids)]))
            for i, text in enumerate(batch)
        ]


def _load(checkpoint: Checkpoint, device: str, precision: str) -> tuple[Any, Any, Device]:
    """The model with its heads, its tokenizer, and where it is. Raises as `BgeM3` does.

    FlagEmbedding makes up heads at random where their files are missing, so these are asked for first.
    """
    for head in HEADS:
        if not (checkpoint.folder / head).is_file():
            raise WeightsError(f"{head} is missing in {checkpoint.folder}: fetch the whole of BGE-M3.")
    with loading(checkpoint.name, checkpoint.folder):
        from FlagEmbedding import BGEM3FlagModel

        chosen = choose(device, precision)
        loaded = from_flag_embedding(BGEM3FlagModel, checkpoint.folder, chosen)
    return loaded.model, loaded.tokenizer, chosen
