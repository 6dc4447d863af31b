"""Asking every tool about a target, so that what the databases reply can be recorded."""

import asyncio
import json

from agents.errors import AgentError
from agents.tools.toolset import Toolset


async def ask_all(tools: Toolset, target: str) -> dict[str, str]:
    """What each tool that takes a target said, in a sentence: its summary, or why there is none."""
    named = [tool.name for tool in tools.values() if "target" in tool.inputs.model_fields]
    said = await asyncio.gather(*(_asked(tools, name, target) for name in named))
    return dict(zip(named, said, strict=True))


async def _asked(tools: Toolset, name: str, target: str) -> str:
    try:
        reply = await tools.call(name, json.dumps({"target": target}))
    except AgentError as error:
        return str(error)
    return reply.summary or reply.note or f"{len(reply.records)} records"
