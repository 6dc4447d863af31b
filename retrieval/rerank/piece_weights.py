"""The weights of a question's pieces in late interaction, and the scale of its scores.

`pestle train reranker` learns them. Those for MiniLM are shipped beside this module.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import WeightsError
from retrieval.ports import Vectors

SHIPPED = Path(__file__).with_name("late-interaction.json")
LIGHTEST, HEAVIEST = -4.0, 4.0
"""Bounds of the logarithm of a piece's weight, so that no piece counts for nothing or for all."""
SHARPNESS = 4.0
"""k of the mean; between 2 and 6 nDCG@10 on SciFact and BioASQ differs by less than 0.002."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceWeights:
    """A piece of a question with the unit vector q weighs exp(q · `piece`), `piece` (d,); (0,): all alike.

    The similarity of question and text is the weighted log-mean-exp of what each piece finds in the text,
    (1/k) log Σ wᵢ exp(k sᵢ) with Σ wᵢ = 1: between the mean (k → 0) and the maximum, so that a piece that is
    met counts more than one that is missed. At the similarity `middle` a text is as likely relevant as not;
    `slope` is that of the logistic map (Platt 1999).

    Defaults are for MiniLM with all pieces alike, fitted as `pestle train reranker` does it. `version` is the
    beginning of the file's SHA-256: thresholds that were learnt with other weights do not fit.
    """

    piece: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    slope: float = 17.9
    middle: float = 0.63
    threshold: float = 0.16
    version: str = "equal"

    @classmethod
    def read(cls, path: Path, encoder_name: str) -> "PieceWeights":
        """Weights from a file that `pestle train reranker` wrote. Raises `WeightsError`."""
        found, learnt_for = _read(path)
        if learnt_for != encoder_name:
            raise WeightsError(
                f"The reranker's weights {path} were learnt with {learnt_for}, but the encoder is "
                f"{encoder_name}. Learn them with this encoder: pestle train reranker"
            )
        return found

    def weights(self, asked: Vectors) -> Vectors:
        """(n,) weights of a question's pieces, whose unit vectors are (n, d); their sum is 1."""
        logs = asked @ self.piece if self.piece.size else np.zeros(len(asked), np.float32)
        weights = np.exp(np.clip(logs, LIGHTEST, HEAVIEST))
        return np.asarray(weights / weights.sum(), np.float32)

    def similarity(self, weights: Vectors, partners: Vectors) -> NDArray[np.float32]:
        """(texts,) similarity of a question to each text, from the best cosines of its pieces, `partners`
        (texts, n).
        """
        return np.asarray(np.log(np.exp(SHARPNESS * partners) @ weights) / SHARPNESS, np.float32)

    def score(self, similarity: NDArray[np.float32]) -> NDArray[np.float32]:
        """(texts,) scores in [0, 1]."""
        return np.asarray(1 / (1 + np.exp(-self.slope * (similarity - self.middle))), np.float32)


def shipped(encoder_name: str) -> PieceWeights:
    """The weights for this encoder; all pieces alike if none are shipped for it."""
    found, learnt_for = _read(SHIPPED)
    return found if learnt_for == encoder_name else PieceWeights()


def _read(path: Path) -> tuple[PieceWeights, str]:
    """Weights, and the name of the encoder that they were learnt with."""
    try:
        content = path.read_bytes()
        values = json.loads(content)
        found = PieceWeights(
            piece=np.array(values["piece"], np.float32),
            slope=float(values["slope"]),
            middle=float(values["middle"]),
            threshold=float(values["threshold"]),
            version=hashlib.sha256(content).hexdigest()[:8],
        )
        return found, str(values["encoder"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"The reranker's weights {path} cannot be read: {error!r}. Make them with: pestle train reranker"
        ) from error
