"""The transformer of all-MiniLM-L6-v2 as an ONNX graph of 22 kB whose weights stay in the safetensors file.

Architecture: BERT with 6 layers, 12 heads, width 384 (Devlin et al. 2019, section 3).
The graph names where each tensor lies in `model.safetensors`, so nothing is converted, copied or kept twice.
It is shipped as `minilm.onnx`, so that nobody needs `onnx` to encode. Written anew, with the extra `dev`, by

    python -m tests.retrieval.embed.graph
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

from retrieval.embed.weights import GRAPH, WIDTH, locate

LAYERS = 6
HEADS = 12
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12


def build(tensors: Path) -> bytes:
    """The serialised model for the weights in `tensors`.

    Inputs: `ids` (b, t) int64, `positions` (t,) int64, `mask` (b, 1, 1, t) float32: 0 to see, -inf to hide.
    Output: `tokens` (b, t, 384) float32, the last hidden states.
    """
    graph = _Graph(tensors)
    hidden = graph.embeddings()
    for layer in range(LAYERS):
        hidden = graph.feed_forward(graph.attention(hidden, layer), layer)
    graph.output(hidden)
    return graph.serialised()


class _Graph:
    """Collects nodes and weights. Methods take and return names of values; hidden states are (b * t, 384)."""

    def __init__(self, tensors: Path) -> None:
        self._file = tensors.name
        self._places, self._start = _header(tensors)
        self._nodes: list[NodeProto] = []
        self._weights: dict[str, TensorProto] = {}
        self._flat = self._constant("flat", np.array([-1, WIDTH], np.int64))
        heads = self._constant("heads", np.array([HEADS, HEAD_WIDTH], np.int64))
        self._split = self._node("Concat", self._node("Shape", "ids"), heads, axis=0)
        self._scale = self._constant("scale", np.array(1 / math.sqrt(HEAD_WIDTH), np.float32))

    def embeddings(self) -> str:
        words = self._node("Gather", self._weight("embeddings.word_embeddings.weight"), "ids")
        places = self._node("Gather", self._weight("embeddings.position_embeddings.weight"), "positions")
        first = self._constant("first", np.array(0, np.int64))
        kind = self._node("Gather", self._weight("embeddings.token_type_embeddings.weight"), first)
        summed = self._node("Add", self._node("Add", words, places), kind)
        return self._normalise(self._node("Reshape", summed, self._flat), "embeddings.LayerNorm")

    def attention(self, hidden: str, layer: int) -> str:
        """Multi-head self-attention with residual: softmax(Q K^T / sqrt(32) + mask) V."""
        name = f"encoder.layer.{layer}.attention"
        query = self._node("Mul", self._linear(hidden, f"{name}.self.query"), self._scale)
        scores = self._node(
            "MatMul",
            self._by_head(query, [0, 2, 1, 3]),
            self._by_head(self._linear(hidden, f"{name}.self.key"), [0, 2, 3, 1]),
        )
        shares = self._node("Softmax", self._node("Add", scores, "mask"), axis=-1)
        values = self._by_head(self._linear(hidden, f"{name}.self.value"), [0, 2, 1, 3])
        mixed = self._node("Transpose", self._node("MatMul", shares, values), perm=[0, 2, 1, 3])
        merged = self._linear(self._node("Reshape", mixed, self._flat), f"{name}.output.dense")
        return self._normalise(self._node("Add", merged, hidden), f"{name}.output.LayerNorm")

    def feed_forward(self, hidden: str, layer: int) -> str:
        name = f"encoder.layer.{layer}"
        inner = self._node("Gelu", self._linear(hidden, f"{name}.intermediate.dense"))
        outer = self._node("Add", self._linear(inner, f"{name}.output.dense"), hidden)
        return self._normalise(outer, f"{name}.output.LayerNorm")

    def output(self, hidden: str) -> None:
        width = self._constant("width", np.array([WIDTH], np.int64))
        shape = self._node("Concat", self._node("Shape", "ids"), width, axis=0)
        self._nodes.append(helper.make_node("Reshape", [hidden, shape], ["tokens"]))

    def serialised(self) -> bytes:
        graph = helper.make_graph(
            self._nodes,
            "minilm",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["b", "t"]),
                helper.make_tensor_value_info("positions", TensorProto.INT64, ["t"]),
                helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["b", 1, 1, "t"]),
            ],
            [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["b", "t", WIDTH])],
            list(self._weights.values()),
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        return bytes(model.SerializeToString())

    def _linear(self, value: str, name: str) -> str:
        return self._node(
            "Gemm", value, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"), transB=1
        )

    def _normalise(self, value: str, name: str) -> str:
        scale, shift = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self._node("LayerNormalization", value, scale, shift, axis=-1, epsilon=EPSILON)

    def _by_head(self, value: str, order: list[int]) -> str:
        return self._node("Transpose", self._node("Reshape", value, self._split), perm=order)

    def _node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        output = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def _constant(self, name: str, value: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
        self._weights[name] = numpy_helper.from_array(value, name)
        return name

    def _weight(self, name: str) -> str:
        """A tensor that stays in the safetensors file: only its place is written down."""
        if name not in self._weights:
            entry = self._places[name]
            begin, end = entry["data_offsets"]
            tensor = TensorProto(
                name=name,
                data_type=TensorProto.FLOAT,
                dims=entry["shape"],
                data_location=TensorProto.EXTERNAL,
            )
            place = {"location": self._file, "offset": self._start + begin, "length": end - begin}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            self._weights[name] = tensor
        return name


def _header(tensors: Path) -> tuple[dict[str, dict[str, list[int]]], int]:
    """Where each tensor lies, and where the data begin (8 bytes of length, JSON, data)."""
    with tensors.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return json.loads(file.read(length)), 8 + length


if __name__ == "__main__":
    GRAPH.write_bytes(build(locate().tensors))
