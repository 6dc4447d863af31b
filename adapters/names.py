"""What words name, as this house knows: molecules of the archive, genes of loaded files, classes of drugs."""

import logging
import re
from collections.abc import Collection, Iterable
from itertools import chain
from typing import TYPE_CHECKING

from agents.databases.identity import KNOWING
from agents.databases.ports import SAMPLE
from agents.kinds import Kinds, Named
from agents.late import loaded

if TYPE_CHECKING:
    from agents.databases.ports import Bulk
    from agents.house import House

logger = logging.getLogger(__name__)

SYMBOL = r"[A-Za-z][A-Za-z0-9-]{1,14}"
"""How symbols of genes look, in a message."""


class HouseNames:
    """Implements `bot.ports.Names` over the archive's registry, loaded files of genes, and the kinds."""

    def __init__(self, house: "House", kinds: Kinds) -> None:
        self._house = house
        self._classes = tuple(kind.drug_classes for kind in kinds if kind.drug_classes)

    async def named(self, text: str) -> Named:
        """See the port. What cannot be read is taken for not known."""
        classes = chain.from_iterable(loaded(one)() for one in self._classes)
        return Named(await self._molecules(text), await self._genes(text), plural_in(text, classes))

    async def _molecules(self, text: str) -> frozenset[str]:
        try:
            registry = await self._house.index.molecules()
        except Exception as error:  # an archive that is away hinders no routing
            logger.warning("the molecules of the archive cannot be read: %s", error)
            return frozenset()
        return named_in(text, [name for one in registry for name in (one.name, *one.aliases)])

    async def _genes(self, text: str) -> frozenset[str] | None:
        try:
            return await genes_in(text, self._house.reach.bulk)
        except Exception as error:  # nor does a file that cannot be read
            logger.warning("names of genes cannot be read: %s", error)
            return None


async def genes_in(text: str, bulk: "Bulk") -> frozenset[str] | None:
    """Words of a text by which a loaded file knows a gene, in small letters; None if none is loaded, or
    if the sample, which has few, knows none.
    """
    loaded = [found for one in KNOWING if (found := bulk.release(one.source))]
    sources, whole = [one.source for one in loaded], any(SAMPLE not in one.release for one in loaded)
    words = sorted(set(re.findall(rf"(?<![\w-]){SYMBOL}(?![\w-])", text)))
    known = [word for word in words if [row for source in sources for row in await bulk.rows(source, word)]]
    return frozenset(word.casefold() for word in known) if whole or known else None


def plural_in(text: str, classes: Iterable[str]) -> frozenset[str]:
    """Classes of drugs that a text names, in the singular or plural."""
    known: Collection[str] = [form for one in classes for form in (one, f"{one}s")]
    return named_in(text.replace("β", "beta"), known)


def named_in(text: str, names: Collection[str]) -> frozenset[str]:
    """Which of these names stand in a text as whole words, in small letters, whatever their case there."""
    said = text.casefold()
    found = (name.casefold() for name in names if name.casefold() in said)
    return frozenset(name for name in found if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said))
