"""A process to be killed: writes a safety report in a home with a model, whoever began it.

    python -m tests.kinds.mortal_safety HOME LOG SECONDS

Every call of a tool or of the model is a line in LOG, also its checks of citations. The model takes SECONDS
over reading its draft again.
"""

import asyncio
import hashlib
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.tools.tool import Tool
from agents.trust.entail import ModelEntailment
from bot.values import Incoming, ThreadRef
from tests.agents.safety.kit import databases, kind, tools
from tests.agents.safety.test_whole import SLOW as EVENT
from tests.agents.safety.test_whole import said, writes
from tests.support.scripted import Call, ScriptedModel

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "safety ZORB1, inhibition")
DRAFT, SLOW = "model draft", "model check"
T = TypeVar("T", bound=BaseModel)


def concludes(call: Call) -> str:
    """Draws a conclusion from a finding, which has to be judged."""
    told = json.loads(writes(call))
    if told:
        says = said(call, EVENT, f"On zorbatinib, {EVENT}, which suggests rest.")
        told["argument"] = [{"says": [says]}]
    return json.dumps(told)


def grants(call: Call) -> str:
    """Lets a claim stand by the first line of its evidence."""
    (line,) = re.findall(r'<data key="E\d+"[^>]*>\n# ([^\n]+)', call.user)[:1]
    return json.dumps({"verdict": "supported", "quote": line, "reason": ""})


class Logged(ScriptedModel):
    """Writes down what it is asked."""

    def __init__(self, log: Path, seconds: float) -> None:
        super().__init__({"assess": concludes, "entail": grants})
        self._log, self._pause = log, seconds

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """See `LanguageModel`."""
        asked = SLOW if "This is your draft" in user else DRAFT if role == "assess" else ""
        noted(self._log, asked or f"{role} {hashlib.sha256(user.encode()).hexdigest()[:16]}")
        await asyncio.sleep(self._pause if asked == SLOW else 0)
        return await super().ask(role, system, user, schema)


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
    model = Logged(log, seconds)
    over = kind(tools(asked, model, entailment=ModelEntailment(model)))
    async with runtime(Settings(home=home, run=RunSettings(lease=1.0)), [over]) as built:
        receipt = await built.intake.receive(ASKED)
        await built.finished(receipt.run_id)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
