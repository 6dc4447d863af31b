"""Tries a language model on what Pestle asks of one: a form to keep to, a tool to call, a text to read.

Each trial says what works without it, so that a person can decide. Nothing of the archive is sent.
"""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, ConfigDict

from adapters.llm.model import OpenAIModel
from adapters.model_sections import ModelSettings
from agents.errors import ModelError
from agents.messages import Message, Speaker, ToolSpec
from agents.runs.meter import measuring

PASSAGE = "Rats received 15 mg/kg of the compound each day for 28 days. No animal died."
FILLER = "The animals were weighed each week, and nothing unusual was noted on that day. "
LONG = (2_000, 8_000, 16_000)
"""Tokens, about, of the texts in whose middle a number has to be found."""
CHARACTERS_PER_TOKEN = 4
ROLE = "trial"
TOOLS = "calls tools"
WITHOUT_TOOLS = " Without tools, free questions are asked in plain JSON, which is less sure."
SECONDS = 120.0
"""Seconds that one trial may take."""


class Dose(BaseModel):
    """What is read from `PASSAGE`."""

    model_config = ConfigDict(extra="forbid")

    dose: float
    unit: str
    species: str


class Weight(BaseModel):
    """What is found in a long text."""

    model_config = ConfigDict(extra="forbid")

    grams: float


LOOK = ToolSpec(
    "look_up",
    "Looks a molecule up in the register.",
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether a model can do one thing, and what to know of it."""

    ability: str
    works: bool
    told: str

    def __str__(self) -> str:
        if self.works:
            return f"{self.ability}: {self.told}"
        return f"Not shown: {self.ability}. {self.told}{WITHOUT_TOOLS if self.ability == TOOLS else ''}"


async def trials(settings: ModelSettings, begun: Callable[[int, int, str], None]) -> AsyncIterator[Trial]:
    """Trials of the model that the settings name, each as it ends; one that does not keep to a form ends
    them, and so does a text that is too long. `begun` hears how many are done, of how many, and the next.

    Raises `SettingsError` when no model is named.
    """
    model = OpenAIModel(settings.model_copy(update={"timeout": min(settings.timeout, SECONDS), "retries": 0}))
    reading = {f"reads {tokens:,} tokens": partial(_found, model, tokens) for tokens in LONG}
    work = {"keeps to a form": partial(_form, model), TOOLS: partial(_tool, model), **reading}
    try:
        for number, (ability, trial) in enumerate(work.items()):
            begun(number, len(work), ability)
            tried = await _tried(ability, trial)
            yield tried
            if not tried.works and ability != TOOLS:
                return
    finally:
        await model.close()


async def _tried(ability: str, trial: Callable[[], Awaitable[str]]) -> Trial:
    """A trial whose work gives what to know; "" for a wrong answer."""
    began = time.monotonic()
    try:
        told = await trial()
    except ModelError as error:
        return Trial(ability, False, str(error))
    seconds = f"{time.monotonic() - began:.1f} s"
    return Trial(
        ability, bool(told), f"{told}, {seconds}" if told else f"It answered, and wrongly: {seconds}."
    )


async def _form(model: OpenAIModel) -> str:
    """The dose of a passage; also says how much the model writes for it."""
    with measuring(ROLE, "") as meter:
        read = await model.ask(ROLE, "Read the dose from the passage.", PASSAGE, Dose)
    right = (read.dose, read.unit.lower()[:2], "rat" in read.species.lower()) == (15, "mg", True)
    return f"{meter.usage.completion_tokens} tokens" if right else ""


async def _tool(model: OpenAIModel) -> str:
    asked = Message(Speaker.USER, "Look up the molecule named PX-104 with the tool.")
    turn = await model.converse(ROLE, [Message(Speaker.SYSTEM, "Use the tool."), asked], [LOOK])
    called = next((call for call in turn.tool_calls if call.name == LOOK.name), None)
    return "in the form of the API" if called and "PX-104" in json.dumps(called.arguments) else ""


async def _found(model: OpenAIModel, tokens: int) -> str:
    """A number that stands in the middle of a text of so many tokens, about."""
    half = FILLER * (tokens * CHARACTERS_PER_TOKEN // len(FILLER) // 2)
    text = f"{half}The liver of animal 7 weighed 12.75 g. {half}"
    read = await model.ask(ROLE, "How many grams did the liver of animal 7 weigh?", text, Weight)
    return "found" if read.grams == 12.75 else ""
