"""Things under keys (P1, P2, ...) that a model may cite: listed as data, and found again by key."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from agents.data_block import data_block

T = TypeVar("T")


class Keyed(Mapping[str, T], Generic[T]):
    """Things by the keys that were given out for them, in their order."""

    def __init__(self, things: Iterable[T]) -> None:
        self._things = {f"P{number}": thing for number, thing in enumerate(things, 1)}

    def __getitem__(self, key: str) -> T:
        return self._things[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def listed(self, read: Callable[[T], str], **labels: Callable[[T], str]) -> str:
        """All of them as a model reads them: data blocks, each with its key and the labels given."""
        return "\n".join(
            data_block(read(thing), key=key, **{name: label(thing) for name, label in labels.items()})
            for key, thing in self._things.items()
        )

    def under(self, keys: Iterable[str]) -> tuple[T, ...]:
        """The things under these keys, in the order of the keys, none twice. Invented keys give none."""
        return tuple(self._things[key] for key in dict.fromkeys(keys) if key in self._things)
