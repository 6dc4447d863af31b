"""`pestle` with two kinds more: panels and programs. Panels and debates wait to be told something.

python -m tests.journey.with_kinds COMMAND …
"""

import asyncio

import adapters.kinds
from agents.design import pipeline
from agents.design.values import Brief
from agents.minds.debate import Floor
from tests.kinds import computing, panel

THINKS_S = 10.0


class Slow(panel.Mind):
    async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
        await asyncio.sleep(THINKS_S)
        return words


class Patient(pipeline.Room):
    async def opened(self, floor: Floor[Brief]) -> Floor[Brief]:
        await asyncio.sleep(THINKS_S)
        return await super().opened(floor)


if __name__ == "__main__":
    adapters.kinds.KINDS = (*adapters.kinds.KINDS, panel.opened(Slow()), computing.KIND)
    pipeline.Room = Patient  # type: ignore[misc]
    from adapters.cli import main  # it takes the list as it is when it is imported

    main()
