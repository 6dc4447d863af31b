"""A process to be killed: writes a safety report in a home with a model, whoever began it.

    python -m tests.kinds.mortal_safety HOME LOG SECONDS

Every call of a tool or of the model is a line in LOG. The model takes SECONDS over the safety liabilities.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.messages import Message, ToolSpec, Turn
from agents.scripted import ScriptedModel
from agents.tools.tool import Tool
from bot.values import Incoming, ThreadRef
from tests.agents.safety.kit import databases, kind, tools
from tests.agents.safety.test_minds import shortens, writes

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "safety ZORB1, inhibition")
SLOW = "Safety liabilities"


class Logged(ScriptedModel):
    """Writes down which section it is asked to write."""

    def __init__(self, log: Path, seconds: float) -> None:
        super().__init__({"write": writes, "compress": shortens})
        self._log, self._pause = log, seconds

    async def converse(self, role: str, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Turn:
        """See `LanguageModel`."""
        section = messages[0].text.split("“")[1].split("”")[0]
        noted(self._log, f"model {section}")
        await asyncio.sleep(self._pause if section == SLOW else 0)
        return await super().converse(role, messages, tools)


def noted(log: Path, line: str) -> None:
    with log.open("a") as file:
        file.write(f"{line}\n")


def logged(log: Path, tool: Tool[Any]) -> Tool[Any]:
    async def work(asked: Any) -> Any:
        noted(log, f"tool {tool.name}")
        return await tool(asked)

    return replace(tool, work=work)


async def main(home: Path, log: Path, seconds: float) -> None:
    asked = databases().map(lambda tool: logged(log, tool))
    over = kind(tools(asked, Logged(log, seconds)))
    async with runtime(Settings(home=home, run=RunSettings(lease=1.0)), [over]) as built:
        receipt = await built.intake.receive(ASKED)
        await built.finished(receipt.run_id)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
