"""The weights of a question's pieces in late interaction, and the scale of its scores.

Those for MiniLM are shipped beside this module; docs/decisions/0008 says how they were learnt.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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

    Defaults are for MiniLM with all pieces alike. `version` is the beginning of the file's SHA-256.
    """

    piece: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    slope: float = 17.9
    middle: float = 0.63
    threshold: float = 0.16
    version: str = "equal"

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


@cache
def shipped(encoder_name: str) -> PieceWeights:
    """The weights that are shipped for this encoder; all pieces alike if there are none."""
    content = SHIPPED.read_bytes()
    values = json.loads(content)
    if values["encoder"] != encoder_name:
        return PieceWeights()
    return PieceWeights(
        piece=np.array(values["piece"], np.float32),
        slope=values["slope"],
        middle=values["middle"],
        threshold=values["threshold"],
        version=hashlib.sha256(content).hexdigest()[:8],
    )
