"""Learning what the rules' weights of evidence are worth."""

from collections.abc import Sequence

from agents.errors import WrongFile
from agents.vigilance.evaluate.figures import f1
from agents.vigilance.evaluate.gold import Gold
from agents.vigilance.evaluate.judge import Passages
from agents.vigilance.learning import scikit_learn
from agents.vigilance.reading.calibration import Calibration, Scale
from agents.vigilance.reading.drug import Evidence
from agents.vigilance.values import Effect

FEWEST = 5
"""So many positives and negatives a scale needs."""
CUTS = tuple(place / 20 for place in range(4, 17))


async def learn_calibration(gold: Sequence[Gold], passages: Passages, learnt_on: str) -> Calibration:
    """The scales of harm and benefit from cells of single drugs with a label.

    Raises:
        WrongFile: if fewer than five such cells are positive or negative.
    """
    rows: list[tuple[Evidence, Effect]] = []
    for one in gold:
        evidence = await passages.evidence(one.category, one.outcome)
        if one.effect is not None and len(evidence) == 1:
            rows.append((evidence[0], one.effect))
    harm = _scale([one.harm for one, _ in rows], [effect is Effect.INCREASE for _, effect in rows])
    benefit = _scale([one.benefit for one, _ in rows], [effect is Effect.DECREASE for _, effect in rows])
    return Calibration(harm, benefit, f"{learnt_on}: {len(rows)} drugs with outcomes")


def enough(came_true: Sequence[bool]) -> bool:
    """Whether a scale can be learnt."""
    return min(sum(came_true), len(came_true) - sum(came_true)) >= FEWEST


def _scale(evidence: Sequence[float], positive: Sequence[bool]) -> Scale:
    """Platt's scale, and the probability from which a claim gives the best F1."""
    if not enough(positive):
        raise WrongFile(
            f"A scale needs at least {FEWEST} covered drugs with the effect and {FEWEST} without."
        )
    model = (
        scikit_learn("linear_model")
        .LogisticRegression(C=10.0)
        .fit([[one] for one in evidence], list(positive))
    )
    scale = Scale(round(float(model.coef_[0][0]), 4), round(float(model.intercept_[0]), 4), 0.5)
    probabilities = [scale.probability(one) for one in evidence]
    cut = max(
        CUTS, key=lambda cut: (f1(positive, [one >= cut for one in probabilities]) or 0.0, -abs(cut - 0.5))
    )
    return Scale(scale.slope, scale.bias, cut)
