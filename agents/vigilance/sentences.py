"""How a verdict, its scores and the definition of a class read as sentences."""

import re
from collections.abc import Sequence

from agents.minds.minded import RULES
from agents.vigilance.reading.calibration import calibration
from agents.vigilance.records import section_title
from agents.vigilance.values import (
    CategoryVerdict,
    DrugVerdict,
    Effect,
    Extract,
    FoundClass,
    Frequency,
    Incidence,
    OutcomeVerdict,
    Strength,
)

SAYS = {
    Effect.INCREASE: "raises the risk of",
    Effect.DECREASE: "lowers the risk of",
    Effect.NO_EFFECT: "has no known effect on the risk of",
}
SPEAKS = {Effect.INCREASE: "for harm", Effect.DECREASE: "for benefit", Effect.NO_EFFECT: "against an effect"}
WEIGHED = {
    Effect.INCREASE: "the class raises it",
    Effect.DECREASE: "the class lowers it",
    Effect.NO_EFFECT: "the class as a whole has no effect",
}
"""What the labels of drugs that differ say together."""
OFTEN = {
    Frequency.NONE: "",
    Frequency.RARE: "uncommon or rare",
    Frequency.COMMON: "common or very common",
}
LISTED = 8
"""Effects that one line names."""
MARKED = {"boxed": "boxed warning", "contraindicat": "contraindication"}
"""What a passage is beside its section, by the words of a section that says so itself."""
PERCENT = re.compile(r"%|per ?cent")
SURE = ((0.85, "high"), (0.65, "moderate"), (0.0, "low"))
"""Confidence in words, from so much on."""


def short(cells: Sequence[CategoryVerdict]) -> str:
    """The verdict in one line; of a table, what is raised and lowered by the strongest evidence."""
    if len(cells) == 1:
        return headline(cells[0])
    effects = sorted(
        (one for one in cells if one.effect is not Effect.NO_EFFECT or one.opposed or one.divided),
        key=_weight,
        reverse=True,
    )
    if not effects:
        return "No label speaks for an effect."
    listed = "; ".join(
        f"{one.category}: {effect(one)} {one.outcome}{_divided(one)}" for one in effects[:LISTED]
    )
    return f"{listed}{'; and others' if len(effects) > LISTED else ''}."


def _weight(cell: CategoryVerdict) -> tuple[int, bool, bool, float]:
    """What a table's line names first: strong evidence before weak, of that what a boxed warning says, then
    what is common, then what is surest.
    """
    boxed = any(one.boxed and one.effect is cell.effect for drug in cell.drugs for one in drug.extracts)
    common = cell.frequency is Frequency.COMMON
    return list(Strength).index(cell.strength), boxed, common, cell.confidence


def effect(cell: CategoryVerdict) -> str:
    """The effect as the beginning of a phrase that the outcome ends."""
    if cell.opposed or (cell.divided and cell.effect is Effect.NO_EFFECT):
        return "opposite effects on"
    return f"{cell.effect.value} of"


def _divided(cell: CategoryVerdict) -> str:
    return " (its drugs differ)" if cell.divided and cell.effect is not Effect.NO_EFFECT else ""


def headline(cell: CategoryVerdict) -> str:
    """A verdict as a sentence."""
    if not cell.covered:
        return f"No label of {cell.category} was read."
    if cell.opposed:
        return f"{cell.category}: {_opposed(cell)}"
    if cell.divided:
        together = f"By the weight of their labels {WEIGHED[cell.effect]}{_details(cell)}."
        return f"{cell.category}: {_opposed(cell)} {together}"
    says = f"{SAYS[cell.effect]} {cell.outcome}{_details(cell)}.{_alone(cell)}{_one_of_several(cell)}"
    if len(cell.drugs) != 1:
        return f"{cell.category}: the class {says}"
    (drug,) = (one.ingredient for one in cell.drugs)
    named = "" if drug.casefold() == cell.category.casefold() else f"{cell.category}: "
    return f"{named}{drug} {says}"


def _opposed(cell: CategoryVerdict) -> str:
    """That drugs of a class have opposite effects, and which."""
    more, less = (
        " and ".join(one.ingredient for one in cell.drugs if one.effect is way)
        for way in (Effect.INCREASE, Effect.DECREASE)
    )
    which = f": it is raised by {more} and lowered by {less}" if more and less else ""
    return f"drugs of the class have opposite effects on the risk of {cell.outcome}{which}."


def _alone(cell: CategoryVerdict) -> str:
    """That only what is applied locally stands for a class, as a sentence of its own; "" for others."""
    if not cell.local:
        return ""
    read = " and ".join(one.ingredient for one in cell.drugs if one.labels)
    return (
        f" For the class stands only what is applied locally ({read}): this says little of drugs that act "
        "in the whole body."
    )


def _one_of_several(cell: CategoryVerdict) -> str:
    """That one drug was read for a class, as a sentence of its own; "" for a drug that was asked for."""
    read = [one.ingredient for one in cell.drugs if one.labels]
    alone = len(read) == 1 and read[0].casefold() != cell.category.casefold() and not cell.local
    return " Of the class this label alone was read: that says nothing of its other drugs." if alone else ""


def _details(cell: OutcomeVerdict) -> str:
    """Strength and frequency, as far as there are any."""
    evidence = "" if cell.strength is Strength.NONE else f"{cell.strength.value} evidence"
    often = "" if cell.effect is Effect.NO_EFFECT else OFTEN[cell.frequency]
    details = ", ".join(filter(None, (evidence, often)))
    return f" ({details})" if details else ""


def sure(confidence: float) -> str:
    """A confidence in words."""
    return next(word for least, word in SURE if confidence >= least)


def scores(cell: CategoryVerdict) -> str:
    """The scores of a verdict, and who gave them; "" where no label was read. Those of a class that only
    locally applied drugs stand for are no probabilities of what it does in the whole body.
    """
    if not cell.covered:
        return ""
    scale = f"rules; the scale of their probabilities was learnt on {calibration().learnt_on}"
    by = scale if cell.by == RULES else f"the language model {cell.by}, whose numbers are not calibrated"
    if cell.opposed:
        return (
            f"Probability that drugs of the class raise the risk {cell.p_harm:.2f}, that others lower it "
            f"{cell.p_benefit:.2f}; as a whole the class counts as without effect. Judged by {by}."
        )
    if cell.local and cell.effect is Effect.NO_EFFECT:
        return f"Confidence {cell.confidence:.2f}, as where nothing was read. Judged by {by}."
    return (
        f"Confidence {sure(cell.confidence)} ({cell.confidence:.2f}); probability that the risk is raised "
        f"{cell.p_harm:.2f}, that it is lowered {cell.p_benefit:.2f}. Judged by {by}."
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


def section_of(one: Extract) -> str:
    """Where a passage stands, and whether it is a boxed warning or a contraindication where its section's
    name does not tell.
    """
    title = section_title(one.passage.section)
    marks = [mark for mark, is_so in (("boxed", one.boxed), ("contraindicat", one.contraindication)) if is_so]
    told = [MARKED[mark] for mark in marks if mark not in title.casefold()]
    return f"{title} ({', '.join(told)})" if told else title


def figures(one: Incidence) -> str:
    """How often it was seen, as the label states it: of how many patients, in per cent, on the control."""
    if not PERCENT.search(one.quote):
        return f"{one.n} of {one.of}" if one.n is not None and one.of else " ".join(one.quote.split())
    counted = f" ({one.n} of {one.of})" if one.n is not None and one.of else ""
    control = "" if one.control is None else f", control {one.control:g}%"
    return f"{'<' if one.below else ''}{one.percent:g}%{counted}{control}"


def strength(drug: DrugVerdict) -> str:
    """How strong a drug's evidence is, and how frequent the effect, for a table."""
    if not drug.labels:
        return ""
    if not drug.extracts:
        return "not in the label"
    return ", ".join(filter(None, (drug.strength.value, OFTEN[drug.frequency])))
