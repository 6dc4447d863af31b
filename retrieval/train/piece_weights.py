"""Learns the weights of a question's pieces: softmax over each question's candidates, all lists at once.

Loss: minus the logarithm of the relevant candidates' share, and a penalty on the square of `piece`, by L-BFGS
(Liu & Nocedal 1989). Nothing is drawn by chance: the same lists
give the same weights on the same machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from retrieval.evaluate.fill import Progress
from retrieval.ports import Vectors
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.rerank.piece_weights import HEAVIEST, LIGHTEST, SHARPNESS, PieceWeights
from retrieval.train.candidates import CandidateList

STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A question's pieces `asked` (n, d), what each finds in the candidates (texts, n), which are relevant.

    The first `ranked` candidates are put in order; the others are only learnt from.
    """

    query: str
    asked: Vectors
    partners: Vectors
    relevant: NDArray[np.bool_]
    ranked: int


async def compared(
    lists: Sequence[CandidateList], reranker: LateInteraction, progress: Progress
) -> list[Compared]:
    """What late interaction sees of each list."""
    found = []
    for one in lists:
        windows = [*one.windows, *one.missed]
        asked, partners = await reranker.partners(one.text, windows)
        relevant = np.array([*one.relevant, *(True for _ in one.missed)], bool)
        found.append(Compared(one.query, asked, np.maximum(partners, -1), relevant, len(one.windows)))
        progress("comparing pieces", len(found), len(lists))
    return found


def learn(lists: Sequence[Compared], ridge: float) -> PieceWeights:
    """Weights that put the relevant candidates of these lists first; the scale is not learnt here."""
    taught = [one for one in lists if one.relevant.any() and not one.relevant.all()]
    batch = _padded(taught)
    piece = torch.zeros(taught[0].asked.shape[1], requires_grad=True)
    slope = torch.tensor(20.0, requires_grad=True)
    optimizer = torch.optim.LBFGS([piece, slope], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        value = _loss(batch, piece, slope) + ridge * piece.square().sum()
        torch.autograd.backward(value)
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return PieceWeights(piece.detach().numpy())


@dataclass(frozen=True, slots=True)
class _Batch:
    """All lists, padded: `asked` (lists, n, d), `partners` (lists, texts, n), and what is no padding."""

    asked: Tensor
    partners: Tensor
    relevant: Tensor
    is_piece: Tensor
    is_text: Tensor


def _padded(lists: Sequence[Compared]) -> _Batch:
    return _Batch(
        nn.utils.rnn.pad_sequence([torch.from_numpy(one.asked) for one in lists], True),
        _both_ways([torch.from_numpy(one.partners) for one in lists]),
        nn.utils.rnn.pad_sequence([torch.from_numpy(one.relevant) for one in lists], True),
        nn.utils.rnn.pad_sequence([torch.ones(len(one.asked), dtype=torch.bool) for one in lists], True),
        nn.utils.rnn.pad_sequence([torch.ones(len(one.relevant), dtype=torch.bool) for one in lists], True),
    )


def _both_ways(matrices: Sequence[Tensor]) -> Tensor:
    rows, columns = (max(matrix.shape[side] for matrix in matrices) for side in (0, 1))
    padded = torch.zeros(len(matrices), rows, columns)
    for place, matrix in zip(padded, matrices, strict=True):
        place[: matrix.shape[0], : matrix.shape[1]] = matrix
    return padded


def _loss(batch: _Batch, piece: Tensor, slope: Tensor) -> Tensor:
    logs = (batch.asked @ piece).clamp(LIGHTEST, HEAVIEST).masked_fill(~batch.is_piece, -torch.inf)
    weights = logs.softmax(1)
    similarity = ((SHARPNESS * batch.partners).exp() @ weights.unsqueeze(-1)).squeeze(-1).log() / SHARPNESS
    shares = (slope * similarity).masked_fill(~batch.is_text, -torch.inf).log_softmax(1)
    return -shares.masked_fill(~batch.relevant, -torch.inf).logsumexp(1).mean()
