"""Any model of sentence-transformers as an encoder (DiscoVerse, A.4: multilingual-e5-large-instruct).

The model's own modules do the arithmetic (transformer, pooling, projection); batches are Pestle's, made of
texts of like length computed in turn (`retrieval.compute.engine`).

Some models want an instruction before a text: without it quality is lost and no error given. It is looked up
in the settings, in the model's own `prompts`, and in what publishers wrote of models whose files lack it.
"""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from retrieval.compute.checkpoint import Checkpoint
from retrieval.compute.device import Device, choose
from retrieval.compute.engine import WAITING
from retrieval.compute.libraries import from_sentence_transformers, loading, reading_limit
from retrieval.embed.pieces import Pieces, Text
from retrieval.ports import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

LONGEST = 1024
"""Pieces read of a text at most, unless more are asked for: a chunk of 512 words has about 700."""
THRESHOLDS = {"multilingual-e5-large-instruct": 0.7}
"""From DiscoVerse, Appendix A.4. A cosine means something else with each model, so others have none until
one is set.
"""
E5_TASK = "Given a question on drug discovery, retrieve passages of reports that answer it"
PUBLISHED: tuple[tuple[str, str, str], ...] = (
    (r"e5-.*instruct", f"Instruct: {E5_TASK}\nQuery: ", ""),
    (r"e5-(small|base|large)", "query: ", "passage: "),
    (r"bge-(small|base|large)-en", "Represent this sentence for searching relevant passages: ", ""),
)
"""(pattern of a model's name, before a question, before a text): Wang et al. 2024; Xiao et al. 2023."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """What is written before a question and before a text; empty for models without."""

    question: str = ""
    text: str = ""

    def asked(self, question: str) -> str:
        """A question as the model wants it; `{question}` in the instruction marks its place."""
        if "{question}" in self.question:
            return self.question.replace("{question}", question)
        return self.question + question


def instructions(name: str, own: Mapping[str, str], question: str = "", text: str = "") -> Instructions:
    """The instructions of the model `name` whose files carry the prompts `own`; those given here win."""
    published = next((rest for pattern, *rest in PUBLISHED if re.search(pattern, name.lower())), ["", ""])
    stored = own.get("passage", "") or own.get("document", "")
    return Instructions(question or own.get("query", "") or published[0], text or stored or published[1])


class SentenceTransformerEncoder:
    """`Encoder` over a checkpoint that sentence-transformers reads.

    Args:
        checkpoint: the weights (`retrieval.compute.checkpoint.find`).
        device: cpu, cuda, cuda:1, mps, or auto.
        precision: fp32, bf16, fp16, or auto (`retrieval.compute.device.choose`).
        max_length: pieces read of a text; 0: what the model was made for, at most 1024.
        batch_pieces: pieces in a batch, padding included; 0: as the device wants.
        question_instruction: written before a question; empty: the model's own (`instructions`).
        text_instruction: written before a text; empty: the model's own.
        threshold: cosine under which a text is not similar; None: the model's, or 0 if not known.
        waiting: requests that may wait; more are refused with `ModelOverloaded`.

    Raises:
        ModelsMissing: the extra `models` is not installed.
        WeightsError: sentence-transformers cannot read the checkpoint, or it cannot read `max_length` pieces.
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
        question_instruction: str = "",
        text_instruction: str = "",
        threshold: float | None = None,
        waiting: int = WAITING,
    ) -> None:
        self._model, self.device = _load(checkpoint, device, precision)
        from retrieval.compute.tensors import engine

        own = {name: prompt or "" for name, prompt in self._model.prompts.items()}
        self._instructions = instructions(checkpoint.name, own, question_instruction, text_instruction)
        usual = min(self._model.max_seq_length or LONGEST, LONGEST)
        config = getattr(getattr(self._model[0], "auto_model", None), "config", None)
        limit = reading_limit(checkpoint.name, max_length, usual, config)
        self._pieces = Pieces(self._model.tokenizer.backend_tokenizer, limit, self._instructions.text)
        self.name = f"{checkpoint.label}/{limit}" + self._mark(instructions(checkpoint.name, own).text)
        self.dimension = int(self._model.get_embedding_dimension() or 0)
        self.threshold = THRESHOLDS.get(checkpoint.name, 0.0) if threshold is None else threshold
        first = Text(self._pieces.encode(["warm"])[0].ids, True)
        self._engine = engine(self.name, self._forward, self.device, first, batch_pieces, waiting)

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length."""
        return self._stacked(await self._rows([self._instructions.text + text for text in texts], True))

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`, with the instruction for questions."""
        return self._stacked(await self._rows(list(map(self._instructions.asked, questions)), True))

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, w) float32, rows of unit length, the marks at the ends included."""
        return await self._rows(texts, False)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """Each text in parts that are read whole, with its head before each (see `Pieces.windows`)."""
        return self._pieces.windows(texts, heads)

    def close(self) -> None:
        """Let the model's thread end."""
        self._engine.close()

    def _mark(self, usual: str) -> str:
        """What another instruction than the usual one before texts adds to the name: other vectors."""
        chosen = self._instructions.text
        return "" if chosen == usual else "+" + hashlib.sha256(chosen.encode()).hexdigest()[:8]

    async def _rows(self, texts: Sequence[str], pooled: bool) -> list[Vectors]:
        encodings = await asyncio.to_thread(self._pieces.encode, texts)
        return await self._engine.run([Text(encoding.ids, pooled) for encoding in encodings])

    def _stacked(self, rows: list[Vectors]) -> Vectors:
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def _forward(self, batch: Sequence[Text]) -> list[Vectors]:
        """Unit vectors of each text, or of each of its pieces. Padding is masked, so rows are independent."""
        from retrieval.compute.tensors import mask, padded, unit

        ids = [text.ids for text in batch]
        filling = self._model.tokenizer.pad_token_id or 0
        found = self._model(
            {"input_ids": padded(ids, filling, self.device), "attention_mask": mask(ids, self.device)}
        )
        rows = list(unit(found["sentence_embedding"]))
        for i, text in enumerate(batch):
            if not text.pooled:
                rows[i] = unit(found["token_embeddings"][i, : len(text.ids)])
        return rows


def _load(checkpoint: Checkpoint, device: str, precision: str) -> tuple["SentenceTransformer", Device]:
    """The model on its device. Raises as `SentenceTransformerEncoder` does."""
    with loading(checkpoint.name, checkpoint.folder):
        from sentence_transformers import SentenceTransformer

        chosen = choose(device, precision)
        model = from_sentence_transformers(SentenceTransformer, checkpoint.folder, chosen)
    return model.eval(), chosen
