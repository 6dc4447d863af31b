"""Weights of the compact reranker before training: MiniLM's own last layers, late interaction's map."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from retrieval.embed.graph import LAYERS, WIDTH
from retrieval.embed.minilm import EARLY_LAYERS
from retrieval.embed.weights import locate
from retrieval.rerank.compact import MIDDLE, SLOPE
from tests.retrieval.minilm import minilm

THRESHOLD = 0.2


@cache
def untrained() -> Path:
    minilm()
    late = tuple(f"encoder.layer.{layer}." for layer in range(EARLY_LAYERS, LAYERS))
    weights = {k: v.astype(np.float16) for k, v in load_file(locate().tensors).items() if k.startswith(late)}
    head = {"slope": SLOPE, "bias": -SLOPE * MIDDLE, "threshold": THRESHOLD}
    weights |= {f"head.{name}": np.array([value], np.float32) for name, value in head.items()}
    weights |= {f"head.{name}": np.zeros(WIDTH, np.float32) for name in ("side", "first")}
    path = Path(tempfile.mkdtemp(prefix="pestle-untrained-")) / "compact.safetensors"
    save_file(weights, path)
    return path
