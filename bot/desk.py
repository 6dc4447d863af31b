"""What a person finds on their own page of a platform: their latest runs, and what a run may take."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agents.kinds import AnyKind, RunView
from agents.ports import Ledger
from agents.runs.records import Budget
from agents.usage import Usage
from bot.digests.values import PINS
from bot.ports import Conversations
from bot.values import ThreadRef
from bot.views import Views

LOOKED_THROUGH = 200
"""Latest runs among which a person's own are looked for."""
SHOWN = 8


@dataclass(frozen=True, slots=True)
class OnDesk:
    """What one person finds: their runs, newest first; the questions that they pinned in channels; the limits
    of each kind of run; what can be asked; and what the runs spent of a language model.
    """

    runs: Sequence[RunView]
    pinned: Sequence[str]
    budgets: Sequence[tuple[str, Budget]]
    help: Sequence[str]
    spent: Usage = Usage()


class PersonalPage:
    """Reads what a person finds on their page."""

    def __init__(
        self,
        ledger: Ledger,
        conversations: Conversations,
        views: Views,
        budget: Callable[[AnyKind], Budget],
        reading: "Callable[[str, str], Awaitable[PersonalPage | None]] | None" = None,
    ) -> None:
        self._reading = reading
        """The page of who does not read everything, by platform and person."""
        self._ledger = ledger
        self._conversations = conversations
        self._views = views
        self._budget = budget

    async def of(self, platform: str, user: str) -> OnDesk:
        """The page of a person, who sees only what they asked themselves."""
        if self._reading and (other := await self._reading(platform, user)):
            return await other.of(platform, user)
        runs = await self._ledger.runs(limit=LOOKED_THROUGH)
        own = [run for run in runs if run.asked_by == user and _on(run.thread_id, platform)][:SHOWN]
        budgets = [(kind.title, self._budget(kind)) for kind in self._views.kinds]
        told = [line for kind in self._views.kinds for line in kind.help]
        spent = sum([step.usage for run in own for step in await self._ledger.steps(run.run_id)], Usage())
        return OnDesk(await self._views.all(own), await self._pinned(platform, user), budgets, told, spent)

    async def _pinned(self, platform: str, user: str) -> list[str]:
        """The questions that a person pinned, each once."""
        channels = [one for one in await self._conversations.remembered_as(PINS.key) if _on(one, platform)]
        found = [await PINS.all(self._conversations, ThreadRef.parse(one)) for one in channels]
        asked = (pin.asked for pins in found for pin in pins if pin.by == user)
        return list(dict.fromkeys(asked))[:SHOWN]


def _on(thread_id: str, platform: str) -> bool:
    return bool(thread_id) and ThreadRef.parse(thread_id).platform == platform
