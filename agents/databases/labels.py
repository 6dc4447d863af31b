"""Drug labels by ingredient and section, whatever files they were loaded from.

    passages = await labels.passages(("warfarin", "warfarin sodium", "coumadin"))
    found = await labels.search(("warfarin",), "gastrointestinal bleeding", limit=8)

A label is asked for by all the names under which it may run, so that nobody here has to know which name is a
salt or a brand of which. Implementations: `MemoryLabels`, `agents.databases.label_store`.
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from retrieval.text.stems import stem

WORD = re.compile(r"[a-z0-9]+")
EMPTY = frozenset("a an and by for from in is it of on or the to with was were has have been be".split())  # noqa: SIM905
"""Words of a query that tell nothing of what is looked for."""
K1, B = 1.2, 0.75
"""The usual constants of BM25."""


@dataclass(frozen=True, slots=True)
class LabelPassage:
    """A verbatim passage of one label.

    `id` depends on the label's version and the place alone. `title` is the label's name ("LISINOPRIL"),
    `section` openFDA's name of the section ("adverse_reactions"), `set_id` and `effective` (ISO 8601) name
    the version and are "" where the file does not tell them. `ingredients` are the active substances as the
    label names them; `source` says whose data it is ("openFDA drug labels"), `release` in which state where
    no version does.
    """

    id: str
    title: str
    section: str
    text: str
    set_id: str = ""
    effective: str = ""
    ingredients: tuple[str, ...] = ()
    source: str = ""
    release: str = ""


class Labels(Protocol):
    """Drug labels, section by section. Contract: `tests/agents/databases/test_labels.py`."""

    async def passages(self, names: Sequence[str]) -> tuple[LabelPassage, ...]:
        """The passages of the drug's labels in the labels' order.

        Several versions of a label count once, the newest; so do labels with the same text. None for a drug
        without a label. Raises `ToolFailed` if the labels cannot be read.
        """

    async def known(self, names: Sequence[str]) -> bool:
        """Whether there may be a label of the drug: one is loaded, or openFDA can be asked."""

    async def search(
        self, names: Sequence[str], query: str, limit: int = 10, sections: Sequence[str] = ()
    ) -> tuple[LabelPassage, ...]:
        """The passages of the drug's labels that answer a query best, best first; of these sections, or of
        all. Without names all labels that are loaded are searched. Raises `ToolFailed` as `passages`.
        """


class MemoryLabels:
    """`Labels` over passages that were given. A passage belongs to the names in `ingredients` and `title`."""

    def __init__(self, passages: Iterable[LabelPassage] = ()) -> None:
        self._passages = tuple(passages)

    async def passages(self, names: Sequence[str]) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        wanted = {name.casefold() for name in names}
        return tuple(
            one
            for one in self._passages
            if wanted & {name.casefold() for name in (*one.ingredients, one.title)}
        )

    async def known(self, names: Sequence[str]) -> bool:
        """See `Labels`."""
        return bool(await self.passages(names))

    async def search(
        self, names: Sequence[str], query: str, limit: int = 10, sections: Sequence[str] = ()
    ) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        own = await self.passages(names) if names else self._passages
        return ranked(own, query, sections)[:limit]


class AskedOnce:
    """`Labels` that asks others once for each drug, also when many ask at the same time: for one run."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._asked: dict[tuple[str, ...], asyncio.Task[tuple[LabelPassage, ...]]] = {}

    async def passages(self, names: Sequence[str]) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        key = tuple(names)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(self._labels.passages(key))
        return await asyncio.shield(self._asked[key])

    async def known(self, names: Sequence[str]) -> bool:
        """See `Labels`."""
        return await self._labels.known(names)

    async def search(
        self, names: Sequence[str], query: str, limit: int = 10, sections: Sequence[str] = ()
    ) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        return await self._labels.search(names, query, limit, sections)


def ranked(
    passages: Sequence[LabelPassage], query: str, sections: Sequence[str] = ()
) -> tuple[LabelPassage, ...]:
    """The passages that share words with a query, of these sections or of all, best first (BM25 over these
    passages alone).
    """
    passages = [one for one in passages if not sections or one.section in sections]
    wanted = dict.fromkeys(stem(word) for word in WORD.findall(query.lower()) if word not in EMPTY)
    words = [_bag(one.section, one.text) for one in passages]
    lengths = [sum(each.values()) for each in words]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    holding = {word: sum(word in each for each in words) for word in wanted}

    def score(place: int) -> float:
        total = 0.0
        for word in wanted:
            if often := words[place][word]:
                rare = math.log(1 + (len(words) - holding[word] + 0.5) / (holding[word] + 0.5))
                total += rare * often * (K1 + 1) / (often + K1 * (1 - B + B * lengths[place] / mean))
        return total

    scored = [(score(place), place) for place in range(len(passages))]
    return tuple(
        passages[place] for value, place in sorted(scored, key=lambda one: (-one[0], one[1])) if value
    )


@lru_cache(maxsize=20_000)
def _bag(section: str, text: str) -> Counter[str]:
    """The stems of a passage with how often each occurs; not to be changed."""
    words = WORD.findall(f"{section.replace('_', ' ')} {text}".lower())
    return Counter(map(stem, words))
