"""From passages to extracts: which effect a sentence speaks for, and how much it counts.

weight = section x rank of the term x wording. Nothing is decided from one drug's or one outcome's name.
"""

from collections.abc import Iterable

from agents.databases.labels import LabelPassage
from agents.vigilance.reading.incidence import incidence_of
from agents.vigilance.reading.mentions import Mention, mentions, quote_of
from agents.vigilance.reading.often import often_of
from agents.vigilance.reading.sections import SectionWeight, weight_of
from agents.vigilance.reading.wording import Said, said_of
from agents.vigilance.values import Effect, Extract, Outcome

CAUSE, REPORTED, LISTED = 1.0, 0.8, 0.65
"""How much wording of cause counts, a report, and a mere mention in a list."""
ANIMAL, WITHDRAWAL, INDIRECT = 0.1, 0.6, 0.6
CONDITION = 0.08
"""A mention as the patients' illness says next to nothing of what the drug does."""
PREVENTS, TREATS = 1.0, 0.8
WARNING = frozenset({"boxed", "warning", "precaution", "adverse"})


def extracts_of(passages: Iterable[LabelPassage], outcome: Outcome) -> list[Extract]:
    """The extracts on one outcome, those that count most first; each quote once."""
    found: dict[tuple[str, str, Effect], Extract] = {}
    for passage in passages:
        for mention in mentions(passage.text, outcome):
            one = _extract(passage, mention)
            key = (passage.title, one.quote, one.effect)
            if key not in found or found[key].weight < one.weight:
                found[key] = one
    return sorted(found.values(), key=lambda one: (-one.weight, one.passage.id, one.quote))


def _extract(passage: LabelPassage, mention: Mention) -> Extract:
    text = passage.text
    sentence = text[mention.first : mention.last]
    said = said_of(sentence, mention.start - mention.first, mention.end - mention.first)
    section = weight_of(passage.section)
    incidence = incidence_of(text, mention.start, mention.end, mention.last)
    effect = _effect(said, section)
    return Extract(
        passage,
        quote_of(text, mention),
        text[mention.start : mention.end],
        effect,
        round(min(1.0, mention.rank * _weight(effect, said, section)), 4),
        incidence,
        boxed=section.kind == "boxed",
        contraindication=section.kind == "contraindication",
        often=often_of(text, mention.first, mention.start, incidence),
    )


def _effect(said: Said, section: SectionWeight) -> Effect:
    """The effect that a mention speaks for.

    A decrease is believed outside of warnings, where "to reduce the risk of X" is advice against the drug's
    own harm.
    """
    if "decreased" in said and "negated" not in said and section.kind not in WARNING:
        return Effect.DECREASE
    if section.kind == "indication":
        return Effect.NO_EFFECT if "negated" in said or "treated" not in said else Effect.DECREASE
    return Effect.NO_EFFECT if "negated" in said and "unlike" not in said else Effect.INCREASE


def _weight(effect: Effect, said: Said, section: SectionWeight) -> float:
    if effect is Effect.DECREASE:
        prevents = PREVENTS if "decreased" in said else TREATS
        return section.benefit * prevents
    weight = section.harm * _wording_weight(said)
    if "settings" in said and effect is Effect.INCREASE:
        weight *= CONDITION
    elif "condition" in said and effect is Effect.INCREASE:
        weight *= CONDITION if "cause" not in said else 4 * CONDITION
    elif section.kind not in WARNING and _treats(said):
        weight *= CONDITION
    return weight


def _treats(said: Said) -> bool:
    """Whether a mention is what the drug is used for, and nothing is said to cause it."""
    return "treated" in said and "cause" not in said and "reported" not in said


def _wording_weight(said: Said) -> float:
    """How much the wording counts: cause, report or a mere mention; less what weakens it."""
    weight = CAUSE if "cause" in said else REPORTED if "reported" in said else LISTED
    for cue, factor in (("animals", ANIMAL), ("withdrawal", WITHDRAWAL), ("indirect", INDIRECT)):
        if cue in said:
            weight *= factor
    return weight
