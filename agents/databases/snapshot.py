"""Asking every tool about a target, so that what the databases reply can be recorded."""

import asyncio
import json

from agents.errors import AgentError
from agents.tools.toolset import Toolset


async def ask_all(tools: Toolset, target: str) -> dict[str, str]:
    """What each tool that takes a target said, in a sentence: its summary, or why there is none.

    A target named otherwise is asked for under its symbol, too: a report that knows the symbol from a file
    asks so.
    """
    named = [tool.name for tool in tools.values() if "target" in tool.inputs.model_fields]
    asked = await asyncio.gather(*(_asked(tools, name, target) for name in named))
    for symbol in sorted({symbol for symbol, _ in asked if symbol and symbol != target}):
        await asyncio.gather(*(_asked(tools, name, symbol) for name in named))
    return {name: said for name, (_, said) in zip(named, asked, strict=True)}


async def _asked(tools: Toolset, name: str, target: str) -> tuple[str, str]:
    """The symbol under which a tool understood the target, and what it said."""
    try:
        reply = await tools.call(name, json.dumps({"target": target}))
    except AgentError as error:
        return "", str(error)
    said = reply.summary if reply.records else reply.note
    return str((reply.data or {}).get("target", "")), said or reply.summary
