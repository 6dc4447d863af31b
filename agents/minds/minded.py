"""A step with two minds: a language model does it where there is one, and rules where there is none or it
fails.

Nobody falls back in silence: what comes out says who made it, and why not the model.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from agents.errors import ModelError
from agents.ports import LanguageModel

logger = logging.getLogger(__name__)

T = TypeVar("T")

RULES = "rules"
"""The name of the mind that is no model."""
WITHOUT_IT = "This was made without it, by rules."


@dataclass(frozen=True, slots=True)
class Minded(Generic[T]):
    """A value, the mind that made it ("rules", or the model's name), and why a model that was asked did not.

    `why_fallen_back` is one plain clause, such as "it did not answer"; "" if nothing failed.
    """

    value: T
    by: str = RULES
    why_fallen_back: str = ""


async def minded(
    model: LanguageModel | None,
    by_model: Callable[[LanguageModel], Awaitable[T]],
    by_rules: Callable[[], Awaitable[T]],
) -> Minded[T]:
    """The model's value, or that of the rules without a model or after its `ModelError`."""
    if model is None:
        return Minded(await by_rules())
    try:
        return Minded(await by_model(model), model.name)
    except ModelError as error:
        logger.warning("%s is replaced by rules: %s", model.name, error)
        why = error.clause
    return Minded(await by_rules(), RULES, why)


def fallback_note(where: str, why_fallen_back: str) -> str:
    """The sentence for the notes of an answer; "" if nothing failed. `where` names the work.

    A cause that is a whole sentence is the same for all the work, and is told without it: once.
    """
    if not why_fallen_back:
        return ""
    if why_fallen_back.endswith("."):
        return f"{why_fallen_back} {WITHOUT_IT}"
    return (
        f"The language model gave no usable answer in {where} ({why_fallen_back}); rules were used instead."
    )
