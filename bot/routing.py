"""Which kind of run a message is for.

A command word decides ("ask …"); one with a slip in it is asked back. Else the thread's kind goes on, if it
understands the message. Else the kinds' own rules decide: the surest wins. Where several understand it, they
are told what its words name. Where two are equally sure a chooser may decide, such as a language model.
Without one, or if it does not know, the user is asked.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from agents.kinds import AnyKind, Certainty, Kinds, Named, ThreadContext, Understood, UserMessage
from agents.runs.records import RunRecord
from bot.commands import misspelt, written
from bot.ports import Names
from bot.values import CommandName

logger = logging.getLogger(__name__)

Chooser = Callable[[str, Sequence[AnyKind]], Awaitable[str]]
"""From a message and the kinds in question to the name of one of them, or "" for a doubt."""

CHOOSER_S = 1.5
"""Seconds a chooser has. The platform waits for the acknowledgement of the message meanwhile."""


@dataclass(frozen=True, slots=True)
class Routed:
    """A message as the input of a run of this kind."""

    kind: AnyKind
    inputs: object


@dataclass(frozen=True, slots=True)
class Doubt:
    """A message that several kinds may be meant by."""

    kinds: tuple[AnyKind, ...]


@dataclass(frozen=True, slots=True)
class Misspelt:
    """A message whose first word is no known one, and the same with the command that it may be meant for."""

    word: str
    meant: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: AnyKind
    understood: Understood[object]

    @property
    def certainty(self) -> Certainty:
        return self.understood.certainty


@dataclass(frozen=True, slots=True)
class Router:
    """Decides by the rules at the top of this module."""

    kinds: Kinds
    chooser: Chooser | None = None
    names: Names | None = None
    _: KW_ONLY
    seconds: float = CHOOSER_S

    async def route(
        self,
        text: str,
        user: str,
        remembered: Mapping[str, str],
        earlier: Sequence[RunRecord],
        subject: str = "",
        *,
        named: str = "",
        as_it_is: bool = False,
    ) -> Routed | Doubt | Misspelt | None:
        """The kind a message is for; None if no kind understands it.

        `remembered` is what the thread keeps of each kind, `earlier` are its runs, newest first, `subject` is
        what a digest above it is about. `named` is the name of a kind that the user picked. Of a
        text that is meant `as_it_is` no word is taken for a command with a slip in it.
        """
        known = [one for one in earlier if one.pipeline in self.kinds and not one.revises]
        contexts = {
            kind.name: self.kinds.context(kind, remembered.get(kind.name, ""), known, subject)
            for kind in self.kinds
        }
        if named:
            return _asked_for(self.kinds[named], text, user, contexts[named])
        if command := self.command(text):
            kind, rest = command
            return _asked_for(kind, rest, user, contexts[kind.name])
        if not as_it_is and (slip := await self._misspelt(text)):
            return slip
        candidates = self._candidates(UserMessage(text, user), contexts)
        if len(candidates) > 1 and self.names:
            message = UserMessage(text, user, named=await self.names.named(text))
            candidates = self._candidates(message, contexts)
        best = _best(candidates, known[0].pipeline if known else "")
        if len(best) < 2:
            return Routed(best[0].kind, best[0].understood.inputs) if best else None
        return await self._chosen(text, best)

    async def _misspelt(self, text: str) -> Misspelt | None:
        """A text that is a command but for a slip in its first word, which names nothing of this house."""
        word, meant = misspelt(text, [word for kind in self.kinds for word in kind.commands])
        if not meant or (self.command(meant) is None and written(meant).name is CommandName.ASK):
            return None
        named = await self.names.named(word) if self.names else Named()
        return None if named.molecules or named.genes else Misspelt(word, meant)

    def _candidates(
        self, message: UserMessage, contexts: Mapping[str, ThreadContext[object, object]]
    ) -> list[_Candidate]:
        """The kinds that understand a message."""
        understood = ((kind, kind.understand(message, contexts[kind.name])) for kind in self.kinds)
        return [_Candidate(kind, one) for kind, one in understood if one is not None]

    def command(self, text: str) -> tuple[AnyKind, str] | None:
        """The kind whose command word begins the text, and the rest of it."""
        for kind in self.kinds:
            for word in kind.commands:
                if found := re.fullmatch(
                    rf"/?{re.escape(word)}[:,]?\s+(.+)", text, re.IGNORECASE | re.DOTALL
                ):
                    return kind, found[1]
        return None

    async def _chosen(self, text: str, best: Sequence[_Candidate]) -> Routed | Doubt:
        kinds = tuple(candidate.kind for candidate in best)
        name = ""
        if self.chooser:
            try:
                name = await asyncio.wait_for(self.chooser(text, kinds), self.seconds)
            except Exception as error:  # whatever fails in choosing, the user can still choose
                logger.warning("no kind of run was chosen for a message: %s", error)
        chosen = next((candidate for candidate in best if candidate.kind.name == name), None)
        return Routed(chosen.kind, chosen.understood.inputs) if chosen else Doubt(kinds)


def _asked_for(kind: AnyKind, text: str, user: str, context: ThreadContext[object, object]) -> Routed | None:
    understood = kind.understand(UserMessage(text, user, asked_for=True), context)
    return Routed(kind, understood.inputs) if understood else None


def _best(candidates: Sequence[_Candidate], thread_kind: str) -> list[_Candidate]:
    """The candidates among which to decide: the thread's kind alone, unless another is sure and it is not."""
    surest = max((candidate.certainty for candidate in candidates), default=Certainty.POSSIBLE)
    own = [candidate for candidate in candidates if candidate.kind.name == thread_kind]
    if own and (own[0].certainty is not Certainty.POSSIBLE or surest is not Certainty.SURE):
        return own
    return [candidate for candidate in candidates if candidate.certainty is surest]
