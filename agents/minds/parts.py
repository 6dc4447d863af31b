"""An object that a model writes whole and mends by its parts (TSAssistant, section 3.2)."""

from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from pydantic import BaseModel

from agents.counts import listed
from agents.errors import ModelAnswerInvalid
from agents.minds.minded import Minded, minded
from agents.minds.prompts import Composed
from agents.ports import LanguageModel

M = TypeVar("M", bound=BaseModel)


class Parts(BaseModel):
    """An object of parts; one that is left out stands as it was."""

    def over(self, before: Self) -> Self:
        """The parts given here over those that stood. A list of less than half as many entries is no part as
        a whole: a writer gave what changed in it alone, which takes the place of what has the same `id`.
        """
        given = ((name, value, getattr(before, name)) for name, value in self if value)
        return before.model_copy(update={name: _over(value, old) for name, value, old in given})


def _over(value: Any, old: Any) -> Any:
    if not isinstance(value, list) or 2 * len(value) >= len(old):
        return value
    new = {one.id: one for one in value if hasattr(one, "id")}
    return [*(new.pop(one.id, one) if new else one for one in old), *new.values()]


async def written(
    model: LanguageModel | None,
    prompt: Callable[[], Composed],
    told: str,
    schema: type[M],
    needed: Sequence[str] = (),
) -> Minded[M]:
    """What a model writes to a prompt that has all `needed` parts; an empty object without it or where it
    fails.
    """

    async def by_model(mind: LanguageModel) -> M:
        composed = prompt()
        answer = await mind.ask(composed.role, composed.system, composed.user(told), schema)
        if missing := [name for name in needed if not getattr(answer, name)]:
            raise ModelAnswerInvalid(f"{mind.name} left out {listed(missing)}.")
        return answer

    async def empty() -> M:
        return schema()

    return await minded(model, by_model, empty)
