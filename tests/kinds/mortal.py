"""A process to be killed: writes a brief on a drug in a home, whoever began it.

    python -m tests.kinds.mortal HOME LOG SECONDS

Every look-up is a line in LOG. The one for the heart takes SECONDS.
"""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.tools.reply import ToolReply
from bot.values import Incoming, ThreadRef
from tests.kinds import three
from tests.kinds.three import Organ

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "brief Zorvatinib")


async def main(home: Path, log: Path, seconds: float) -> None:
    async def look_up(asked: Organ) -> ToolReply:
        with log.open("a") as file:
            file.write(f"{asked.organ}\n")
        await asyncio.sleep(seconds if asked.organ == "heart" else 0)
        return await three.look_up(asked)

    tool = replace(three.LOOK_UP, work=look_up)
    kind = replace(three.KIND, open=lambda house: three.opened(tool, house.sources))
    async with runtime(Settings(home=home, run=RunSettings(lease=1.0)), [kind]) as built:
        receipt = await built.intake.receive(ASKED)
        await built.finished(receipt.run_id)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
