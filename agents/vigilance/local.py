"""What a class's verdict is worth whose only labels are those of drugs that are applied locally."""

from dataclasses import replace

from agents.vigilance.values import CategoryVerdict, Effect, FoundClass

UNKNOWN = 0.5
"""As sure of no effect as where no label was read."""


def doubted_where_local(cell: CategoryVerdict, found: FoundClass) -> CategoryVerdict:
    """The verdict, marked `local` where only drugs that act where they are applied were read and the class
    has others. The silence of their labels on an outcome is no evidence that the class has no effect.
    """
    read = {one.ingredient for one in cell.drugs if one.labels}
    local = {one.ingredient.name for one in found.candidates if one.ingredient.local}
    if not read or not read <= local or len(local) == len(found.candidates):
        return cell
    sure = min(cell.confidence, UNKNOWN) if cell.effect is Effect.NO_EFFECT else cell.confidence
    return replace(cell, local=True, confidence=sure)
