"""From passages to extracts: which effect a sentence speaks for, and how much it counts.

weight = section x rank of the term x wording. Nothing is decided from one drug's or one outcome's name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.databases.labels import LabelPassage
from agents.text.polarity import DENIAL
from agents.vigilance.reading.illness import done_by_another
from agents.vigilance.reading.incidence import CONTROL_ARM, incidence_of
from agents.vigilance.reading.mentions import Mention, mentions, quote_of
from agents.vigilance.reading.often import often_of
from agents.vigilance.reading.sections import SectionWeight, weight_of
from agents.vigilance.reading.wording import Said, said_of
from agents.vigilance.values import Effect, Extract, Incidence, Outcome

CAUSE, REPORTED, LISTED, CAREFUL = 1.0, 0.8, 0.65, 0.55
"""How much wording of cause counts, a report, a mere mention in a list, and advice to watch for it."""
DOUBT, RARE, ANIMAL, NEWBORN, WITHDRAWAL, CLASS, TOGETHER = 0.6, 0.9, 0.1, 0.4, 0.6, 0.85, 0.5
CONDITION = 0.08
"""A mention as the patients' illness says next to nothing of what the drug does."""
PREVENTS, TREATS = 1.0, 0.8
ABOVE, BELOW = 1.25, 0.4
"""Where a trial saw it more often, or not more often, than on the control."""
SIGNIFICANT = re.compile(
    r"\bp\s*(?:[=<≤]\s*0?\.0[0-4]\d*|[<≤=]\s*0?\.05\b)(?! for non)"
    r"|\bsignificantly (?:lower|fewer|less|reduc|decreas)"
    r"|\b(?:difference|reduction|decrease)\b[^.;]{0,40}\bsignificant",
    re.I,
)
INSIGNIFICANT = re.compile(
    rf"\b(?:{DENIAL}|non)\b[^.;]{{0,40}}\bsignificant|\binsignificant|\binferior", re.I
)
"""How a trial says that a difference is more than chance, and that it is not."""
WARNING = frozenset({"boxed", "warning", "precaution", "adverse"})
ADVERSE = WARNING | {"medguide", "medication_guide", "patient"}


@dataclass(frozen=True, slots=True)
class Switches:
    """What reading may use; an ablation turns one off."""

    assertion: bool = True
    sections: bool = True
    causality: bool = True
    benefit: bool = True
    narrower: bool = True
    incidence: bool = True


ALL_ON = Switches()


def extracts_of(
    passages: Iterable[LabelPassage], outcome: Outcome, switches: Switches = ALL_ON, drug: str = ""
) -> list[Extract]:
    """The extracts on one outcome, those that count most first; each quote once. `drug` is the name of the
    labels' drug, where they may not tell it.
    """
    asked = outcome if switches.narrower else Outcome(outcome.name, outcome.terms, (), outcome.asked)
    found: dict[tuple[str, str, Effect], Extract] = {}
    label = tuple(passages)
    for passage in label:
        for mention in mentions(passage.text, asked):
            one = _extract(passage, mention, switches, label, drug)
            key = (passage.title, one.quote, one.effect)
            if key not in found or found[key].weight < one.weight:
                found[key] = one
    return sorted(found.values(), key=lambda one: (-one.weight, one.passage.id, one.quote))


def _extract(
    passage: LabelPassage, mention: Mention, switches: Switches, label: Sequence[LabelPassage], drug: str
) -> Extract:
    text = passage.text
    sentence = text[mention.first : mention.last]
    said = said_of(sentence, mention.start - mention.first, mention.end - mention.first)
    section = weight_of(passage.section) if switches.sections else SectionWeight("other", 0.75, 0.75)
    incidence = incidence_of(text, mention.start, mention.end, mention.last)
    effect = _effect(said, section) if switches.assertion else Effect.INCREASE
    if switches.assertion and switches.incidence and section.kind == "clinical_studies":
        effect = _fewer(effect, incidence, sentence)
    if effect is Effect.DECREASE and not switches.benefit:
        effect = Effect.NO_EFFECT
    weight = mention.rank * _weight(effect, said, section, incidence, switches)
    if switches.assertion and effect is Effect.INCREASE and done_by_another(passage, mention, label, drug):
        weight *= CONDITION
    return Extract(
        passage,
        quote_of(text, mention),
        text[mention.start : mention.end],
        effect,
        round(min(1.0, weight), 4),
        _wording(said, effect),
        incidence,
        boxed=section.kind == "boxed",
        contraindication=section.kind == "contraindication" or "contraindicated" in said,
        indication=effect is Effect.DECREASE,
        class_wide="class_wide" in said,
        negated="negated" in said and "unlike" not in said,
        doubted="doubt" in said,
        often=often_of(text, mention.first, mention.start, incidence),
    )


def _effect(said: Said, section: SectionWeight) -> Effect:
    """The effect that a mention speaks for.

    A decrease is believed where a label shows benefit; elsewhere "to reduce the risk of X" is advice against
    the drug's own harm. Less of it than with another drug is no benefit, nor is what a trial did not show.
    """
    beside = "worsened_by_less" in said or "than_another" in said
    if "decreased" in said and "unproven" in said:
        return Effect.NO_EFFECT
    if "decreased" in said and not beside and "negated" not in said:
        shows = section.kind in (
            "indication",
            "clinical_studies",
            "mechanism",
            "pharmacodynamic",
            "pharmacology",
        )
        if shows or "careful" not in said:
            return Effect.DECREASE
    if section.kind == "indication" and "than_another" not in said:
        return Effect.NO_EFFECT if "negated" in said or "treated" not in said else Effect.DECREASE
    if "negated" in said and "unlike" not in said:
        return Effect.NO_EFFECT
    return Effect.INCREASE


def _fewer(effect: Effect, incidence: Incidence | None, sentence: str) -> Effect:
    """The effect in a trial that looked for it: fewer cases than on placebo or no treatment are no harm, and
    a benefit where the difference is more than chance.
    """
    if effect is not Effect.INCREASE or incidence is None or incidence.control is None:
        return effect
    if incidence.percent >= incidence.control or not CONTROL_ARM.search(sentence):
        return effect
    significant = SIGNIFICANT.search(sentence) and not INSIGNIFICANT.search(sentence)
    return Effect.DECREASE if significant else Effect.NO_EFFECT


def _weight(
    effect: Effect, said: Said, section: SectionWeight, incidence: Incidence | None, switches: Switches
) -> float:
    if effect is Effect.DECREASE:
        prevents = PREVENTS if "decreased" in said else TREATS
        return section.benefit * prevents * (ANIMAL if "animals" in said else 1.0)
    weight = section.harm * (_wording_weight(said) if switches.causality else REPORTED)
    if "together" in said and section.kind == "interaction":
        weight *= TOGETHER
    if switches.assertion and "settings" in said and effect is Effect.INCREASE:
        weight *= CONDITION
    elif switches.assertion and "condition" in said and effect is Effect.INCREASE:
        weight *= CONDITION if "cause" not in said or section.kind not in ADVERSE else 4 * CONDITION
    elif (section.kind not in ADVERSE and "than_another" in said and "decreased" in said) or (
        switches.assertion and section.kind not in WARNING and _treats(said)
    ):
        weight *= CONDITION
    if switches.incidence and incidence and incidence.control is not None:
        weight *= ABOVE if incidence.percent > incidence.control else BELOW
    return weight


def _treats(said: Said) -> bool:
    """Whether a mention is what the drug is used for, and nothing is said to cause it."""
    return "treated" in said and "cause" not in said and "reported" not in said


def _wording_weight(said: Said) -> float:
    """How much the wording counts: cause, report, advice or a mere mention; less what weakens it."""
    if "cause" in said:
        weight = CAUSE
    elif "reported" in said:
        weight = REPORTED
    else:
        weight = CAREFUL if "careful" in said else LISTED
    for cue, factor in (
        ("doubt", DOUBT),
        ("rare", RARE),
        ("animals", ANIMAL),
        ("newborns", NEWBORN),
        ("withdrawal", WITHDRAWAL),
        ("class_wide", CLASS),
    ):
        if cue in said:
            weight *= factor
    return weight


def _wording(said: Said, effect: Effect) -> str:
    """The words of cause, doubt or benefit that the sentence uses."""
    if effect is Effect.DECREASE:
        return said["decreased"] or said["treated"]
    if effect is Effect.NO_EFFECT:
        return said["negated"]
    return said["doubt"] or said["cause"] or said["reported"]
