"""What words name, from lists in memory."""

import re
from collections.abc import Collection

from agents.kinds import Named


class MemoryNames:
    """Implements `bot.ports.Names`: words of a message that stand in these lists, whatever their case.

    `genes` None means that no list of genes is at hand.
    """

    def __init__(
        self,
        molecules: Collection[str] = (),
        genes: Collection[str] | None = None,
        classes: Collection[str] = (),
    ) -> None:
        self._molecules, self._genes, self._classes = molecules, genes, classes

    async def named(self, text: str) -> Named:
        """See the port."""
        genes = None if self._genes is None else named_in(text, self._genes)
        return Named(named_in(text, self._molecules), genes, named_in(text, self._classes))


def named_in(text: str, names: Collection[str]) -> frozenset[str]:
    """Which of these names stand in a text as whole words, in small letters, whatever their case there."""
    said = text.casefold()
    found = (name.casefold() for name in names if name.casefold() in said)
    return frozenset(name for name in found if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said))
