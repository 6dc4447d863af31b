"""How many entries become visible at once: the state of the index, one entry that is replaced as a whole.

Elasticsearch writes entries one by one, so a transaction of many entries is made of one:

1. A writer enters its transaction in the state, as the only writer, for a short time that it keeps renewing.
   From then on searches leave out whatever that transaction writes.
2. Every put of a document is a new *version* with entries of its own; nothing is changed in place.
3. The commit replaces the state: the transaction is no longer left out, the versions that it replaced are.
   What was replaced is deleted afterwards, and taken off the state.

A writer that is killed leaves entries that no search shows; the next writer deletes them. A search uses the
state it knows and asks for the state again *after* it has searched, in the same round trip. If that is
another one, it searches again. So what is shown always belongs to one complete state.
"""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

LATE = 3600.0
"""Seconds after which nothing more can arrive from a writer that was taken for dead."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What searches leave out: transactions that are not complete, and versions that were replaced."""

    transactions: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Holder:
    """The one who writes: its transaction, who it is for people, and until when it holds the index.

    `until` is in seconds since 1970; clocks of writers may differ by some seconds.
    """

    transaction: str
    owner: str
    until: float


@dataclass(frozen=True, slots=True)
class State:
    """The state of the index.

    `pending` are transactions that were begun and not completed, with the time they were begun. `replaced`
    are versions that are no longer valid and not deleted yet. `mark` is another one whenever something
    happened to either: two states with the same mark show the same.
    """

    encoder: str
    holder: Holder | None = None
    pending: dict[str, float] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    mark: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def hidden(self) -> Hidden:
        """What searches leave out."""
        return Hidden(tuple(self.pending), self.replaced)

    def begun(self, holder: Holder, now: float) -> "State":
        """With a writer, and its transaction hidden."""
        return self._changed(self.pending | {holder.transaction: now}, self.replaced, holder)

    def renewed(self, until: float) -> "State":
        """With the writer holding it for longer."""
        return replace(self, holder=replace(self.holder, until=until)) if self.holder else self

    def complete(self, transaction: str, replaced: tuple[str, ...]) -> "State":
        """With the transaction shown, and what it replaced hidden instead."""
        return self._changed(self._without(transaction), self.replaced + replaced, self.holder)

    def swept(self, now: float) -> "State":
        """After all that is hidden was deleted. A transaction that may still be written to stays hidden."""
        held = self.holder.transaction if self.holder else ""
        pending = {name: since for name, since in self.pending.items() if name == held or now - since < LATE}
        return self._changed(pending, (), self.holder)

    def aborted(self, transaction: str) -> "State":
        """After all that the transaction wrote was deleted."""
        return self._changed(self._without(transaction), self.replaced, self.holder)

    def released(self) -> "State":
        """Without a writer."""
        return replace(self, holder=None)

    def _without(self, transaction: str) -> dict[str, float]:
        return {name: since for name, since in self.pending.items() if name != transaction}

    def _changed(
        self, pending: dict[str, float], replaced: tuple[str, ...], holder: Holder | None
    ) -> "State":
        return State(self.encoder, holder, pending, replaced)


STATE = TypeAdapter(State)


def state_to_source(state: State) -> dict[str, Any]:
    """The entry of a state."""
    return {"kind": "state", "state": asdict(state)}


def state_from_source(source: Mapping[str, Any]) -> State:
    """The state of an entry."""
    return STATE.validate_python(source["state"])
