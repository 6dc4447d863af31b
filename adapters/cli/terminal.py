"""The terminal as a `ChatPlatform`: progress on one live line, everything else printed once."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.status import Status

if TYPE_CHECKING:
    from bot.values import Card, ThreadRef

PREFIX = "cli-"
REST = (
    "{count} more sections: `pestle run show {run} --full` prints them, `pestle run export {run} docx` (or "
    "pdf, html, md) writes the whole report."
)


class Terminal:
    """Shows the cards of one thread on a console.

    Each thread is a platform of its own, so that two commands at a time never show each other's cards.
    Without a terminal attached no progress is shown, only results. `quiet` shows nothing at all, `more` what
    is folded too, `first` of a report its line and first section alone. What is not shown is named at
    the end. A refused message is not shown but kept in `refusal`, for the command to say on standard error.
    """

    def __init__(
        self,
        console: Console,
        thread: ThreadRef,
        *,
        quiet: bool = False,
        more: bool = False,
        first: bool = False,
    ) -> None:
        self.name = thread.platform
        self.thread = thread
        self.refusal = ""
        self.shown = False
        """Whether anything but progress was shown."""
        self._console = console
        self._quiet = quiet
        self._more = more
        self._first = first
        self._begun: dict[str, int] = {}
        """By run, how many sections are not shown."""
        self._status: Status | None = None
        self._numbers = itertools.count(1)
        self._last: dict[str, Card] = {}

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card."""
        message_id = str(next(self._numbers))
        await self.update(thread, message_id, card)
        return message_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """Show the newer card: a line of progress moves on, anything else is printed below once."""
        if self._last.get(message_id) != card:
            self._last[message_id] = card
            self._show(card)

    def rest(self) -> None:
        """Take the line of progress away, and say where the rest of a report is."""
        self._still()
        for run_id, count in self._begun.items():
            if count:
                self._console.print(REST.format(count=count, run=run_id), style="dim", highlight=False)
        self._begun.clear()

    def _still(self) -> None:
        if self._status:
            self._status.stop()
            self._status = None

    def _show(self, card: Card) -> None:
        from bot.values import CardKind

        if card.kind is CardKind.ERROR and not card.run_id:
            self.refusal = card.text
        elif self._quiet:
            return
        elif card.kind is CardKind.PROGRESS:
            self._progress(card)
        elif self._left_out(card):
            self._begun[card.run_id] += 1
        else:
            self._still()
            from adapters.cli import render

            if self._first and card.kind is CardKind.ANSWER and card.text:  # the first section tells the rest
                told = card.text.split("\n\n")[0].split(";")[0].rstrip(".")
                card = replace(card, text=f"{told}.", footer="")
            self._console.print(render.card(card, more=self._more))
            self.shown = True

    def _left_out(self, card: Card) -> bool:
        """Whether a section stays folded."""
        from bot.values import CardKind

        if card.kind is not CardKind.SECTION:
            return False
        begun = card.run_id in self._begun
        self._begun.setdefault(card.run_id, 0)
        return not self._more and (card.folded or (self._first and begun))

    def _progress(self, card: Card) -> None:
        if not self._console.is_terminal:
            return
        from adapters.cli import render

        for note in card.notes:  # of the first card of a run alone
            self._console.print(note, style="dim", markup=False, highlight=False)
        line = render.progress_line(card)
        if self._status is None:
            self._status = self._console.status(line)
            self._status.start()
        else:
            self._status.update(line)
