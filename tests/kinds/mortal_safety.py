"""A process to be killed: writes a safety report in a home with a model, whoever began it.

    python -m tests.kinds.mortal_safety HOME LOG SECONDS

Every call of a tool or of the model is a line in LOG, also its checks of citations and its summaries. The
model takes SECONDS over the study plan.
"""

import asyncio
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.messages import Message, ToolSpec, Turn
from agents.scripted import Call, ScriptedModel
from agents.tools.tool import Tool
from agents.trust.entail import ModelEntailment
from bot.values import Incoming, ThreadRef
from tests.agents.safety.kit import databases, kind, tools
from tests.agents.safety.test_minds import GIVEN, shortens

ASKED = Incoming("e1", ThreadRef("wall", "general", "1"), "ada", "safety ZORB1, inhibition")
SLOW = "Study plan and open questions"
T = TypeVar("T", bound=BaseModel)


def section_of(messages: Sequence[Message]) -> str:
    """The title of the section that is asked for."""
    return messages[0].text.split("“")[1].split("”")[0]


def concludes(call: Call) -> str:
    """Draws a conclusion from the first finding that it was given, which has to be judged."""
    found = GIVEN.findall("\n".join(message.text for message in call.messages))
    end = f"This suggests rest, says {section_of(call.messages)}."
    claims = [{"text": f"{text} {end}", "keys": [key]} for text, key in found[:1]]
    return json.dumps({"statements": claims})


def grants(call: Call) -> str:
    """Lets a claim stand by the first line of its evidence."""
    (line,) = re.findall(r'<data key="E\d+"[^>]*>\n# ([^\n]+)', call.user)[:1]
    return json.dumps({"verdict": "supported", "quote": line, "reason": ""})


class Logged(ScriptedModel):
    """Writes down which section it is asked to write, and what else it is asked."""

    def __init__(self, log: Path, seconds: float) -> None:
        super().__init__({"write": concludes, "compress": shortens, "entail": grants})
        self._log, self._pause = log, seconds

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """See `LanguageModel`."""
        section = section_of(messages)
        again = (
            f", after {len(messages) - 2} messages" if len(messages) > 2 else ""
        )  # a draft that was sent back
        noted(self._log, f"model {section}{again}")
        await asyncio.sleep(self._pause if section == SLOW else 0)
        return await super().converse(role, messages, tools, form)

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """See `LanguageModel`."""
        noted(self._log, f"{role} {hashlib.sha256(user.encode()).hexdigest()[:16]}")
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
