"""What was learnt from judged queries for one encoder and reranker: thresholds and fusion weights.

`pestle calibrate` writes it to a small JSON file together with what it was learnt on. Without a file the
defaults apply: `Fusion()`, and the thresholds that encoder and reranker bring along.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from retrieval.errors import CalibrationError
from retrieval.fuse import Fusion
from retrieval.ports import Reranker

CLOSED = ConfigDict(extra="forbid")


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class LearntFrom:
    """What a calibration was learnt on.

    `sha256` is over corpus, queries and judgements; `date` is ISO 8601. `ndcg_default` is nDCG@10 with the
    defaults, `ndcg_held_out` the same on queries that the weights were not learnt on (5 folds).
    """

    collection: str
    split: str
    sha256: str
    queries: int
    judgements: int
    index: str
    date: str
    ndcg_default: float
    ndcg_held_out: float


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class Calibration:
    """Settings of the search, learnt for the encoder and reranker that it names; empty names fit any.

    A threshold that is None was not learnt: the model's own applies.
    """

    encoder: str = ""
    fusion: Fusion = field(default_factory=Fusion)
    dense_threshold: float | None = None
    reranker: str = ""
    rerank_threshold: float | None = None
    learnt_on: LearntFrom | None = None

    def check(self, encoder: str, reranker: str, path: Path) -> None:
        """Raises `CalibrationError` if it was learnt for another encoder or reranker than those in use."""
        for kind, learnt, used in (("encoder", self.encoder, encoder), ("reranker", self.reranker, reranker)):
            if learnt not in ("", used):
                raise CalibrationError(
                    f"The calibration {path} was learnt for the {kind} {learnt}, but {used} is set. Run "
                    "`pestle calibrate` again, or move the file away to use the defaults."
                )


DEFAULTS = Calibration()
_FILE = TypeAdapter(Calibration)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file, the defaults if there is no file. Raises `CalibrationError`."""
    try:
        return _FILE.validate_json(path.read_bytes())
    except FileNotFoundError:
        return DEFAULTS
    except OSError as error:
        raise CalibrationError(f"The calibration {path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise CalibrationError(
            f"The calibration {path} is not right at {place}: {first['msg']}. Run `pestle calibrate` again, "
            "or move the file away to use the defaults."
        ) from None


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write the file in one step, so that nobody reads half of it. Raises `CalibrationError`."""
    half = path.with_name(f".{path.name}.half")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(_FILE.dump_json(calibration, indent=1) + b"\n")
        half.replace(path)
    except OSError as error:
        raise CalibrationError(f"The calibration {path} cannot be written: {error.strerror}.") from error


class AtThreshold:
    """`Reranker` with a threshold that was learnt for it."""

    def __init__(self, reranker: Reranker, threshold: float) -> None:
        self.name = reranker.name
        self.threshold = threshold
        self._reranker = reranker

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores of the reranker."""
        return await self._reranker.score(question, texts)
