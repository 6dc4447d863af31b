"""Any model of sentence-transformers as an encoder (DiscoVerse, A.4: multilingual-e5-large-instruct).

The model's own modules do the arithmetic (transformer, pooling, projection). Texts are cut into pieces once,
and batches are made of texts of like length, so that little is padded.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.checkpoint import Checkpoint, find
from retrieval.compute.batches import batches
from retrieval.compute.device import Device, choose
from retrieval.embed.instructions import instructions
from retrieval.embed.pieces import Pieces
from retrieval.errors import ModelsMissing, WeightsError
from retrieval.ports import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

T = TypeVar("T")

LONGEST = 1024
"""Pieces read of a text at most, unless more are asked for: a chunk of 512 words has about 700."""
THRESHOLDS = {"multilingual-e5-large-instruct": 0.7}
"""From DiscoVerse, Appendix A.4. A cosine means something else with each model, so others have none until
they are calibrated.
"""


class SentenceTransformerEncoder:
    """Encoder over a checkpoint that sentence-transformers reads; a thread of its own keeps the model.

    Args:
        model: a folder, or a name on the hub (`retrieval.checkpoint.find`).
        revision: tag or commit on the hub; empty: the newest.
        sha256: expected digest of the weights; empty: any.
        device: cpu, cuda, cuda:1, mps, or auto.
        precision: fp32, bf16, fp16, or auto (`retrieval.compute.device.choose`).
        max_length: pieces read of a text; 0: what the model was made for, at most 1024.
        batch_pieces: pieces in a batch, padding included; 0: as the device wants.
        question_instruction: written before a question; empty: the model's own (`instructions`).
        text_instruction: written before a text; empty: the model's own.
        threshold: cosine under which a text is not similar; None: the model's, or 0 if not known.
        stamps: folder that remembers checked weights.
        pickles: whether weights may be read from pickles.

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: the checkpoint is missing, not the expected one, or not one of sentence-transformers.
        DeviceError: the device or precision is not to be had.
    """

    def __init__(
        self,
        model: str,
        *,
        revision: str = "",
        sha256: str = "",
        device: str = "auto",
        precision: str = "auto",
        max_length: int = 0,
        batch_pieces: int = 0,
        question_instruction: str = "",
        text_instruction: str = "",
        threshold: float | None = None,
        stamps: Path | None = None,
        pickles: bool = False,
    ) -> None:
        checkpoint = find(model, revision, sha256, stamps, pickles=pickles)
        self._model, self.device = load(checkpoint, device, precision)
        own = {name: prompt or "" for name, prompt in self._model.prompts.items()}
        self._instructions = instructions(checkpoint.name, own, question_instruction, text_instruction)
        limit = max_length or min(self._model.max_seq_length or LONGEST, LONGEST)
        self._pieces = Pieces(self._model.tokenizer.backend_tokenizer, limit, self._instructions.text)
        self._padding = self._model.tokenizer.pad_token_id or 0
        self._batch_pieces = batch_pieces or self.device.batch_pieces
        self.name = f"{checkpoint.label}/{limit}"
        self.dimension = int(self._model.get_embedding_dimension() or 0)
        self.threshold = THRESHOLDS.get(checkpoint.name, 0.0) if threshold is None else threshold
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=checkpoint.name)

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length."""
        rows = await self._rows([self._instructions.text + text for text in texts], pooled=True)
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`, with the instruction for questions."""
        rows = await self._rows([self._instructions.asked(text) for text in questions], pooled=True)
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, w) float32, rows of unit length, the marks at the ends included."""
        return await self._rows(texts, pooled=False)

    def content(self, text: str) -> NDArray[np.bool_]:
        """(pieces,) True for pieces of words that carry a topic; all True if there is no such word."""
        return self._pieces.content(text)

    def windows(self, text: str, head: str = "") -> list[str]:
        """The text in parts that are read whole, each with the head before it (see `Pieces.windows`)."""
        return self._pieces.windows(text, head)

    async def _rows(self, texts: Sequence[str], *, pooled: bool) -> list[Vectors]:
        """One job for each batch, so that a question need not wait for a whole ingest."""
        encodings = await self._in_thread(self._pieces.encode, texts)
        rows: list[Vectors] = [np.zeros(0, np.float32)] * len(encodings)
        for batch in batches([len(encoding.ids) for encoding in encodings], self._batch_pieces):
            vectors = await self._in_thread(self._batch, [encodings[i].ids for i in batch], pooled)
            for i, row in zip(batch, vectors, strict=True):
                rows[i] = row
        return rows

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _batch(self, ids: list[list[int]], pooled: bool) -> list[Vectors]:
        """Unit vectors of each text, or of each of its pieces."""
        import torch

        width = max(map(len, ids))
        padded = torch.tensor([[*one, *[self._padding] * (width - len(one))] for one in ids])
        mask = torch.tensor([[1] * len(one) + [0] * (width - len(one)) for one in ids])
        with torch.inference_mode():
            features = self._model(
                {"input_ids": padded.to(self.device.name), "attention_mask": mask.to(self.device.name)}
            )
        if pooled:
            return list(_unit(features["sentence_embedding"]))
        return [
            _unit(states[: len(one)]) for states, one in zip(features["token_embeddings"], ids, strict=True)
        ]


def load(checkpoint: Checkpoint, device: str, precision: str) -> tuple["SentenceTransformer", Device]:
    """The model on its device. Raises as `SentenceTransformerEncoder` does."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise missing(checkpoint.name) from error
    chosen = choose(device, precision)
    try:
        model = SentenceTransformer(
            str(checkpoint.folder),
            device=chosen.name,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"dtype": chosen.dtype},
        )
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise WeightsError(
            f"{checkpoint.folder} cannot be loaded by sentence-transformers: {error}. Does the folder hold "
            "the whole model (config.json, tokenizer.json, model.safetensors)?"
        ) from error
    return model.eval(), chosen


def missing(model: str) -> ModelsMissing:
    """The error for a torch model without its libraries."""
    return ModelsMissing(f"The model {model} needs torch. Install it with: pip install 'pestle[models]'")


def _unit(vectors: Any) -> Vectors:
    """A tensor's rows with unit length, as float32."""
    rows: Vectors = vectors.float().cpu().numpy()
    unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)
    return unit
