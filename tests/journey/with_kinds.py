"""`pestle` with two kinds more: panels, that think long enough to be told something, and programs.

python -m tests.journey.with_kinds COMMAND …
"""

import asyncio

import adapters.kinds
from tests.kinds import computing, panel

THINKS_S = 10.0


class Slow(panel.Mind):
    async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
        await asyncio.sleep(THINKS_S)
        return words


if __name__ == "__main__":
    adapters.kinds.KINDS = (*adapters.kinds.KINDS, panel.opened(Slow()), computing.KIND)
    from adapters.cli import main  # it takes the list as it is when it is imported

    main()
