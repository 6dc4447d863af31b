"""Finds the weights of a model, by name or in a folder, and makes sure that they are the expected ones.

A folder needs no network; a name is looked up on the Hugging Face hub, and in its local cache where the hub
cannot be reached. No code that comes with a model is ever executed, and weights are read from safetensors
unless pickles are allowed.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import WeightsError

TENSORS = "*.safetensors"
READ_FIRST = ("model.safetensors", "model.safetensors.index.json")
"""Where one of them is, the libraries read no pickles."""
PICKLES = "*.bin"
FILES = ["*.json", "*.txt", "*.model", TENSORS]
"""What is fetched of a model: no code, and no copies of the weights for other libraries."""
MODULES = "modules.json"
"""The parts of a model of sentence-transformers: the class of each, and the folder with its weights."""
TRUSTED = "sentence_transformers."
DIGITS = 8
"""Digits of the checksum that are part of a model's name in an index."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A folder with a model. `sha256` is that of its weights (see `digest`)."""

    name: str
    folder: Path
    sha256: str

    @property
    def label(self) -> str:
        """Names the weights, wherever their folder lies: `bge-small-en-v1.5@3c9f31dc`."""
        return f"{self.name}@{self.sha256[:DIGITS]}"


def find(
    model: str, revision: str = "", sha256: str = "", stamps: Path | None = None, *, pickles: bool = False
) -> Checkpoint:
    """The checked checkpoint of `model`: a folder, or a name on the hub at `revision` (tag or commit).

    `sha256` is compared with the digest of the weights; empty: any weights are taken. `stamps` is a folder
    for a small file that remembers digests by size and time of change, so that gigabytes are read once.

    Raises:
        WeightsError: nothing is there, the weights are not those expected, only pickles are there, or the
            model needs code of its own.
    """
    folder = Path(model).expanduser()
    if not folder.is_dir():
        folder = _fetched(model, revision, pickles)
    places = [folder, *_parts(folder)]
    weights = [file for place in places for file in _weights(place, pickles)]
    if not weights:
        raise WeightsError(f"There are no weights in {folder}: no file {TENSORS}. Is it a model's folder?")
    found = digest(weights, stamps)
    if sha256 and found != sha256.lower():
        raise WeightsError(
            f"The weights in {folder} are not the expected ones: their SHA-256 is {found}, expected "
            f"{sha256}. Fetch them again, or set `sha256` to what you trust."
        )
    return Checkpoint(Path(model).name, folder, found)


def digest(files: list[Path], stamps: Path | None = None) -> str:
    """SHA-256 of one file; of several, of their lines as `sha256sum` prints them where all of them lie."""
    digests = [_digest(file, stamps) for file in files]
    if len(digests) == 1:
        return digests[0]
    place = os.path.commonpath([file.parent for file in files])
    names = [file.relative_to(place).as_posix() for file in files]
    lines = [f"{one}  {name}\n" for one, name in zip(digests, names, strict=True)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _fetched(model: str, revision: str, pickles: bool) -> Path:
    """The model's folder in the hub's cache, downloaded if it is not there and the hub can be reached."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    patterns = [*FILES, PICKLES] if pickles else FILES
    try:
        return Path(snapshot_download(model, revision=revision or None, allow_patterns=patterns))
    except (HFValidationError, HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise WeightsError(
            f"The model {model} is no folder, and it cannot be fetched from the hub "
            f"({type(error).__name__}). Where there is no network: `hf download {model} --local-dir FOLDER` "
            "on a machine that has one, copy the folder, and set `model` to it."
        ) from error


def _parts(folder: Path) -> list[Path]:
    """The folders below that hold weights of the model's parts.

    Of a local folder sentence-transformers imports whatever class is named, also from a file in that folder,
    and `trust_remote_code=False` does not keep it from that; so other classes than its own are refused here.
    """
    try:
        named = json.loads((folder / MODULES).read_text("utf-8"))
        parts = [(str(part["type"]), str(part["path"])) for part in named]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise WeightsError(f"{folder / MODULES} cannot be read ({error}). Fetch the model again.") from error
    if foreign := next((kind for kind, _ in parts if not kind.startswith(TRUSTED)), None):
        raise WeightsError(
            f"The model in {folder} wants to run code of its own ({foreign}), and no such code is executed. "
            "Choose a model that is made of sentence-transformers' own modules."
        )
    below = sorted({folder / path for _, path in parts} - {folder})
    return [place for place in below if place.is_relative_to(folder)]


def _weights(folder: Path, pickles: bool) -> list[Path]:
    """The files that are loaded, sorted by name: safetensors, or pickles where there is nothing else."""
    tensors, others = list(folder.glob(TENSORS)), list(folder.glob(PICKLES))
    if others and not any((folder / name).is_file() for name in READ_FIRST):
        if not pickles:
            raise WeightsError(
                f"The weights in {folder} are pickles ({others[0].name}), which can carry code. Convert them "
                "to safetensors, or set `pickles` to true if you trust where they come from."
            )
        tensors += others
    return sorted(tensors, key=lambda file: file.name)


def _digest(file: Path, stamps: Path | None) -> str:
    """The file's SHA-256, remembered while its size and time of change stay."""
    status = file.stat()
    key = f"{file.resolve()}|{status.st_size}|{status.st_mtime_ns}"
    place = stamps / "checkpoints-checked.json" if stamps else None
    remembered = _read(place) if place else {}
    if key in remembered:
        return remembered[key]
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if place:
        _remember(place, {**remembered, key: found})
    return found


def _read(place: Path) -> dict[str, str]:
    try:
        remembered = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return remembered if isinstance(remembered, dict) else {}


def _remember(place: Path, digests: dict[str, str]) -> None:
    """A note that cannot be written only costs the next start some seconds."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(digests), "utf-8")
    except OSError:
        return
