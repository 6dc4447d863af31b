"""The trained part of the compact reranker in torch: the last two layers of MiniLM and a small head."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor, nn

from retrieval.embed.graph import EPSILON, HEADS, LAYERS, WIDTH
from retrieval.embed.minilm import EARLY_LAYERS
from retrieval.rerank.compact import MIDDLE, SLOPE
from retrieval.train.lists import States

DROPOUT = 0.0
"""One pass over a few thousand lists does not overfit, and drawing zeros takes a quarter of the time."""

PLAIN = {
    "self_attn.out_proj": "attention.output.dense",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}
"""torch's names for the parts of a layer, and BERT's; query, key and value are one matrix in torch."""
PROJECTIONS = tuple(f"attention.self.{part}" for part in ("query", "key", "value"))


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a window as the early layers read them; `content` (pieces of the question,) is True for
    words that carry a topic.
    """

    question: States
    content: NDArray[np.bool_]
    window: States

    def __len__(self) -> int:
        return len(self.question) + len(self.window)


class Reader(nn.Module):
    """Gives a logit for each pair; before training nearly that of late interaction.

    While it is taught its layers work in bfloat16, which newer processors do 1.4 times as fast.
    """

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 4 * WIDTH, DROPOUT, "gelu", EPSILON, batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, LAYERS - EARLY_LAYERS, enable_nested_tensor=False)
        self.side = nn.Parameter(torch.zeros(WIDTH))
        self.first = nn.Parameter(torch.zeros(WIDTH))
        self.slope = nn.Parameter(torch.tensor(SLOPE))
        self.bias = nn.Parameter(torch.tensor(-SLOPE * MIDDLE))

    @property
    def head(self) -> dict[str, nn.Parameter]:
        """What is learnt besides the layers (see `retrieval.rerank.compact.Head`)."""
        return {"side": self.side, "first": self.first, "slope": self.slope, "bias": self.bias}

    def forward(self, pairs: Sequence[Pair]) -> Tensor:
        """(n,) logits."""
        states, text, seen = map(torch.from_numpy, _padded(pairs))
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training):
            joint = self.layers(states + self.side * text.unsqueeze(-1), src_key_padding_mask=~seen).float()
        unit = nn.functional.normalize(joint, dim=-1)
        similar = [
            _similarity(unit[row, : len(pair)], torch.from_numpy(pair.content))
            for row, pair in enumerate(pairs)
        ]
        logits: Tensor = self.slope * torch.stack(similar) + joint[:, 0] @ self.first + self.bias
        return logits


def _similarity(unit: Tensor, content: Tensor) -> Tensor:
    """MaxSim of (pieces, 384) unit states, the question's first, without the marks at the text's ends."""
    asked, text = unit[: len(content)][content], unit[len(content) + 1 : -1]
    return (asked @ text.T).amax(1).mean()


def _padded(pairs: Sequence[Pair]) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """States (n, t, 384), and (n, t) which of them are the text's, and which are no padding."""
    width = max(map(len, pairs))
    states = np.zeros((len(pairs), width, WIDTH), np.float32)
    text, seen = np.zeros((2, len(pairs), width), bool)
    for row, pair in enumerate(pairs):
        states[row, : len(pair)] = np.concatenate([pair.question, pair.window])
        text[row, len(pair.question) : len(pair)] = True
        seen[row, : len(pair)] = True
    return states, text, seen


def from_minilm(tensors: Path) -> Reader:
    """A reader that has learnt nothing yet."""
    weights = load_file(tensors)
    reader = Reader()
    for number, layer in enumerate(reader.layers.layers, EARLY_LAYERS):
        layer.load_state_dict(dict(_from_bert(weights, f"encoder.layer.{number}")))
    return reader


def _from_bert(weights: Mapping[str, Tensor], name: str) -> Iterator[tuple[str, Tensor]]:
    for kind in ("weight", "bias"):
        yield f"self_attn.in_proj_{kind}", torch.cat([weights[f"{name}.{p}.{kind}"] for p in PROJECTIONS])
        for torchs, berts in PLAIN.items():
            yield f"{torchs}.{kind}", weights[f"{name}.{berts}.{kind}"]


def to_bert(reader: Reader) -> Iterator[tuple[str, Tensor]]:
    """Names and values of the layers as BERT calls them, so that the ONNX graph finds them."""
    for number, layer in enumerate(reader.layers.layers, EARLY_LAYERS):
        values = layer.state_dict()
        for kind in ("weight", "bias"):
            parts = values[f"self_attn.in_proj_{kind}"].chunk(3)
            yield from (
                (f"encoder.layer.{number}.{p}.{kind}", v) for p, v in zip(PROJECTIONS, parts, strict=True)
            )
            for torchs, berts in PLAIN.items():
                yield f"encoder.layer.{number}.{berts}.{kind}", values[f"{torchs}.{kind}"]
