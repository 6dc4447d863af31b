"""Learning what numbers are worth: the rules' weights of evidence, and a language model's own confidences."""

from collections.abc import Sequence

from agents.errors import WrongFile
from agents.vigilance.evaluate.figures import Cell, f1
from agents.vigilance.evaluate.gold import Gold
from agents.vigilance.evaluate.judge import RuleJudge
from agents.vigilance.learning import scikit_learn
from agents.vigilance.reading.calibration import Calibration, Scale
from agents.vigilance.reading.drug import Evidence
from agents.vigilance.reading.model_scales import NUMBERS, ModelScales, log_odds
from agents.vigilance.values import Effect

FEWEST = 5
"""So many positives and negatives a scale needs."""
CUTS = tuple(place / 20 for place in range(4, 17))


async def learn_calibration(gold: Sequence[Gold], judge: RuleJudge, learnt_on: str) -> Calibration:
    """The scales of harm and benefit from cells of single drugs with a label.

    Raises:
        WrongFile: if fewer than five such cells are positive or negative.
    """
    rows: list[tuple[Evidence, Effect]] = []
    for one in gold:
        evidence = await judge.evidence(one.category, one.outcome)
        if one.effect is not None and len(evidence) == 1:
            rows.append((evidence[0], one.effect))
    harm = _scale([one.harm for one, _ in rows], [effect is Effect.INCREASE for _, effect in rows])
    benefit = _scale([one.benefit for one, _ in rows], [effect is Effect.DECREASE for _, effect in rows])
    return Calibration(harm, benefit, f"{learnt_on}: {len(rows)} drugs with outcomes")


def learn_model_scales(cells: Sequence[Cell], model: str, learnt_on: str) -> ModelScales:
    """The scales of a model's confidence (is the label right?), and of its probabilities of harm and benefit.

    Learnt from the covered cells that this model judged. A number that was right or wrong fewer than five
    times stays as the model says it. Raises `WrongFile` where that leaves nothing to learn.
    """
    judged = [one for one in cells if one.verdict.covered and one.verdict.by == model]
    came_true = {
        "confidence": [one.gold is one.verdict.effect for one in judged],
        "p_harm": [one.gold is Effect.INCREASE for one in judged],
        "p_benefit": [one.gold is Effect.DECREASE for one in judged],
    }
    learnt = {
        name: _line([log_odds(getattr(one.verdict, name)) for one in judged], came_true[name])
        for name in NUMBERS
        if enough(came_true[name])
    }
    if not learnt:
        raise WrongFile(
            f"A model's scale needs at least {FEWEST} cells that it judged where a number came true and "
            f"{FEWEST} where not; {len(judged)} cells were judged by {model}."
        )
    left = [name for name in NUMBERS if name not in learnt]
    but = f"; {', '.join(left)} as the model said" if left else ""
    return ModelScales(model, f"{learnt_on}: {len(judged)} classes with outcomes{but}", **learnt)


def enough(came_true: Sequence[bool]) -> bool:
    """Whether a scale can be learnt."""
    return min(sum(came_true), len(came_true) - sum(came_true)) >= FEWEST


def _line(evidence: Sequence[float], positive: Sequence[bool]) -> Scale:
    """Platt's scale over log odds. Of a number that tells nothing, or the reverse, only the share is left."""
    model = (
        scikit_learn("linear_model")
        .LogisticRegression(C=1.0)
        .fit([[one] for one in evidence], list(positive))
    )
    slope, bias = float(model.coef_[0][0]), float(model.intercept_[0])
    if slope <= 0:
        slope, bias = 0.0, log_odds(sum(positive) / len(positive))
    return Scale(round(slope, 4), round(bias, 4), 0.5)


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


def _fitted(evidence: Sequence[float], positive: Sequence[bool], penalty: float) -> tuple[float, float]:
    """Slope and bias of a logistic regression; `penalty` is scikit-learn's C."""
    regression = scikit_learn("linear_model").LogisticRegression(C=penalty)
    model = regression.fit([[one] for one in evidence], list(positive))
    return float(model.coef_[0][0]), float(model.intercept_[0])
