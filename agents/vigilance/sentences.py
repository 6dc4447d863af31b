"""How a verdict, its scores and the definition of a class read as sentences."""

from collections.abc import Sequence

from agents.minds.minded import RULES
from agents.vigilance.reading.calibration import calibration
from agents.vigilance.values import (
    CategoryVerdict,
    DrugVerdict,
    Effect,
    FoundClass,
    Frequency,
    OutcomeVerdict,
    Strength,
)

SAYS = {
    Effect.INCREASE: "raises the risk of",
    Effect.DECREASE: "lowers the risk of",
    Effect.NO_EFFECT: "has no known effect on the risk of",
}
SPEAKS = {Effect.INCREASE: "for harm", Effect.DECREASE: "for benefit", Effect.NO_EFFECT: "against an effect"}
LISTED = 8
"""Effects that one line names."""
SURE = ((0.85, "high"), (0.65, "moderate"), (0.0, "low"))
"""Confidence in words, from so much on."""


def short(cells: Sequence[CategoryVerdict]) -> str:
    """The verdict in one line; of a table, what is raised and lowered most surely."""
    if len(cells) == 1:
        return headline(cells[0])
    effects = sorted(
        (one for one in cells if one.effect is not Effect.NO_EFFECT), key=lambda one: -one.confidence
    )
    if not effects:
        return "No label speaks for an effect."
    listed = "; ".join(f"{one.category}: {one.effect.value} of {one.outcome}" for one in effects[:LISTED])
    return f"{listed}{'; and others' if len(effects) > LISTED else ''}."


def headline(cell: CategoryVerdict) -> str:
    """A verdict as a sentence."""
    if not cell.covered:
        return f"No label of {cell.category} was read."
    says = f"{SAYS[cell.effect]} {cell.outcome}{_details(cell)}."
    if len(cell.drugs) != 1:
        return f"{cell.category}: the class {says}"
    (drug,) = (one.ingredient for one in cell.drugs)
    named = "" if drug.casefold() == cell.category.casefold() else f"{cell.category}: "
    return f"{named}{drug} {says}"


def _details(cell: OutcomeVerdict) -> str:
    """Strength and frequency, as far as there are any."""
    evidence = "" if cell.strength is Strength.NONE else f"{cell.strength.value} evidence"
    often = (
        "" if cell.frequency is Frequency.NONE or cell.effect is Effect.NO_EFFECT else cell.frequency.value
    )
    details = ", ".join(filter(None, (evidence, often)))
    return f" ({details})" if details else ""


def sure(confidence: float) -> str:
    """A confidence in words."""
    return next(word for least, word in SURE if confidence >= least)


def scores(cell: CategoryVerdict) -> str:
    """The scores of a verdict, and who gave them."""
    scale = f"rules; the scale of their probabilities was learnt on {calibration().learnt_on}"
    learnt = f"are calibrated on {cell.scale}" if cell.scale else "are not calibrated"
    by = scale if cell.by == RULES else f"the language model {cell.by}, whose numbers {learnt}"
    return (
        f"Confidence {cell.confidence:.2f}; probability that the risk is raised {cell.p_harm:.2f}, that it "
        f"is lowered {cell.p_benefit:.2f}. Judged by {by}."
    )


def definition(found: FoundClass) -> str:
    """A class's definition in words."""
    one = found.drug_class
    parts = (
        f"products of the class terms {', '.join(one.terms)}" if one.terms else "",
        f"the drugs {', '.join(one.drugs)}" if one.drugs else "",
        f"without {', '.join(one.without)}" if one.without else "",
    )
    return f"{'; '.join(filter(None, parts))}. Change it with “add …” or “without …”."


def clause(sentence: str) -> str:
    """A sentence as an aside."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def strength(drug: DrugVerdict) -> str:
    """How strong a drug's evidence is, and how frequent the effect, for a table."""
    if not drug.labels:
        return ""
    if not drug.extracts:
        return "not in the label"
    often = "" if drug.frequency is Frequency.NONE else f", {drug.frequency.value}"
    return f"{drug.strength.value}{often}"
