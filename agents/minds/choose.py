"""A language model decides for which of a few things a message is meant."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from agents.data_block import data_block
from agents.minds.prompts import load_prompt
from agents.ports import LanguageModel


class Chosen(BaseModel):
    """What a language model returns: one of the names, or "" if it does not know."""

    name: str = ""


async def choose(model: LanguageModel, text: str, options: Mapping[str, str]) -> str:
    """The name of the option that the text is meant for; "" for a doubt, or for a name that was not offered.

    `options` are descriptions by name. Raises `ModelError`.
    """
    prompt = load_prompt("choose", Path(__file__).parent)
    listed = "\n".join(f"- {name}: {told}" for name, told in options.items())
    given = await model.ask(prompt.role, prompt.render(kinds=listed), data_block(text), Chosen)
    return given.name if given.name in options else ""
