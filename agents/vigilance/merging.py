"""The verdict on a class that has parts, from those on its parts (MALADE, section 5.1, footnote 3)."""

from collections.abc import Sequence
from dataclasses import replace

from agents.vigilance.values import CategoryVerdict, Effect, Frequency, Strength

OPPOSITE = {Effect.INCREASE, Effect.DECREASE}


def merged(category: str, parts: Sequence[CategoryVerdict]) -> CategoryVerdict:
    """The strongest label of the parts; no effect, and `opposed`, where parts speak for opposite ones.

    Raises `ValueError` for a class without parts.
    """
    read = [one for one in parts if one.covered] or list(parts)
    if not read:
        raise ValueError(f"{category} has no parts")
    drugs = tuple(drug for one in parts for drug in one.drugs)
    told = "; ".join(
        f"{one.category}: {one.effect.value if one.covered else 'no label read'}" for one in parts
    )
    notes = (f"Parts of the class: {told}.", *(note for one in parts for note in one.notes))
    effects = {one.effect for one in read}
    strongest = max(read, key=_rank)
    local = all(one.local for one in read)
    whole = replace(strongest, category=category, drugs=drugs, notes=notes, local=local)
    if not effects >= OPPOSITE:
        return whole
    reasons = tuple(reason for one in read if one.effect in OPPOSITE for reason in one.reasons[:2])
    doubt = min(one.confidence for one in read if one.effect in OPPOSITE)
    return replace(
        whole,
        effect=Effect.NO_EFFECT,
        confidence=round(1 - doubt, 4),
        p_harm=max(one.p_harm for one in read),
        p_benefit=max(one.p_benefit for one in read),
        opposed=True,
        strength=Strength.NONE,
        frequency=Frequency.NONE,
        reasons=reasons,
    )


def _rank(one: CategoryVerdict) -> tuple[int, float]:
    """Any effect before none, then the surer one; of two without effect the less sure one."""
    if one.effect is Effect.NO_EFFECT:
        return 0, -one.confidence
    return 1, one.confidence
