"""An object that a model writes whole and mends by its parts (TSAssistant, section 3.2)."""

from typing import Self

from pydantic import BaseModel


class Parts(BaseModel):
    """An object of parts; one that is left out stands as it was."""

    def over(self, before: Self) -> Self:
        """The parts given here over those that stood. A list of less than half as many entries is no part as
        a whole: a writer gave what changed in it alone.
        """
        given = ((name, value, getattr(before, name)) for name, value in self if value)
        whole = {
            name: value
            for name, value, old in given
            if not isinstance(value, list) or 2 * len(value) >= len(old)
        }
        return before.model_copy(update=whole)
