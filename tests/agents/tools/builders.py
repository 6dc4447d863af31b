"""Tools for the tests."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import Field

from agents.evidence.sources import tool_source
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool


class Lookup(Arguments):
    """A drug to look up."""

    drug: str = Field(description="generic name of the drug", min_length=1, max_length=200)
    limit: int = Field(5, description="how many records", ge=1, le=50)


class Counter:
    """Counts the calls of a tool; each reply says how many there were before it."""

    def __init__(self) -> None:
        self.asked: list[Lookup] = []

    async def __call__(self, inputs: Lookup) -> ToolReply:
        self.asked.append(inputs)
        return reply_on(inputs.drug, f"{inputs.drug} was asked for {len(self.asked)} times.")


def reply_on(drug: str, text: str) -> ToolReply:
    source = tool_source("label database", f"Label of {drug}", text, query=drug, date="2026-07-01")
    return ToolReply((ToolRecord(source),), f"1 label of {drug}")


def lookup(
    work: Callable[[Lookup], Awaitable[ToolReply]], name: str = "drug_label", **more: Any
) -> Tool[Lookup]:
    return Tool(name, "The label of a drug.", Lookup, work, "label database", **more)
