"""What words name, from lists in memory."""

from collections.abc import Collection

from adapters.names import named_in
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
