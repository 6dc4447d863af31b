"""A process to be killed: carries a panel of two people in a home, whoever began it.

    python -m tests.kinds.mortal_panel HOME LOG SECONDS

Thinking is a line in LOG, and takes SECONDS.
"""

import asyncio
import sys
from pathlib import Path

from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from bot.values import Incoming, ThreadRef
from tests.kinds import panel

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "panel 2: fish dog")


async def main(home: Path, log: Path, seconds: float) -> None:
    class Slow(panel.Mind):
        async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
            with log.open("a") as file:
                file.write("think\n")
            await asyncio.sleep(seconds)
            return words

    settings = Settings(home=home, run=RunSettings(lease=1.0))
    async with runtime(settings, [panel.opened(Slow())]) as built:
        receipt = await built.intake.receive(ASKED)
        while not (await built.finished(receipt.run_id)).state.over:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
